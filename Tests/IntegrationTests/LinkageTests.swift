import StatecastTesting
import Testing

@Suite("What a program links that uses StatecastTesting", .timeLimit(.minutes(5)))
struct LinkageTests {
  @Test("Rule 23: no test framework")
  func noFramework() async throws {
    let folder = try ScratchFolder()
    let run = try await Workshop.finish(
      "/usr/bin/ldd", [Products.path("statecast-bench")], in: folder)
    #expect(run.ending == .exited(0), "\(run.errors)")
    #expect(run.output.contains("libzmq"), "it is looked into")
    #expect(!run.output.contains("libTesting"))
    #expect(!run.output.contains("libXCTest"))
  }
}
