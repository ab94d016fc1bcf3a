import Foundation
import Glibc
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Testing

@testable import statecast

extension Spawned {
  @Suite("Presence across processes (rule 22)")
  struct PresenceTests {
    @Test("After a restart nobody of before is listed, and who is still there comes back by itself")
    func restart() async throws {
      let folder = try ScratchFolder()
      var daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      let client = try await daemon.connect(isPresent: true)
      let other = try await daemon.connect(isPresent: true)
      let mirror = await MirrorProbe.of("presence", on: client)
      try await mirror.wait { $0.value["clients"]?.elements?.count == 2 }
      await daemon.process.kill()
      await other.close()
      daemon = try await DaemonProcess.start(Workshop.daemon, in: folder)
      try await mirror.wait {
        $0.isFresh && $0.value["clients"]?.elements?.count == 1
      }
      // The first commit of the run ended what was before, and the next lists who is there.
      await client.close()
      let watcher = try await daemon.connect()
      let after = await MirrorProbe.of("presence", on: watcher)
      try await after.wait { $0.isFresh && $0.value["clients"]?.elements?.count == 0 }
      await watcher.close()
      #expect(await daemon.process.terminate() == .exited(0))
    }

    /// What the daemon says of the session of a name.
    private func told(_ name: String, by daemon: DaemonConnection) async throws -> Value? {
      let reply = try await daemon.ask(.sessions)
      guard case .value(let sessions) = reply.body else { return nil }
      return sessions.elements?.first { $0["name"]?.string == name }
    }

    @Test("Who is there, since when, and how far behind: of a client that was stopped, by its lag")
    func behind() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let bar = try Conversation(
        Workshop.tool,
        ["attach", "counter", "--name", "bar", "--folder", folder.path], at: .terminal,
        name: "attach", in: folder)
      try await bar.wait(for: "counter at ")
      let client = try await daemon.connect()
      // It tells where its mirror is every two seconds.
      while try await told("bar", by: client)?["behind"] != 0 { await Task.yield() }
      let fresh = try await Workshop.run("who", in: folder)
      #expect(
        fresh.output.wholeMatch(of: /client \d+  bar  since 20\S+Z  up to date\n/) != nil,
        "\(fresh.output)")

      // What makes the terminal the tool's own may be its parent, or become it.
      let children = try String(
        contentsOfFile: "/proc/\(bar.process.pid)/task/\(bar.process.pid)/children",
        encoding: .utf8)
      let tool = Int32(children.split(separator: " ").first ?? "") ?? bar.process.pid
      kill(tool, SIGSTOP)
      let increment = Value.map(["counter": "incrementButtonTapped"]).encoded()
      for _ in 0..<3 { _ = try await client.perform(Entry(.perform(action: increment))) }
      // Until it is missed it may have them. Its going away is a commit, too, which it does not have.
      var lag: Value?
      while let said = try await told("bar", by: client), said["present"] == true {
        if said["behind"] != 0 {
          lag = said["behind"]
          break
        }
        await Task.yield()
      }
      #expect(lag == 3)
      kill(tool, SIGCONT)
      try await bar.wait(for: "→ 3")
      while try await told("bar", by: client)?["behind"] != 0 { await Task.yield() }
      let json = try #require(
        try await Workshop.run("who", "--json", in: folder).lines.first?.elements?.first)
      #expect(json["name"] == "bar")
      #expect(json["behind"] == 0)
      #expect(json["since"]?.string?.hasPrefix("20") == true)
      bar.type("\u{4}")
      _ = await bar.process.waitUntilEnded()
      await client.close()
      #expect(await daemon.stop() == .exited(0), "\(daemon.log)")
    }

    @Test("How far behind, in words")
    func words() {
      func line(_ behind: Value, away: Bool = false, name: Value = "bar") -> String {
        AttendanceText.line(
          .map([
            "public": 7, "name": name, "since": .float(0), "away": .bool(away), "behind": behind,
          ]))
      }
      let start = "client 7  bar  since 2001-01-01T00:00:00Z"
      #expect(line(.null) == start)
      #expect(line(0) == start + "  up to date")
      #expect(line(1) == start + "  1 commit behind")
      #expect(line(12, away: true) == start + "  away  12 commits behind")
      #expect(line(.null, name: "").hasPrefix("client 7  no name  since"))
    }

    @Test("Nobody can say that another is there")
    func forged() async throws {
      let folder = try ScratchFolder()
      let daemon = try await DaemonProcess.start(Workshop.daemon, in: folder, isDurable: false)
      let run = try await Workshop.run(
        "send", "presence.changed", #"{"joined": {"client": 7, "name": "x"}}"#, in: folder)
      #expect(run.ending == .exited(4))
      #expect(run.errors.contains("only the daemon itself says who is there"))
      #expect(await daemon.process.terminate() == .exited(0))
    }
  }
}
