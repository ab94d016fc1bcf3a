import Composable
import StatecastTesting
import TallyFeature
import Testing

@MainActor
struct TallyTests {
  @Test func tallyGrows() async {
    let store = TestStore(initialState: Tally.State()) { Tally() }
    await store.send(.add(2, by: "Ann")) {
      $0.count = 2
      $0.lastBy = "Ann"
    }
    await store.send(
      .add(-1, by: "Bob"), rejectedWith: Rejection("a tally only grows, not by -1"))
  }

  @Test func daemonCounts() async throws {
    let daemon = try await DaemonProcess.start("tally")
    let store = try await daemon.testStore(
      "tally", of: Tally.State.self, action: Tally.Action.self)
    await store.send(.add(2, by: "Ann")) {
      $0.count = 2
      $0.lastBy = "Ann"
    }
    let again = try await daemon.restart()
    await store.send(.add(3, by: "Ann")) { $0.count = 5 }
    #expect(await again.stop() == .exited(0), "\(again.log)")
  }
}
