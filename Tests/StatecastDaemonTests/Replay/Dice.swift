import Composable
import FoundationEssentials
import StateModel
import StatecastDaemon

/// A game whose state is what was thrown; one way of throwing is not from the dependencies.
struct Dice: Reducer {
  @Mirrored
  struct State {
    var thrown: [Int64] = []
    var about = String(repeating: "dice ", count: 40)
  }

  @Mirrored
  enum Action {
    case start
    case roll
    case stamp
    case rollTwice
    case refuse
    /// From the machine's own source of randomness.
    case cheat
  }

  /// What another version of the app does at a stamp.
  var stampsLater = false
  /// Another version takes what this one refuses.
  var isLenient = false

  @Dependency(\.withRandomNumberGenerator) var withRandomNumberGenerator
  @Dependency(\.date) var date

  func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .start: state.thrown = []
    case .roll:
      state.thrown.append(
        withRandomNumberGenerator { Int64.random(in: 1...1_000_000, using: &$0) })
    case .stamp:
      state.thrown.append(Int64(date.now.timeIntervalSinceReferenceDate) + (stampsLater ? 1 : 0))
    case .rollTwice:
      state.thrown.append(0)
      return .send(.roll)
    case .refuse:
      state.thrown.append(-1)
      if !isLenient { return .reject("never") }
    case .cheat: state.thrown.append(Int64.random(in: 1 ... .max))
    }
    return .none
  }
}

/// The daemon of that game.
struct DiceDaemon: DaemonApp {
  var name: String { "dice" }
  var reducer: Dice { Dice() }
  var initialState: Dice.State { Dice.State() }
  var views: [ViewDefinition<Dice.State>] { [] }
  var started: Dice.Action? { .start }
}

/// Another version of it.
struct LaterDiceDaemon: DaemonApp {
  var name: String { "dice" }
  var reducer: Dice { Dice(stampsLater: true) }
  var initialState: Dice.State { Dice.State() }
  var views: [ViewDefinition<Dice.State>] { [] }
  var started: Dice.Action? { .start }
}

/// One that takes what was refused.
struct LenientDiceDaemon: DaemonApp {
  var name: String { "dice" }
  var reducer: Dice { Dice(isLenient: true) }
  var initialState: Dice.State { Dice.State() }
  var views: [ViewDefinition<Dice.State>] { [] }
  var started: Dice.Action? { .start }
}

/// One that begins elsewhere.
struct FullDiceDaemon: DaemonApp {
  var name: String { "dice" }
  var reducer: Dice { Dice() }
  var initialState: Dice.State { Dice.State(about: "dice, in this version") }
  var views: [ViewDefinition<Dice.State>] { [] }
  var started: Dice.Action? { .start }
}
