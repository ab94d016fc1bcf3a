import Composable
import Showcase
import StateModel
import StatecastDaemon

struct Interim: Reducer {
  @Mirrored struct State {
    var workspace = Workspace.State()
  }
  @Mirrored enum Action {
    case workspace(Workspace.Action)
  }
  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .workspace(let action):
      return Workspace().reduce(into: &state.workspace, action: action).map(Action.workspace)
    }
  }
}

struct Daemon: DaemonApp {
  var reducer: Interim { Interim() }
  var initialState: Interim.State { Interim.State() }
  var views: [ViewDefinition<Interim.State>] {
    [
      ViewDefinition("workspace", parameters: Workspace.Path.self, reads: { $0.workspace }) {
        (state, path: Workspace.Path) -> Value in state.part(at: path.pointer)
      }
    ]
  }
}

Daemon.main()
