public import Composable
public import StateModel

/// The ready-made app that `statecastd` hosts: its features side by side in one state, with the
/// activity feed around them all.
public struct ShowcaseApp: Reducer {
  /// The features' states.
  @Mirrored public struct State {
    /// A number and questions about it.
    public var counter = Counter.State()
    /// The primes that people like.
    public var favoritePrimes = FavoritePrimes.State()
    /// Who is logged in, and what happened.
    public var activity = Activity.State()
    /// Schema-less documents.
    public var workspace = Workspace.State()
    /// What somebody wants it to be like.
    public var settings = Settings.State()
    /// What is to be done.
    public var tasks = Tasks.State()
    /// Who is attached.
    public var presence = Presence.State()
    /// What clients offer.
    public var refresh = Refresh.State()

    /// Where the app begins.
    public init() {}

    /// The counter's count and the favourites, as the question beside the counter sees them.
    var primeModal: PrimeModal.State {
      get { PrimeModal.State(count: counter.count, favorites: favoritePrimes) }
      set {
        counter.count = newValue.count
        favoritePrimes = newValue.favorites
      }
    }
  }

  /// The features' actions.
  @Mirrored public enum Action {
    /// The daemon has started: what was running is started again.
    case started
    /// The counter's.
    case counter(Counter.Action)
    /// The question's beside the counter.
    case primeModal(PrimeModal.Action)
    /// The favourites'.
    case favoritePrimes(FavoritePrimes.Action)
    /// The user's.
    case activity(Activity.Action)
    /// The documents'.
    case workspace(Workspace.Action)
    /// The settings'.
    case settings(Settings.Action)
    /// The tasks'.
    case tasks(Tasks.Action)
    /// Who comes and goes.
    case presence(Presence.Action)
    /// Handles, and asking for them.
    case refresh(Refresh.Action)
  }

  /// The app's reducer.
  public init() {}

  /// Runs the feature that the action is for, and writes down what became of it.
  public var body: some ReducerOf<Self> {
    CombineReducers {
      Scope(state: \.counter, action: Action.toCounter) { Counter() }
      Scope(state: \.primeModal, action: Action.toPrimeModal) { PrimeModal() }
      Scope(state: \.favoritePrimes, action: Action.toFavoritePrimes) { FavoritePrimes() }
      Scope(state: \.activity, action: Action.toActivity) { Activity() }
      Scope(state: \.workspace, action: Action.toWorkspace) { Workspace() }
      Scope(state: \.settings, action: Action.toSettings) { Settings() }
      Scope(state: \.tasks, action: Action.toTasks) { Tasks() }
      Scope(state: \.presence, action: Action.toPresence) { Presence() }
      Scope(state: \.refresh, action: Action.toRefresh) { Refresh() }
      Reduce { _, action in
        if case .started = action { .send(.counter(.started)) } else { .none }
      }
    }
    .activityFeed(primes: \.favoritePrimes, activity: \.activity)
  }
}

extension ShowcaseApp {
  /// Where the features' questions stand, so that any client can answer them.
  public static var alertPlaces: [AlertPlace<State, Action>] {
    Counter.alertPlaces.map { $0.pullback(state: { $0.counter }, action: Action.counter) }
      + Tasks.alertPlaces.map { $0.pullback(state: { $0.tasks }, action: Action.tasks) }
  }
}

extension ShowcaseApp.Action {
  static let toCounter = CasePath(Self.counter) {
    if case .counter(let action) = $0 { action } else { nil }
  }
  static let toPrimeModal = CasePath(Self.primeModal) {
    if case .primeModal(let action) = $0 { action } else { nil }
  }
  static let toFavoritePrimes = CasePath(Self.favoritePrimes) {
    if case .favoritePrimes(let action) = $0 { action } else { nil }
  }
  static let toActivity = CasePath(Self.activity) {
    if case .activity(let action) = $0 { action } else { nil }
  }
  static let toPresence = CasePath(Self.presence) {
    if case .presence(let action) = $0 { action } else { nil }
  }
  static let toRefresh = CasePath(Self.refresh) {
    if case .refresh(let action) = $0 { action } else { nil }
  }
  static let toWorkspace = CasePath(Self.workspace) {
    if case .workspace(let action) = $0 { action } else { nil }
  }
  static let toSettings = CasePath(Self.settings) {
    if case .settings(let action) = $0 { action } else { nil }
  }
  static let toTasks = CasePath(Self.tasks) {
    if case .tasks(let action) = $0 { action } else { nil }
  }
}
