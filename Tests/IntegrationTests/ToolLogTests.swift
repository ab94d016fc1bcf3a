import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

@testable import statecast

extension Spawned {
  @Suite("statecast: what was done, and who is there")
  struct ToolLogTests {
    /// What is printed, but for what differs from run to run.
    private static func lines(of output: String) -> [String] {
      output.split(separator: "\n").map {
        String($0).replacing(/20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ/, with: "DATE")
          .replacing(/client \d+/, with: "client N")
      }
    }

    @Test("log prints every entry with who sent it, and why it was refused")
    func log() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let client = try await daemon.connect()
      func send(_ kind: Entry.Kind) async throws { _ = try await client.perform(Entry(kind)) }
      try await send(.perform(action: Value.map(["counter": "incrementButtonTapped"]).encoded()))
      try await send(.set(field: "counter.step", value: Value.unsigned(5).encoded()))
      await #expect(throws: ActionFailure.self) {
        try await send(.perform(action: Value.map(["favoritePrimes": ["save": 8]]).encoded()))
      }
      try await send(.set(field: "counter.step", value: Value.unsigned(5).encoded()))
      let run = try await Workshop.run("log", in: folder)
      #expect(run.ending == .exited(0), "\(run.errors)")
      #expect(
        Self.lines(of: run.output) == [
          "1  DATE  daemon  started  (no-change)",
          #"2  DATE  client N  {"counter":"incrementButtonTapped"}"#,
          "3  DATE  client N  set counter.step 5",
          #"3  DATE  client N  {"favoritePrimes":{"save":8}}"#
            + "  (refused: invalid: 8 is no prime: only primes can be favourites)",
          "4  DATE  client N  set counter.step 5  (no-change)",
        ])
      // What one line shows as an action can be sent again as it stands; and from a commit on.
      let last = try await Workshop.run("log", "4", "--json", in: folder)
      #expect(try last.lines.count == 1)
      #expect(try last.lines.first?["entry"] == ["set", "counter.step", 5])
      #expect(try last.lines.first?["code"] == "no-change")
      let wrong = try await Workshop.run("log", "four", in: folder)
      #expect(wrong.errors.hasPrefix("Error: a commit is a number, not four\n"))
      await client.close()
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test(
      "With --journal what was done in earlier runs is told, too, beside the daemon and without it")
    func earlierRuns() async throws {
      let folder = try ScratchFolder()
      var daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let first = try await Workshop.run("send", "counter.incrementButtonTapped", in: folder)
      #expect(first.output == "2\n")
      let refused = try await Workshop.run("send", "favoritePrimes.save", "8", in: folder)
      #expect(refused.ending == .exited(4))
      #expect(await daemon.stop() == .exited(0))
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let second = try await Workshop.run("set", "counter.step", "5", in: folder)
      #expect(second.output == "4\n")
      // The daemon's memory begins with its run, and the tool says where the rest is.
      let memory = try await Workshop.run("log", in: folder)
      #expect(memory.output.split(separator: "\n").count == 2)
      #expect(
        memory.errors == "-- The daemon remembers its entries from commit 3 on; "
          + "`statecast log --journal FOLDER` reads earlier ones in its journal.\n")
      let beside = try await Workshop.run("log", "--journal", folder.file("state"), in: folder)
      #expect(beside.ending == .exited(0), "\(beside.errors)")
      #expect(
        Self.lines(of: beside.output) == [
          "1  DATE  daemon  started  (no-change)",
          #"2  DATE  client N  {"counter":"incrementButtonTapped"}"#,
          #"2  DATE  client N  {"favoritePrimes":{"save":8}}"#
            + "  (refused: invalid: 8 is no prime: only primes can be favourites)",
          "3  DATE  daemon  started  (no-change)", "4  DATE  client N  set counter.step 5",
        ])
      // What both have is told in the same words.
      #expect(beside.output.hasSuffix(memory.output))
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
      let without = try await Workshop.run(
        "log", "3", "--journal", folder.file("state"), "--json", in: folder)
      #expect(try without.lines.compactMap { $0["commit"]?.integer } == [3, 4])
      // What it looks at is as it was.
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: folder.file("state")).sorted()
          == ["journal.db", "journal.mark"])
      let none = try await Workshop.run("log", "--journal", folder.file("none"), in: folder)
      #expect(none.ending == .exited(1))
      #expect(none.errors.hasPrefix("Error: there is no folder \(folder.file("none"))\n"))
    }

    @Test("The log of a run that began with a migration begins with that")
    func migration() async throws {
      let folder = try ScratchFolder()
      let before = try await DaemonProcess.start(
        "SeedsDaemon", in: folder, environment: ["SEED": "ledger"])
      #expect(await before.stop() == .exited(0))
      let daemon = try await DaemonProcess.start(
        "SeedsDaemon", in: folder, environment: ["SEED": "ledger-2"])
      let send = try await Workshop.run("send", "add", "rent", in: folder)
      #expect(send.output == "2\n", "\(send.errors)")
      let run = try await Workshop.run("log", in: folder)
      let lines = run.output.split(separator: "\n")
      #expect(lines.count == 2)
      let said = /1  20\S+Z  daemon  migrated from the schema [0-9a-f]{16}/
      #expect(lines.first?.wholeMatch(of: said) != nil, "\(run.output)")
      #expect(lines.last?.hasSuffix(#"{"add":"rent"}"#) == true)
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("What there is in a log is said in words")
    func words() {
      func line(_ content: Value, origin: Value = .null) -> String {
        LoggedText.line(
          .map([
            "commit": 7, "date": .float(0), "origin": origin, "code": "ok", "text": "",
            "entry": .bytes(content.encoded()),
          ]))
      }
      let date = "7  2001-01-01T00:00:00Z  "
      #expect(line(["effect", "tick", 3]) == date + #"effect of 3  "tick""#)
      #expect(line(["joined", 4, "bar"]) == date + "daemon  client 4 joined as bar")
      #expect(line(["joined", 4, ""]) == date + "daemon  client 4 joined")
      #expect(line(["away", 4]) == date + "daemon  client 4 is away")
      #expect(line(["back", 4]) == date + "daemon  client 4 is back")
      #expect(line(["left", 4]) == date + "daemon  client 4 left")
      #expect(line(["offer", "door"], origin: 4) == date + "client 4  offer door")
      #expect(line(["withdraw", "door"], origin: 4) == date + "client 4  withdraw door")
      #expect(
        line(["answer", "x", 1], origin: 4)
          == date + #"client 4  answer "x" with button 1, counted from 0"#)
      #expect(line(["answer", "x", .null], origin: 4) == date + #"client 4  dismiss "x""#)
      #expect(
        line(["migrated", 255]) == date + "daemon  migrated from the schema 00000000000000ff")
      #expect(line(["later", 1]) == date + #"daemon  ["later",1]"#)
      #expect(LoggedText.line(.map([:])) == "?  ?  daemon  null  (refused: : )")
    }
  }
}
