import Composable
import StateModel
import StatecastTesting
import Testing

@Suite("Rule 12: throttling and the test clock", .timeLimit(.minutes(5)))
@MainActor
struct TimingTests {
  struct Dial: Reducer {
    @Mirrored struct State {
      var shown: [Int] = []
    }

    @Mirrored enum Action {
      case turned(Int)
      case show(Int)
    }

    var isLatest = true
    @Dependency(\.continuousClock) var clock

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .turned(let value):
        return .run { send in await send(.show(value)) }
          .throttle(id: "dial", for: .seconds(1), clock: clock, latest: isLatest)
      case .show(let value):
        state.shown.append(value)
        return .none
      }
    }
  }

  private let clock = TestClock()

  @Test(
    "Rule 12: the first goes through at once, then at the window's end the latest or first of those held",
    arguments: [(true, 4), (false, 2)])
  func throttle(isLatest: Bool, held: Int) async {
    let store = TestStore(initialState: Dial.State()) {
      Dial(isLatest: isLatest)
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.turned(1))
    await store.receive(.show(1)) { $0.shown = [1] }
    for value in 2...4 { await store.send(.turned(value)) }
    await clock.advance(by: .milliseconds(999))
    await clock.advance(by: .milliseconds(1))
    await store.receive(.show(held)) { $0.shown = [1, held] }
    // Letting it through has started a window of its own.
    await store.send(.turned(5))
    await clock.advance(by: .milliseconds(999))
    await clock.advance(by: .milliseconds(1))
    await store.receive(.show(5)) { $0.shown = [1, held, 5] }
    await clock.run()
  }

  struct Metronome: Reducer {
    @Mirrored struct State {
      var beats = 0
      var isOn = false
    }
    @CasePathable @Mirrored enum Action {
      case tapped
      case beat
    }
    enum CancelID { case timer }
    @Dependency(\.continuousClock) var clock

    func reduce(into state: inout State, action: Action) -> Effect<Action> {
      switch action {
      case .beat:
        state.beats += 1
        return .none
      case .tapped:
        state.isOn.toggle()
        guard state.isOn else { return .cancel(id: CancelID.timer) }
        return .run { [clock] send in
          for await _ in clock.timer(interval: .seconds(1)) { await send(.beat) }
        }
        .cancellable(id: CancelID.timer)
      }
    }
  }

  @Test("A timer beats at every interval without drift, and ends when its effect is cancelled")
  func timer() async {
    let store = TestStore(initialState: Metronome.State()) {
      Metronome()
    } withDependencies: {
      $0.continuousClock = clock
    }
    await store.send(.tapped) { $0.isOn = true }
    await clock.advance(by: .milliseconds(999))
    await clock.advance(by: .milliseconds(1))
    await store.receive(\.beat) { $0.beats = 1 }
    await clock.advance(by: .seconds(2))
    await store.receive(\.beat) { $0.beats = 2 }
    await store.receive(\.beat) { $0.beats = 3 }
    await store.send(.tapped) { $0.isOn = false }
    await clock.advance(by: .seconds(5))
    await store.finish()
  }

  @Test("Rule 23: who sleeps on a test clock is woken at his moment, in order")
  func order() async {
    let (moments, moment) = AsyncStream<String>.makeStream()
    for (name, seconds) in [("b", 2), ("a", 1), ("c", 2)] {
      Task { [clock] in
        try await clock.sleep(for: .seconds(seconds))
        moment.yield("\(name) \(clock.now.offset)")
      }
    }
    await clock.waitForSleepers(3)
    await clock.advance(by: .seconds(1))
    var iterator = moments.makeAsyncIterator()
    #expect(await iterator.next() == "a 1.0 seconds")
    #expect(clock.sleeperCount == 2)
    await clock.advance(by: .milliseconds(999))
    #expect(clock.sleeperCount == 2)
    #expect(clock.now == TestClock.Instant(offset: .milliseconds(1_999)))
    await clock.run()
    #expect(clock.sleeperCount == 0)
    #expect(clock.now == TestClock.Instant(offset: .seconds(2)))
  }

  @Test("Rule 23: a sleep that is cancelled ends, and is not woken")
  func cancelled() async {
    let sleeping = Task { [clock] in try await clock.sleep(for: .seconds(1)) }
    await clock.waitForSleepers()
    sleeping.cancel()
    await #expect(throws: CancellationError.self) { try await sleeping.value }
    #expect(clock.sleeperCount == 0)
  }
}
