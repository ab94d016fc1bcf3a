public import Composable
public import StateModel

/// The question beside the counter: is the count a favourite, and shall it be one?
///
/// Its state is made of two features' states, and owns nothing: the count is the counter's, the
/// primes are the favourites'.
public struct PrimeModal: Reducer {
  /// The parts of the app's state that it looks at.
  public struct State: Equatable, Sendable {
    /// The counter's count.
    public var count: Int
    /// The favourites.
    public var favorites: FavoritePrimes.State

    /// The state from its parts.
    public init(count: Int, favorites: FavoritePrimes.State) {
      self.count = count
      self.favorites = favorites
    }
  }

  /// What can be tapped.
  @Mirrored public enum Action {
    /// Makes the count a favourite.
    case saveFavoritePrimeTapped
    /// Makes the count no favourite any more.
    case removeFavoritePrimeTapped
  }

  /// A reducer of the question.
  public init() {}

  /// Changes the favourites.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .saveFavoritePrimeTapped:
      do { try state.favorites.save(state.count) } catch { return .reject(error) }
    case .removeFavoritePrimeTapped: state.favorites.remove([state.count])
    }
    return .none
  }
}
