import StatecastTesting
import Testing

extension Spawned {
  @Suite("Torture")
  struct TortureTests {
    @Test(
      "kill -9 of daemon and clients under load, on bad links, 20 times: everything exactly once")
    func torture() async throws {
      var reports: [String] = []
      try await Torture.run(Workshop.daemon, TortureOptions(rounds: 20)) { reports.append($0) }
      #expect(reports.last == "20 rounds passed, 0 failed")
      #expect(reports.count == 3)
    }
  }
}
