import Composable
import StateModel
import StatecastDaemon

struct Counter: Reducer {
  @Mirrored struct State {
    var count = 0
  }
  @Mirrored enum Action {
    case increment
    case decrement
  }
  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .increment: state.count += 1
    case .decrement: state.count -= 1
    }
    return .none
  }
}

struct Daemon: DaemonApp {
  var reducer: Counter { Counter() }
  var initialState: Counter.State { Counter.State() }
  var views: [ViewDefinition<Counter.State>] { [ViewDefinition("counter") { $0 }] }
}

await Daemon.main()
