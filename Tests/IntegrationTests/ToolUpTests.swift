import Foundation
import StatecastTesting
import Testing

extension Spawned {
  @Suite("statecast up")
  struct ToolUpTests {
    let folder: ScratchFolder
    let environment: [String: String]

    init() throws {
      folder = try ScratchFolder()
      environment = ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "XDG_STATE_HOME": ""]
    }

    /// The processes whose command line has `text` in it.
    private static func processes(with text: String) throws -> [Int32] {
      try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
        .filter { pid in
          let line = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(pid)/cmdline"))
          return line.map { String(decoding: $0, as: UTF8.self).contains(text) } ?? false
        }
    }

    private func expectSession(_ process: ChildProcess) async throws {
      #expect(await process.waitUntilEnded() == .exited(0), "\(process.errors)")
      let lines = process.output.split(separator: "\n")
      try #require(lines.count == 7, "\(process.output)")
      #expect(lines[0].hasPrefix("set counter.step 5  ->  commit "))
      let digests = Set(lines[4...].compactMap { $0.split(separator: " ").last })
      #expect(digests.count == 1)
      #expect(digests.first?.count == 16)
      #expect(digests.first?.allSatisfy(\.isHexDigit) == true)
      for (index, line) in lines[4...].enumerated() {
        #expect(line.hasPrefix("mirror \(index + 1) (pid "))
        #expect(line.contains("\"count\":5,"))
      }
      let demonstration = "/tmp/statecast-demo-\(process.pid)"
      #expect(!FileManager.default.fileExists(atPath: demonstration))
      #expect(try Self.processes(with: demonstration).isEmpty)
    }

    @Test("Without a terminal it plays a session: three mirrors agree, and nothing stays behind")
    func session() async throws {
      let up = try ChildProcess(
        Workshop.tool, ["up"], name: "up", in: folder, environment: environment)
      try await expectSession(up)
    }

    @Test(
      "A session that is told to end leaves no daemon behind",
      arguments: [SIGTERM, SIGINT, SIGHUP])
    func ended(signal: Int32) async throws {
      let up = try ChildProcess(
        Workshop.tool, ["up"], name: "up", in: folder, environment: environment)
      let demonstration = "/tmp/statecast-demo-\(up.pid)"
      while up.ending == nil, !up.errors.contains(demonstration) { await Task.yield() }
      up.signal(signal)
      let ending = await up.waitUntilEnded()
      // Who is quick is done before.
      #expect(ending == .signalled(signal) || ending == .exited(0), "\(up.errors)")
      #expect(!FileManager.default.fileExists(atPath: demonstration))
      #expect(try Self.processes(with: demonstration).isEmpty)
    }

    @Test("In a terminal a daemon that ends at once is told of, with what it said")
    func endsAtOnce() async throws {
      let terminal = try Conversation(
        Workshop.tool, ["up", "counter", "--mode", "ram"], at: .terminal, name: "up", in: folder,
        environment: environment)
      #expect(await terminal.process.waitUntilEnded() == .exited(3), "\(terminal.transcript)")
      try await terminal.wait(for: "ram")
      try await terminal.wait(for: "Error: statecastd was started and has ended at once\r\n")
      try await terminal.wait(for: "Try: Mend what it says above; its log is \(folder.path)/")
      #expect(!terminal.transcript.contains("statecastd is started"))
    }

    @Test("In a terminal up starts a daemon with a journal where it is told, and attaches")
    func startsDaemon() async throws {
      let state = folder.file("journal")
      let words = ["--folder", folder.file("own"), "--state-directory", state]
      let terminal = try Conversation(
        Workshop.tool, ["up", "counter"] + words, at: .terminal, name: "up", in: folder,
        environment: environment)
      try await terminal.wait(for: "statecastd is started; its log is \(state)/statecastd.log.")
      try await terminal.wait(for: "counter at ")
      terminal.type("\u{4}")
      #expect(await terminal.process.waitUntilEnded() == .exited(0), "\(terminal.transcript)")
      #expect(FileManager.default.fileExists(atPath: state + "/journal.db"))
      let stop = try await Workshop.finish(
        Workshop.tool, ["stop", "--folder", folder.file("own")], in: folder,
        environment: environment)
      #expect(stop.ending == .exited(0), "\(stop.errors)")
      let log = try String(contentsOfFile: state + "/statecastd.log", encoding: .utf8)
      #expect(log.components(separatedBy: "commit ").count == 2, "\(log)")
    }

    @Test("Five that come up at once start one daemon, and all are attached to it")
    func together() async throws {
      let words = [
        "up", "counter", "--folder", folder.file("own"), "--state-directory",
        folder.file("journal"),
      ]
      let terminals = try (0..<5).map {
        try Conversation(
          Workshop.tool, words, at: .terminal, name: "up-\($0)", in: folder,
          environment: environment)
      }
      for terminal in terminals { try await terminal.wait(for: "counter at ") }
      func daemons() throws -> Int {
        try Self.processes(with: "statecastd\0--folder\0\(folder.file("own"))\0").count
      }
      // Those that found another there are about to end, and only they.
      while try daemons() > 1 { await Task.yield() }
      #expect(try daemons() == 1)
      for terminal in terminals {
        terminal.type("\u{4}")
        #expect(await terminal.process.waitUntilEnded() == .exited(0), "\(terminal.transcript)")
      }
      let stop = try await Workshop.finish(
        Workshop.tool, ["stop", "--folder", folder.file("own")], in: folder,
        environment: environment)
      #expect(stop.ending == .exited(0), "\(stop.errors)")
    }

    @Test("The session leaves the user's own daemon alone")
    func sessionBesideDaemon() async throws {
      let daemon = try ChildProcess(
        Workshop.daemon, [], name: "daemon", in: folder, environment: environment)
      let own = try await Workshop.finish(
        Workshop.tool, ["get", "counter", "--timeout", Workshop.patience], in: folder,
        environment: environment)
      let up = try ChildProcess(
        Workshop.tool, ["up"], name: "up", in: folder, environment: environment)
      try await expectSession(up)
      let after = try await Workshop.finish(
        Workshop.tool, ["get", "counter"], in: folder, environment: environment)
      #expect(after.output == own.output)
      #expect(after.output.contains("\"count\":0,"))
      #expect(await daemon.terminate() == .exited(0))
    }
  }
}
