public import Composable
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
    /// The settings.
    public var settings: Settings.ViewState
    /// How many tasks there are.
    public var taskCount: Int
    /// How many of them are done.
    public var doneTaskCount: Int
    /// Asks whether to delete tasks.
    public var taskDialog: ConfirmationDialogState<Tasks.Dialog>?

    /// The view of a state.
    public init(_ state: State) {
      counter = Counter.ViewState(state.counter)
      isCountFavorite = state.favoritePrimes.primes.contains(state.counter.count)
      favoritePrimes = FavoritePrimes.ViewState(state.favoritePrimes)
      user = state.activity.user
      lastActivity = state.activity.entries.last
      documentCount = state.workspace.documents.entries?.count ?? 0
      settings = Settings.ViewState(state.settings)
      taskCount = state.tasks.items.count
      doneTaskCount = state.tasks.doneCount
      taskDialog = state.tasks.dialog
    }
  }
}
