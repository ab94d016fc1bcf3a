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
