import Composable
import Seeds
import StateModel
import StatecastClient
import StatecastTesting
import Testing

extension Spawned {
  @Suite("States that are large in ways that cost stack, between processes")
  @MainActor
  struct ExtremesTests {
    @Test("Rule 2: the daemon's reducer has room for long cascades and for deep and wide states")
    func room() async throws {
      let daemon = try await DaemonProcess.start("SeedsDaemon", environment: ["SEED": "extremes"])
      let store = try await daemon.testStore(
        "seed", of: Extremes.State.self, action: Extremes.Action.self)
      await store.send(.count(100_000)) { $0.count = 100_000 }
      await store.send(.deepen(200)) { for _ in 1...200 { $0.chain = .link($0.chain) } }
      await store.send(.fill(7)) {
        $0.wide.a.a.a.left = 7
        $0.wide.p.p.p.right = 7
      }
      // And when it recovers.
      let again = try await daemon.restart()
      await store.send(.fill(8)) {
        $0.wide.a.a.a.left = 8
        $0.wide.p.p.p.right = 8
      }
      #expect(store.state.chain.depth == 200)
      #expect(await again.stop() == .exited(0), "\(again.log)")
    }
  }
}
