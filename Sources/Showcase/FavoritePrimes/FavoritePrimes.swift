public import Composable
public import StateModel

/// The primes that people like.
///
/// They are named by value, never by position: of two clients that remove "the third one" at the
/// same time, one would remove another's favourite.
public struct FavoritePrimes: Reducer {
  /// The most favourites: more is no list of favourites, and would make every view large.
  public static let most = 1_000

  /// The favourites.
  @Mirrored public struct State {
    /// In the order in which they were saved, none twice.
    public var primes: [Int] = []

    /// No favourites, or those given.
    public init(primes: [Int] = []) { self.primes = primes }
  }

  /// What can be done to them.
  @Mirrored public enum Action {
    /// Adds a prime. One that is a favourite already stays where it is.
    case save(Int)
    /// Removes primes, whichever of them are favourites.
    case remove([Int])
  }

  /// A reducer of favourites.
  public init() {}

  /// Saves or removes.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .save(let number):
      do { try state.save(number) } catch { return .reject(error) }
    case .remove(let numbers): state.remove(numbers)
    }
    return .none
  }
}

extension FavoritePrimes.State {
  /// Adds a prime, unless it is there already.
  mutating func save(_ number: Int) throws(Rejection) {
    guard Primes.isPrime(number) else {
      throw Rejection(
        code: "invalid", "\(number) is no prime: only primes can be favourites")
    }
    guard !primes.contains(number) else { return }
    guard primes.count < FavoritePrimes.most else {
      throw Rejection("there are \(FavoritePrimes.most) favourites already: remove one first")
    }
    primes.append(number)
  }

  /// Removes whichever of the numbers are there.
  mutating func remove(_ numbers: [Int]) {
    let gone = Set(numbers)
    primes.removeAll { gone.contains($0) }
  }
}

extension FavoritePrimes {
  /// What the view `primes` shows.
  @Mirrored public struct ViewState {
    /// In the order in which they were saved.
    public var primes: [Int]

    /// The view of a state.
    public init(_ state: State) { primes = state.primes }
  }
}
