import StateModel
import StatecastTesting
import SyncProtocol
import Testing

@testable import statecast

extension Spawned {
  /// The features that `ToolFeatureTests` does not drive: each from the command line alone, by processes
  /// that know the daemon's folder and nothing else.
  @Suite("Counter, FavoritePrimes, Refresh, Workspace and Presence from the command line")
  struct ToolShowcaseTests {
    let folder: ScratchFolder
    let daemon: DaemonProcess

    init() async throws {
      folder = try ScratchFolder()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
    }

    private func run(_ words: String...) async throws -> Workshop.Run {
      try await Workshop.finish(
        Workshop.tool, words + ["--folder", folder.path, "--timeout", Workshop.patience],
        in: folder)
    }

    /// Runs what is to be done, and gives the view's value then.
    private func value(of view: String, after words: String...) async throws -> Value {
      let run = try await Workshop.finish(
        Workshop.tool, words + ["--folder", folder.path, "--timeout", Workshop.patience],
        in: folder)
      #expect(run.ending == .exited(0), "\(words): \(run.errors)")
      return try #require(try await self.run("get", view).lines.first)
    }

    /// A process that prints what a view is and becomes.
    private func watch(_ words: String...) throws -> Conversation {
      try Conversation(
        Workshop.tool, ["watch"] + words + ["--folder", folder.path], at: .pipe,
        name: Workshop.nextName(), in: folder)
    }

    @Test("Counter: the step is clamped; alert and dialog count, whoever answers")
    func counter() async throws {
      #expect(try await value(of: "counter", after: "set", "counter.step", "5000")["step"] == 1_000)
      #expect(try await value(of: "counter", after: "set", "counter.step", "3")["step"] == 3)
      for (action, count) in [
        ("incrementButtonTapped", 3), ("incrementButtonTapped", 6), ("decrementButtonTapped", 3),
      ] as [(String, Int)] {
        #expect(
          try await value(of: "counter", after: "send", "counter.\(action)")["count"]?.integer
            == count)
      }
      // Each of the two questions can count up and down.
      for (asking, button, count) in [
        ("alertButtonTapped", "2", 6), ("alertButtonTapped", "3", 3), ("alertButtonTapped", "0", 3),
        ("confirmationDialogButtonTapped", "2", 6), ("confirmationDialogButtonTapped", "3", 3),
      ] as [(String, String, Int)] {
        let asked = try await value(of: "counter", after: "send", "counter.\(asking)")
        #expect(ShownAlert.first(in: asked) != nil, "\(asking)")
        let answered = try await value(of: "counter", after: "answer", button, "counter")
        #expect(answered["count"]?.integer == count, "\(asking) \(button)")
        // A dialog that was answered may say so by an alert of its own.
        if ShownAlert.first(in: answered) != nil {
          #expect(
            try await ShownAlert.first(
              in: value(of: "counter", after: "answer", "0", "counter")) == nil)
        }
      }
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("Counter: a question about a prime is an effect of the daemon, and can be given up")
    func primes() async throws {
      let watching = try watch("counter")
      try await watching.wait(for: "\"count\":0")
      _ = try await value(of: "counter", after: "set", "counter.step", "7")
      _ = try await value(of: "counter", after: "send", "counter.incrementButtonTapped")
      _ = try await value(of: "counter", after: "send", "counter.isPrimeButtonTapped")
      try await watching.wait(for: #""verdict":true"#)
      _ = try await value(of: "counter", after: "send", "counter.nthPrimeButtonTapped")
      try await watching.wait(for: #""number":17"#)
      // A long one, which nobody waits for.
      _ = try await value(of: "counter", after: "set", "counter.step", "1000")
      for _ in 0..<3 { _ = try await run("send", "counter.incrementButtonTapped") }
      let given = try await value(of: "counter", after: "send", "counter.cancelButtonTapped")
      #expect(given["question"] == .null)
      #expect(given["answer"]?["result"]?["number"] == 17)
      let none = try await run("set", "counter.step", "0")
      #expect(none.ending == .exited(0))
      watching.process.signal(15)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("FavoritePrimes: by value, saved twice is once, and the feed tells who, when and what")
    func favorites() async throws {
      let feed = try watch("activity")
      try await feed.wait(for: "\"entries\":[]")
      _ = try await value(
        of: "activity", after: "send", "activity.logIn", #"{"id": 1, "name": "Ada"}"#)
      for number in ["2", "3", "5", "3"] {
        _ = try await value(of: "primes", after: "send", "favoritePrimes.save", number)
      }
      #expect(try await run("get", "primes").output == "{\"primes\":[2,3,5]}\n")
      // Several at once: none shifts another.
      let left = try await value(of: "primes", after: "send", "favoritePrimes.remove", "[2,3]")
      #expect(left == ["primes": [5]])
      let refused = try await run("send", "favoritePrimes.save", "9")
      #expect(refused.ending == .exited(4))
      // And beside the counter.
      _ = try await value(of: "counter", after: "set", "counter.step", "7")
      _ = try await value(of: "counter", after: "send", "counter.incrementButtonTapped")
      let both = try await value(of: "app", after: "send", "primeModal.saveFavoritePrimeTapped")
      #expect(both["favoritePrimes"] == ["primes": [5, 7]])
      #expect(both["isCountFavorite"] == true)
      #expect(
        try await value(of: "primes", after: "send", "primeModal.removeFavoritePrimeTapped")
          == ["primes": [5]])
      try await feed.wait(for: #"{"removedFavoritePrime":7}"#)

      let entries = try #require(try await run("get", "activity").lines.first?["entries"]?.elements)
      #expect(
        entries.compactMap { $0["kind"] } == [
          ["loggedIn": "Ada"], ["addedFavoritePrime": 2], ["addedFavoritePrime": 3],
          ["addedFavoritePrime": 5], ["removedFavoritePrime": 2], ["removedFavoritePrime": 3],
          ["addedFavoritePrime": 7], ["removedFavoritePrime": 7],
        ])
      #expect(entries.dropFirst().allSatisfy { $0["user"] == "Ada" })
      // Each run of the tool is a client of its own; both of one action have its number and date.
      #expect(Set(entries.compactMap { $0["origin"]?.integer }).count == 7)
      #expect(entries[4]["date"] == entries[5]["date"])
      #expect(entries[4]["date"] != entries[0]["date"])
      feed.process.signal(15)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("Refresh: one process offers, another calls; a trigger is seen by all; kill -9 is gone")
    func refresh() async throws {
      let view = try watch("refresh")
      try await view.wait(for: "\"trigger\":0")
      let owner = try Conversation(
        Workshop.tool,
        ["offer", "refresh", "--exec", "tr a-z A-Z", "--name", "list", "--folder", folder.path],
        at: .pipe, name: "owner", in: folder)
      try await view.wait(for: "\"name\":\"refresh\"")
      let called = try await run("call", "refresh", #""page 2""#)
      #expect(called.output == "\"PAGE 2\"\n", "\(called.errors)")
      #expect(try await run("send", "refresh.refreshButtonTapped").ending == .exited(0))
      try await view.wait(for: #""path":"/trigger""#)
      await owner.process.kill()
      try await view.wait(for: #""path":"/handles/0""#)
      let late = try await run("call", "refresh")
      #expect(late.ending == .exited(10))
      #expect(late.errors.hasPrefix("Error: no handle refresh is offered\n"))
      view.process.signal(15)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("Workspace: every kind of edit, and a patch that is all or nothing")
    func workspace() async throws {
      let part = try watch("workspace", "/doc/list")
      try await part.wait(for: "null")
      for (action, payload) in [
        ("load", #"{"name": "doc", "document": {"n": 1, "list": [1], "text": "one two"}}"#),
        ("set", #"{"path": "/doc/n", "value": 2}"#),
        ("increment", #"{"path": "/doc/n", "by": 3}"#),
        ("append", #"{"path": "/doc/list", "value": 2}"#),
        ("merge", #"{"path": "/doc", "value": {"text": "one two", "mute": false, "gone": null}}"#),
        ("remove", #"{"path": "/doc/mute"}"#),
        ("put", #"{"path": "/doc/deep/er", "value": true}"#),
        ("edit", #"{"path": "/doc/text", "offset": 4, "removed": 3, "inserted": "three"}"#),
        (
          "patch",
          #"{"path": "/doc", "operations": [{"op": "test", "path": "/n", "value": 5}, "#
            + #"{"op": "move", "from": "/list/0", "path": "/list/1"}]}"#
        ),
      ] {
        let sent = try await run("send", "workspace.\(action)", payload)
        #expect(sent.ending == .exited(0), "\(action): \(sent.errors)")
      }
      let whole: Value = [
        "n": 5, "list": [2, 1], "text": "one three", "deep": ["er": true],
      ]
      #expect(try await run("get", "workspace", "/doc").lines.first == whole)
      let conflict = try await run(
        "send", "workspace.patch",
        #"{"path": "/doc", "operations": [{"op": "remove", "path": "/n"}, "#
          + #"{"op": "test", "path": "/text", "value": "two"}]}"#)
      #expect(conflict.ending == .exited(4))
      #expect(conflict.errors.contains("not applied: conflict"))
      #expect(try await run("get", "workspace", "/doc").lines.first == whole)
      try await part.wait(for: #""patch""#)
      part.process.signal(15)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("Presence: whoever attaches is listed, for the others to see, and leaves")
    func presence() async throws {
      let view = try watch("presence")
      try await view.wait(for: "\"clients\":[]")
      let bar = try Conversation(
        Workshop.tool, ["attach", "counter", "--name", "bar", "--folder", folder.path],
        at: .terminal, name: "attach", in: folder)
      try await view.wait(for: #""name":"bar""#)
      let client = try #require(
        try await run("get", "presence").lines.first?["clients"]?.elements?.first)
      #expect(client["name"] == "bar")
      #expect(client["isAway"] == false)
      #expect(try await run("who").output.contains("  bar  since "))
      // The log names it, too.
      #expect(try await run("log").output.contains(" joined as bar\n"))
      try await bar.wait(for: "counter at ")
      bar.type("\u{4}")
      #expect(await bar.process.waitUntilEnded() == .exited(0), "\(bar.transcript)")
      try await view.wait(for: #""op":"remove""#)
      #expect(try await run("who").output == "")
      view.process.signal(15)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }
  }
}
