import Composable
import Showcase
import StateModel
import Testing

@Suite("Counter")
struct CounterTests {
  /// One action as one commit: what becomes of the state, or why not.
  private func perform(
    _ actions: Counter.Action..., on start: Counter.State = Counter.State()
  ) -> (state: Counter.State, rejection: Rejection?) {
    var core = ReducerCore(Counter())
    var state = start
    for action in actions {
      var working = state
      let cascade = core.perform(action, on: &working)
      #expect(cascade.reports.isEmpty)
      if let rejection = cascade.rejection { return (state, rejection) }
      state = working
    }
    return (state, nil)
  }

  @Test("it counts by the step, and the step is set by a binding")
  func counting() {
    let state = perform(
      .incrementButtonTapped, .binding(.set(\.$step, 10)), .incrementButtonTapped,
      .decrementButtonTapped, .decrementButtonTapped
    ).state
    #expect(state.count == -9)
    #expect(state.step == 10)
  }

  @Test(
    "a step beyond the ends is brought back to the nearest",
    arguments: [(0, 1), (-5, 1), (1, 1), (1_000, 1_000), (1_001, 1_000), (Int.max, 1_000)])
  func clamping(step: Int, clamped: Int) {
    #expect(perform(.binding(.set(\.$step, step))).state.step == clamped)
  }

  @Test("a binding is the field's name and a value on the wire, and only the step can be set")
  func bindings() throws {
    let action = Counter.Action.binding(.set(\.$step, 3))
    #expect(try Value(encoded: action.encoded()) == ["binding": ["step": 3]])
    #expect(try Counter.Action(["binding": ["step": 3]] as Value) == action)
    #expect(throws: DecodingFailure.self) {
      try Counter.Action(["binding": ["count": 3]] as Value)
    }
    #expect(throws: DecodingFailure.self) {
      try Counter.Action(["binding": ["step": "3"]] as Value)
    }
  }

  @Test("at its ends the count stays and the tap is refused")
  func ends() {
    let top = perform(.incrementButtonTapped, on: Counter.State(count: .max))
    #expect(top.state.count == .max)
    #expect(
      top.rejection
        == Rejection("the count is at its end, 9223372036854775807: go the other way"))
    #expect(perform(.decrementButtonTapped, on: Counter.State(count: .min)).rejection != nil)
  }

  @Test("alert and dialog offer to count both ways, and go away")
  func alerts() throws {
    var state = perform(.alertButtonTapped, .confirmationDialogButtonTapped).state
    let alert = try #require(state.alert)
    let dialog = try #require(state.confirmationDialog)
    #expect(alert.buttons.map(\.label) == ["Cancel", "Increment", "Decrement"])
    #expect(dialog.buttons.map(\.label) == alert.buttons.map(\.label))
    #expect(alert.buttons.map(\.role) == [.cancel, nil, nil])
    for buttons in [alert.buttons, dialog.buttons] {
      #expect(
        buttons.map(\.action) == [nil, .incrementButtonTapped, .decrementButtonTapped])
    }
    state = perform(.alertDismissed, .confirmationDialogDismissed, on: state).state
    #expect(state.alert == nil)
    #expect(state.confirmationDialog == nil)
  }

  @Test("a second alert with the same text is another alert")
  func secondAlert() throws {
    let first = perform(.alertButtonTapped).state
    let second = perform(.alertDismissed, .alertButtonTapped, on: first).state
    #expect(first == second)
    #expect(!first.isIdentical(to: second))
  }

  @Test("a question beyond the primes that are looked for is refused")
  func noSuchPrime() {
    for count in [0, -1, Primes.greatestIndex + 1] {
      let (state, rejection) = perform(.nthPrimeButtonTapped, on: Counter.State(count: count))
      #expect(rejection?.code == "invalid")
      #expect(state.question == nil)
    }
    #expect(
      perform(.nthPrimeButtonTapped).rejection?.text
        == "the count is 0: count to 1 to 100000 to ask for that prime")
  }

  @Test("an answer that nobody has asked for changes nothing")
  func forgedAnswer() {
    let forged = Counter.Answer(question: .isPrime(4), result: .verdict(true))
    let start = Counter.State(count: 4)
    #expect(perform(.answered(forged), on: start).state == start)
  }

  @Test("what the view shows is mirrored exactly")
  func view() throws {
    let before = Counter.ViewState(perform(.incrementButtonTapped).state)
    let after = Counter.ViewState(
      perform(.alertButtonTapped, .confirmationDialogButtonTapped, .isPrimeButtonTapped).state)
    var mirror = try Counter.ViewState(encoded: before.encoded())
    try mirror.apply(after.delta(from: before))
    #expect(mirror.isIdentical(to: after))
    #expect(mirror.digest == after.digest)
  }
}

@Suite("Counter: questions are effects")
@MainActor
struct CounterQuestionTests {
  private func store(
    count: Int, primes: PrimeClient? = nil
  ) -> Store<Counter.State, Counter.Action> {
    Store(initialState: Counter.State(count: count)) {
      Counter()
    } withDependencies: {
      if let primes { $0.primes = primes }
    }
  }

  @Test("“is this prime?” is answered", arguments: [(7, true), (9, false), (-7, false)])
  func isPrime(count: Int, verdict: Bool) async {
    let store = store(count: count)
    await store.send(.isPrimeButtonTapped).finish()
    #expect(
      store.state.answer == Counter.Answer(question: .isPrime(count), result: .verdict(verdict)))
    #expect(store.state.question == nil)
  }

  @Test("the nth prime is found")
  func nthPrime() async {
    let store = store(count: 1_000)
    await store.send(.nthPrimeButtonTapped).finish()
    #expect(
      store.state.answer == Counter.Answer(question: .nthPrime(1_000), result: .number(7_919)))
  }

  @Test("a question is pending until it is answered, and can be given up")
  func cancelling() async {
    let never = PrimeClient { _ in
      try await Task.sleep(for: .seconds(3_600))
      return .failed
    }
    let store = store(count: 5, primes: never)
    let asked = store.send(.isPrimeButtonTapped)
    #expect(store.state.question == .isPrime(5))
    store.send(.cancelButtonTapped)
    #expect(store.state.question == nil)
    await asked.finish()
    #expect(store.state.answer == nil)
  }

  @Test("a new question takes the place of the one before")
  func replacing() async {
    let onlyLater = PrimeClient { question in
      if case .isPrime = question { try await Task.sleep(for: .seconds(3_600)) }
      return .number(11)
    }
    let store = store(count: 5, primes: onlyLater)
    let first = store.send(.isPrimeButtonTapped)
    await store.send(.nthPrimeButtonTapped).finish()
    await first.finish()
    #expect(store.state.answer == Counter.Answer(question: .nthPrime(5), result: .number(11)))
  }

  @Test("a failure is an answer, so that nobody waits for ever")
  func failing() async {
    struct Failure: Error {}
    let store = store(count: 5, primes: PrimeClient { _ in throw Failure() })
    await store.send(.isPrimeButtonTapped).finish()
    #expect(store.state.answer == Counter.Answer(question: .isPrime(5), result: .failed))
    #expect(store.state.question == nil)
  }

  @Test("what was being worked on when the process ended is worked on again")
  func restarting() async {
    var left = Counter.State(count: 7)
    left.question = .isPrime(7)
    let store = Store(initialState: left) { Counter() }
    await store.send(.started).finish()
    #expect(store.state.answer == Counter.Answer(question: .isPrime(7), result: .verdict(true)))
  }
}
