import Composable
import Seeds
import StateModel
import Testing

@Suite("States that are large in ways that cost stack", .timeLimit(.minutes(5)))
@MainActor
struct ExtremesTests {
  private func makeStore() -> StoreOf<Extremes> {
    Store(initialState: Extremes.State()) { Extremes() }
  }

  @Test("Rule 2: a hundred thousand chained sends are one commit of a store")
  func chained() {
    let store = makeStore()
    let seen = Collected<Int>()
    let observation = store.observe { seen.add($0.count) }
    store.send(.count(100_000))
    #expect(seen.values == [100_000])
    observation.cancel()
  }

  @Test(
    "Rule 2: a state nested 200 levels deep is handled, encoded, told apart and brought up to date")
  func deep() throws {
    let store = makeStore()
    let before = store.state
    store.send(.deepen(200))
    #expect(store.state.chain.depth == 200)
    #expect(try Extremes.State(encoded: store.state.encoded()) == store.state)
    var mirror = before
    try mirror.apply(store.state.delta(from: before))
    #expect(mirror.isIdentical(to: store.state))
    #expect(mirror.digest == store.state.digest)
  }

  @Test("Rule 2: a state of 64 KiB in place is handled, encoded and brought up to date")
  func wide() throws {
    #expect(MemoryLayout<Extremes.State.Wide>.size == 64 << 10)
    let store = makeStore()
    let before = store.state
    for number in 1...10 { store.send(.fill(number)) }
    #expect(store.state.wide.p.p.p.right == 10)
    var mirror = try Extremes.State(encoded: before.encoded())
    try mirror.apply(store.state.delta(from: before))
    #expect(mirror.isIdentical(to: store.state))
  }
}
