import Composable
import StateModel
import StatecastDaemon

/// What the floor does, as an app: a counter and a thousand slots; an action bumps both.
struct Bench: Reducer {
  static let slotCount = 1000

  /// All are there from the start, as the floor's are.
  static let untouched: SortedDictionary<Int, Int> = {
    var slots = SortedDictionary<Int, Int>()
    for slot in 0..<slotCount { slots[slot] = 0 }
    return slots
  }()

  @Mirrored struct State {
    var counter = 0
    var slots = Bench.untouched
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

extension Bench.Action {
  /// The action of that number, from 0 on: each has the next slot.
  static func number(_ number: Int) -> Bench.Action {
    .bump(slot: number % Bench.slotCount, payload: "0123456789012345678901234567890123456789")
  }
}

extension Bench.State {
  /// What so many actions make of a new one, each applied once.
  static func after(_ count: Int) -> Bench.State {
    var state = Bench.State()
    state.counter = count
    for slot in 0..<min(Bench.slotCount, count) {
      state.slots[slot] = (count - slot + Bench.slotCount - 1) / Bench.slotCount
    }
    return state
  }
}

/// The daemon of the benchmark.
struct BenchDaemon: DaemonApp {
  var name: String { "bench" }
  var reducer: Bench { Bench() }
  var initialState: Bench.State { Bench.State() }
  var views: [ViewDefinition<Bench.State>] { [ViewDefinition("bench") { $0 }] }
}
