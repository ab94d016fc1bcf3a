import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

@testable import statecast

extension Spawned {
  @Suite("statecast: looking")
  struct ToolReadTests {
    let folder: ScratchFolder
    let daemon: DaemonProcess

    init() async throws {
      folder = try ScratchFolder()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
    }

    @Test("get prints one line of JSON, or a pretty value")
    func get() async throws {
      let plain = try await Workshop.run("get", "counter", in: folder)
      #expect(plain.ending == .exited(0))
      #expect(
        plain.output == #"{"step":1,"alert":null,"count":0,"answer":null,"question":null,"#
          + #""confirmationDialog":null}"# + "\n")
      #expect(plain.errors == "")
      let pretty = try await Workshop.run("get", "counter", "--pretty", in: folder)
      #expect(pretty.output.contains("\n  \"count\": 0,\n"))
    }

    @Test("get takes the view's parameters as a word")
    func getWithParameters() async throws {
      let client = try await daemon.connect()
      _ = try await client.perform(WorkspaceEntry.load("notes", .map(["today": .text("rain")])))
      let part = try await Workshop.run("get", "workspace", "/notes/today", in: folder)
      #expect(part.output == "\"rain\"\n")
      let whole = try await Workshop.run("get", "workspace", in: folder)
      #expect(whole.output == #"{"notes":{"today":"rain"}}"# + "\n")
      await client.close()
    }

    @Test("watch prints where it begins, then every change as JSON, and ends at --count")
    func watch() async throws {
      let client = try await daemon.connect()
      _ = try await client.perform(WorkspaceEntry.load("a", .map(["n": .unsigned(0)])))
      let watch = try Conversation(
        Workshop.tool,
        ["watch", "workspace", "/a", "--count", "3", "--folder", folder.path], at: .pipe,
        name: "watch", in: folder)
      try await watch.wait(for: "}\n")
      _ = try await client.perform(WorkspaceEntry.increment("/a/n"))
      try await watch.wait(for: "}\n")
      _ = try await client.perform(WorkspaceEntry.set("/a/t", .text("x")))
      #expect(await watch.process.waitUntilEnded() == .exited(0))
      try await watch.wait(for: "}\n")
      let lines = try watch.transcript.split(separator: "\n").map { line throws in
        try ActionText.json(String(line))
      }
      #expect(lines.count == 3)
      let start: Value = .map(["n": .unsigned(0)])
      #expect(
        lines[0].isIdentical(
          to: .map([
            "sync": .unsigned(2), "digest": .text(start.digest.description), "value": start,
          ])))
      #expect(
        lines[1].isIdentical(
          to: .map([
            "number": .unsigned(3), "origin": lines[1]["origin"] ?? .text("none"),
            "patch": .array([
              .map(["op": .text("replace"), "path": .text("/n"), "value": .unsigned(1)])
            ]),
          ])))
      #expect(lines[2]["number"]?.integer == 4)
      #expect(watch.process.errors == "")
      await client.close()
    }

    @Test("A reader that leaves ends a watch, at rest too, and that is no error")
    func readerLeaves() async throws {
      let head = try await Workshop.shell(
        "{ \"$tool\" watch counter --folder \"$folder\"; echo $? >&2; } | head -1", in: folder)
      #expect(try head.lines.count == 1)
      #expect(head.errors == "0\n")
    }

    @Test("mirror prints value, commit and digest once the commit is reached")
    func mirror() async throws {
      let client = try await daemon.connect()
      let mirroring = Task {
        try await Workshop.run("mirror", "workspace", "/a", "--until", "4", in: folder)
      }
      _ = try await client.perform(WorkspaceEntry.load("a", .unsigned(1)))
      for _ in 0..<2 { _ = try await client.perform(WorkspaceEntry.increment("/a")) }
      let run = try await mirroring.value
      let digest = Value.unsigned(3).digest
      #expect(run.output == "3 at commit 4, digest \(digest)\n")
      #expect(run.ending == .exited(0))
      await client.close()
    }

    @Test("views and schema list what can be watched, sent and set")
    func views() async throws {
      let views = try await Workshop.run("views", in: folder)
      #expect(
        views.output
          == "activity\napp\ncounter\npresence\nprimes\nrefresh\nsettings\n"
          + "tasks done|open|{\"titled\": text}|null\nworkspace text\n"
      )
      let schema = try await Workshop.run("schema", in: folder)
      let lines = schema.output.split(separator: "\n")
      #expect(lines.contains("send counter.incrementButtonTapped"))
      #expect(lines.contains("send counter.isPrimeButtonTapped"))
      #expect(lines.contains("set counter.step number"))
      #expect(lines.contains { $0.hasPrefix("send workspace.edit {") })
      let offered = try await Workshop.run("views", "--json", in: folder)
      #expect(try offered.lines.first?["workspace"]?["parameters"] == .bool(true))
      #expect(try offered.lines.first?["counter"]?["parameters"] == .bool(false))
      let whole = try await Workshop.run("schema", "--json", in: folder)
      #expect(try whole.lines.first?["views"]?["counter"]?["state"] != nil)
    }

    @Test("status is a table of figures and of who is attached; with --json one object")
    func status() async throws {
      let table = try await Workshop.run("status", in: folder)
      #expect(table.output.hasPrefix("requests            ipc://\(folder.path)/requests\n"))
      #expect(table.output.contains("\ncommit              "))
      #expect(
        table.output.contains(/\nattached            \d beside this command \(client \d+\)\n/),
        "\(table.output)")
      let run = try await Workshop.run("status", "--json", in: folder)
      let status = try #require(try run.lines.first)
      #expect(status["figures"]?["published-bytes"]?.integer != nil)
      #expect(status["sessions"]?.elements != nil)
      #expect(status["client"]?.integer != nil)
      #expect(run.ending == .exited(0))
    }

    @Test("A view that is not there is refused, and those that are there are named")
    func unknownView() async throws {
      for command in ["get", "watch", "mirror"] {
        let run = try await Workshop.run(command, "nothing", in: folder)
        #expect(run.ending == .exited(4))
        #expect(run.output == "")
        #expect(
          run.errors == """
            Error: the daemon refuses the view nothing: unknown, no view is named nothing; there \
            are activity, app, counter, presence, primes, refresh, settings, tasks, workspace
            Try: `statecast views` lists what it offers.

            """)
      }
    }
  }
}
