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
      // Right after its end, by whoever had the last reference.
      while FileManager.default.fileExists(atPath: path) { await Task.yield() }
    }

    @Test("A program that there is not is named, with what to do")
    func missing() async throws {
      let failure = await #expect(throws: ChildProcess.MissingProgram.self) {
        try await DaemonProcess.start("nobodys-daemon")
      }
      let path = Products.path("nobodys-daemon")
      #expect(
        failure?.description == """
          there is no program \(path). Name its executable target among the dependencies of the test \
          target, and start it by that name.
          """)
    }

    @Test("A daemon that ends instead of answering is told of, with its log")
    func ended() async throws {
      let failure = await #expect(throws: (any Error).self) {
        try await DaemonProcess.start("statecastd", arguments: ["--log-level", "nope"])
      }
      #expect(
        failure.map { "\($0)" } == """
          the daemon ended: exited(2). Its log:
          --log-level: "nope" is none of debug, info, warning, error

          """)
    }
  }
}
