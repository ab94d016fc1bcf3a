import Composable
import FoundationEssentials
import Seeds
import StatecastTesting
import Testing

@Suite("Fourth seed: store, reducers, primes and feed", .timeLimit(.minutes(5)))
@MainActor
struct PrimeAppSeedTests {
  private let date = Date(timeIntervalSinceReferenceDate: 86_400)

  private func makeStore() -> TestStore<PrimeState, PrimeAction> {
    TestStore(initialState: PrimeState()) {
      primeReducer
    } withDependencies: {
      $0.date = .constant(date)
    }
  }

  @Test("Rules 1 and 7: functions are reducers, and run on the part of the state that is theirs")
  func counting() async {
    let store = makeStore()
    await store.send(.counter(.incrementTapped)) { $0.count = 1 }
    await store.send(.counter(.incrementTapped)) { $0.count = 2 }
    await store.send(.counter(.decrementTapped)) { $0.count = 1 }
  }

  @Test("Rule 9: the feed notes what became of the favourites, with the date of the commit")
  func feed() async {
    let store = makeStore()
    await store.send(.counter(.incrementTapped)) { $0.count = 1 }
    await store.send(.counter(.incrementTapped)) { $0.count = 2 }
    await store.send(.primeModal(.saveFavoritePrimeTapped)) {
      $0.favoritePrimes = [2]
      $0.activityFeed = [.init(timestamp: date, type: .addedFavoritePrime(2))]
    }
    await store.send(.primeModal(.removeFavoritePrimeTapped)) {
      $0.favoritePrimes = []
      $0.activityFeed.append(.init(timestamp: date, type: .removedFavoritePrime(2)))
    }
  }

  @Test("Rule 9: of several that are deleted at once none shifts another")
  func deleting() {
    var state = PrimeState()
    state.favoritePrimes = [2, 3, 5, 7]
    let store = Store(initialState: state) { primeReducer }
    let view = FavoritePrimesView(store: store)
    view.delete(at: [0, 1, 3])
    #expect(view.rows == ["5"])
    #expect(
      store.state.activityFeed.map(\.type) == [
        .removedFavoritePrime(2), .removedFavoritePrime(3), .removedFavoritePrime(7),
      ])
  }

  @Test("Rule 4: a view of the counter shows it and counts")
  func view() {
    let store = Store(initialState: PrimeState(), reducer: primeReducer)
    let view = CounterView(store: store)
    view.plus()
    view.plus()
    view.minus()
    #expect(view.label == "1")
  }
}
