// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Composable
public import FoundationEssentials
public import StateModel

/// The fourth seed: a counter, a prime modal, favourite primes and a feed of what happened, as
/// functions that are made into reducers and put together.
@Mirrored public struct PrimeState {
  public var count = 0
  public var favoritePrimes: [Int] = []
  public var loggedInUser: User?
  public var activityFeed: [Activity] = []

  public init() {}

  @Mirrored public struct Activity {
    public var timestamp: Date
    public var type: Kind

    @Mirrored public enum Kind {
      case addedFavoritePrime(Int)
      case removedFavoritePrime(Int)
    }

    public init(timestamp: Date, type: Kind) {
      self.timestamp = timestamp
      self.type = type
    }
  }

  @Mirrored public struct User {
    public var id: Int
    public var name: String
    public var bio: String
  }
}

@Mirrored public enum CounterAction {
  case decrementTapped
  case incrementTapped
}

@Mirrored public enum PrimeModalAction {
  case saveFavoritePrimeTapped
  case removeFavoritePrimeTapped
}

@Mirrored public enum FavoritePrimesAction {
  /// The article's indices, named by what they stand for: see `primeReducer`.
  case deleteFavoritePrimes([Int])
}

@Mirrored public enum PrimeAction {
  case counter(CounterAction)
  case primeModal(PrimeModalAction)
  case favoritePrimes(FavoritePrimesAction)
}

/// The parts as plain functions on the part of the state that is theirs.
public func counterReducer(state: inout Int, action: CounterAction) -> EffectTask<CounterAction> {
  switch action {
  case .decrementTapped: state -= 1
  case .incrementTapped: state += 1
  }
  return .none
}

public func primeModalReducer(
  state: inout PrimeState, action: PrimeModalAction
) -> EffectTask<PrimeModalAction> {
  switch action {
  case .saveFavoritePrimeTapped: state.favoritePrimes.append(state.count)
  case .removeFavoritePrimeTapped: state.favoritePrimes.removeAll { $0 == state.count }
  }
  return .none
}

/// Removing by index one after the other would shift the rest: the article's loop takes others away
/// than were chosen, or runs over the end. By value it cannot.
public func favoritePrimesReducer(
  state: inout [Int], action: FavoritePrimesAction
) -> EffectTask<FavoritePrimesAction> {
  switch action {
  case .deleteFavoritePrimes(let primes): state.removeAll { primes.contains($0) }
  }
  return .none
}

/// All of them as one reducer, with the feed around it.
public var primeReducer: some Reducer<PrimeState, PrimeAction> {
  CombineReducers {
    Scope(state: \PrimeState.count, action: /PrimeAction.counter) { Reduce(counterReducer) }
    Scope(state: \PrimeState.self, action: /PrimeAction.primeModal) { Reduce(primeModalReducer) }
    Scope(state: \PrimeState.favoritePrimes, action: /PrimeAction.favoritePrimes) {
      Reduce(favoritePrimesReducer)
    }
  }
  .activityFeed(\.activityFeed, limit: 100) { _, old, new in
    @Dependency(\.date) var date
    var entries: [PrimeState.Activity] = []
    for prime in new.favoritePrimes where !old.favoritePrimes.contains(prime) {
      entries.append(.init(timestamp: date(), type: .addedFavoritePrime(prime)))
    }
    for prime in old.favoritePrimes where !new.favoritePrimes.contains(prime) {
      entries.append(.init(timestamp: date(), type: .removedFavoritePrime(prime)))
    }
    return entries
  }
}

/// What shows the counter, with a store of its own part.
public struct CounterView<TheStore: StoreProtocol<PrimeState, PrimeAction>> {
  public let store: TheStore
  public let viewStore: ViewStore<Int, CounterAction>

  public init(store: TheStore) {
    self.store = store
    viewStore = ViewStore(store, observe: { $0.count }, send: PrimeAction.counter)
  }

  public var label: String { "\(viewStore.state)" }
  public func plus() { viewStore.send(.incrementTapped) }
  public func minus() { viewStore.send(.decrementTapped) }
}

/// What shows the favourites: marks some, and takes them away.
public struct FavoritePrimesView<TheStore: StoreProtocol<PrimeState, PrimeAction>> {
  public let viewStore: ViewStore<[Int], FavoritePrimesAction>

  public init(store: TheStore) {
    viewStore = ViewStore(
      store, observe: { $0.favoritePrimes }, send: PrimeAction.favoritePrimes)
  }

  public var rows: [String] { viewStore.state.map { "\($0)" } }

  /// The rows' indices, as a list gives them.
  public func delete(at indices: [Int]) {
    viewStore.send(.deleteFavoritePrimes(indices.map { viewStore.state[$0] }))
  }
}
