import Composable
import Showcase
import StatecastTesting
import Testing

/// The counter action by action.
@Suite("Counter: what its test store asserts", .timeLimit(.minutes(5)))
@MainActor
struct CounterStoreTests {
  private let clock = TestClock()

  /// A counter whose questions take a second and are answered by `answer`.
  private func makeStore(
    count: Int = 0, answer: @escaping @Sendable (Counter.Question) throws -> Counter.Result
  ) -> TestStoreOf<Counter> {
    TestStore(initialState: Counter.State(count: count)) {
      Counter()
    } withDependencies: {
      $0.primes = PrimeClient { [clock] question in
        try await clock.sleep(for: .seconds(1))
        return try answer(question)
      }
    }
  }

  private func makeStore(count: Int = 0) -> TestStoreOf<Counter> {
    makeStore(count: count) { _ in .verdict(true) }
  }

  @Test("taps count by the step, which a binding sets and the reducer keeps in its bounds")
  func counting() async {
    let store = makeStore()
    await store.send(.incrementButtonTapped) { $0.count = 1 }
    await store.send(.set(\.$step, 10)) { $0.step = 10 }
    await store.send(.incrementButtonTapped) { $0.count = 11 }
    await store.send(.set(\.$step, 0)) { $0.step = 1 }
    await store.send(.decrementButtonTapped) { $0.count = 10 }
    await store.send(.set(\.$step, 5_000)) { $0.step = 1_000 }
  }

  @Test("a question is answered by an effect")
  func question() async {
    let store = makeStore(count: 7)
    await store.send(.isPrimeButtonTapped) { $0.question = .isPrime(7) }
    await clock.advance(by: .seconds(1))
    let answer = Counter.Answer(question: .isPrime(7), result: .verdict(true))
    await store.receive(.answered(answer)) {
      $0.question = nil
      $0.answer = answer
    }
  }

  @Test("a new question takes the place of the one before; giving up ends it")
  func replacing() async {
    let store = makeStore(count: 7)
    await store.send(.isPrimeButtonTapped) { $0.question = .isPrime(7) }
    await store.send(.nthPrimeButtonTapped) { $0.question = .nthPrime(7) }
    await store.send(.cancelButtonTapped) { $0.question = nil }
    await clock.run()
    await store.finish()
  }

  @Test("a failure is an answer too")
  func failing() async {
    struct Failure: Error {}
    let store = makeStore(count: 4) { _ in throw Failure() }
    await store.send(.isPrimeButtonTapped) { $0.question = .isPrime(4) }
    await clock.run()
    let answer = Counter.Answer(question: .isPrime(4), result: .failed)
    await store.receive(.answered(answer)) {
      $0.question = nil
      $0.answer = answer
    }
  }

  @Test("alert and dialog come, count, and go")
  func alerts() async {
    let store = makeStore()
    await store.send(.alertButtonTapped) {
      $0.alert = AlertState(
        title: "Count?", message: "Everybody sees this alert, and the first answer counts.",
        buttons: [
          .cancel("Cancel"), .default("Increment", action: .send(.incrementButtonTapped)),
          .default("Decrement", action: .send(.decrementButtonTapped)),
        ])
    }
    await store.send(.alertDismissed) { $0.alert = nil }
    store.exhaustivity = .off
    await store.send(.confirmationDialogButtonTapped)
    #expect(store.state.confirmationDialog != nil)
    store.exhaustivity = .on
    await store.send(.confirmationDialogDismissed) { $0.confirmationDialog = nil }
  }

  @Test("at its ends it refuses to go on")
  func ends() async {
    let store = makeStore(count: .max)
    await store.send(
      .incrementButtonTapped,
      rejectedWith: Rejection("the count is at its end, 9223372036854775807: go the other way"))
  }
}
