import Composable
import StateModel
import StatecastDaemon

/// The bench app beside a state as large as asked for: a bump also changes one of many items.
struct Load: Reducer {
  @Mirrored struct State {
    var bench = Bench.State()
    var items = IdentifiedArray<Item>()
  }

  @Mirrored struct Item: Identifiable {
    var id = 0
    var title = ""
    var priority = 0
  }

  /// One of several small views that every action changes.
  @Mirrored struct Part {
    var number = 0
    var counter = 0
  }

  typealias Action = Bench.Action

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    state.bump(action)
    return .none
  }
}

extension Load.State {
  /// A state whose encoding has about so many megabytes.
  static func ofSize(_ megabytes: Double) -> Load.State {
    var state = Load.State()
    let size = Double(Load.Item(number: 0).encoded().count)
    let count = Int(megabytes * 1e6 / size)
    state.items = IdentifiedArray((0..<count).lazy.map { Load.Item(number: $0) })
    return state
  }

  mutating func bump(_ action: Bench.Action) {
    _ = Bench().reduce(into: &bench, action: action)
    if items.isEmpty { return }
    // A prime's multiples: one after the other they are far apart.
    items[id: bench.counter * 7919 % items.count]?.priority = bench.counter
  }

  /// What so many actions make of it, each applied once.
  func after(_ count: Int) -> Load.State {
    var state = self
    for number in 0..<count { state.bump(.number(number)) }
    return state
  }
}

extension Load.Item {
  init(number: Int) {
    id = number
    title =
      "What is to be done, number \(number): "
      + "the quick brown fox jumps over the lazy dog, the lazy dog looks after it and sleeps on, "
      + "and whoever reads this far has to be told what comes next."
  }
}

/// The daemon of the cases with large states and many views.
struct LoadDaemon: DaemonApp {
  let megabytes: Double

  init() { self.init(megabytes: 0) }
  init(megabytes: Double) { self.megabytes = megabytes }

  var name: String { "load" }
  var reducer: Load { Load() }
  var initialState: Load.State { .ofSize(megabytes) }
  var views: [ViewDefinition<Load.State>] {
    [
      ViewDefinition("bench", reads: { $0.bench }, { $0 }),
      ViewDefinition("whole") { $0 },
      ViewDefinition(
        "part", parameters: Int.self, reads: { $0.bench.counter },
        { Load.Part(number: $1, counter: $0) }),
    ]
  }
}
