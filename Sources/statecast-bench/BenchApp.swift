import Composable
import StateModel
import StatecastDaemon

/// What the floor does, as an app: a counter and a thousand slots; an action bumps both.
struct Bench: Reducer {
  @Mirrored struct State {
    var counter = 0
    var slots = SortedDictionary<Int, Int>()
  }

  @Mirrored enum Action {
    /// 52 bytes ride along, so that an action is as large as the floor's.
    case bump(slot: Int, payload: String)
  }

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .bump(let slot, _):
      state.counter += 1
      state.slots[slot] = (state.slots[slot] ?? 0) + 1
      return .none
    }
  }
}

/// The daemon of the benchmark.
struct BenchDaemon: DaemonApp {
  var name: String { "bench" }
  var reducer: Bench { Bench() }
  var initialState: Bench.State { Bench.State() }
  var views: [ViewDefinition<Bench.State>] { [ViewDefinition("bench") { $0 }] }
}
