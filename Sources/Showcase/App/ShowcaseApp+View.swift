public import StateModel

extension ShowcaseApp {
  /// What the view `app` shows: everything that is small.
  @Mirrored public struct ViewState {
    /// The counter.
    public var counter: Counter.ViewState
    /// Whether the count is a favourite.
    public var isCountFavorite: Bool
    /// The favourites.
    public var favoritePrimes: FavoritePrimes.ViewState
    /// Who is logged in.
    public var user: Activity.User?
    /// What happened last.
    public var lastActivity: Activity.Entry?
    /// How many documents the workspace has.
    public var documentCount: Int

    /// The view of a state.
    public init(_ state: State) {
      counter = Counter.ViewState(state.counter)
      isCountFavorite = state.favoritePrimes.primes.contains(state.counter.count)
      favoritePrimes = FavoritePrimes.ViewState(state.favoritePrimes)
      user = state.activity.user
      lastActivity = state.activity.entries.last
      documentCount = state.workspace.documents.entries?.count ?? 0
    }
  }
}
