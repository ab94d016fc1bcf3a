import Composable
import Showcase
import StateModel
import StatecastDaemon

/// The daemon that people run as it is: the ready-made app, one view a feature.
struct ShowcaseDaemon: DaemonApp {
  var name: String { "statecast" }
  var reducer: ShowcaseApp { ShowcaseApp() }
  var initialState: ShowcaseApp.State { ShowcaseApp.State() }
  var started: ShowcaseApp.Action? { .started }

  func presenceChanged(_ change: PresenceChange) -> ShowcaseApp.Action? {
    .presence(.changed(change))
  }

  func handlesChanged(_ change: HandleChange) -> ShowcaseApp.Action? {
    .refresh(.changed(change))
  }

  /// What the daemon tells itself is nobody else's to say.
  func authorize(_ action: ShowcaseApp.Action, origin: UInt64?) -> Bool {
    switch action {
    case .started, .counter(.started), .counter(.answered): false
    default: true
    }
  }

  var alertPlaces: [AlertPlace<ShowcaseApp.State, ShowcaseApp.Action>] {
    ShowcaseApp.alertPlaces
  }

  var views: [ViewDefinition<ShowcaseApp.State>] {
    [
      ViewDefinition("app", ShowcaseApp.ViewState.init),
      ViewDefinition("counter", reads: \.counter, Counter.ViewState.init),
      ViewDefinition("primes", reads: \.favoritePrimes, FavoritePrimes.ViewState.init),
      ViewDefinition("activity", reads: \.activity) { $0 },
      ViewDefinition("presence", reads: \.presence) { $0 },
      ViewDefinition("refresh", reads: \.refresh) { $0 },
      ViewDefinition("workspace", parameters: Workspace.Path.self, reads: \.workspace) {
        $0.part(at: $1.pointer)
      },
      ViewDefinition("settings", reads: \.settings, Settings.ViewState.init),
      ViewDefinition(
        "tasks", parameters: Tasks.Filter?.self, reads: \.tasks, remembering: { $0?.shown },
        { Tasks.ViewState($0, &$1) }),
    ]
  }
}

await ShowcaseDaemon.main()
