import Foundation
import StatecastTesting
import Testing

extension Spawned {
  @Suite("Processes of tests")
  struct ChildProcessTests {
    @Test("A daemon that its test did not end is gone with the test, its folder too")
    func lastReference() async throws {
      let (endings, ending) = AsyncStream<ChildProcess.Ending>.makeStream()
      let path = try await {
        let daemon = try await DaemonProcess.start("statecastd", isDurable: false)
        daemon.process.whenEnded { ending.yield($0) }
        return URL(filePath: daemon.process.outputPath).deletingLastPathComponent().path
      }()
      var first = endings.makeAsyncIterator()
      #expect(await first.next() == .signalled(SIGKILL))
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }
}
