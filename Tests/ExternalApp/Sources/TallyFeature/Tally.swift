import Composable
import StateModel

/// A count that several processes share, and who counted last.
package struct Tally: Reducer {
  @Mirrored package struct State {
    package var count = 0
    package var lastBy: String?

    package init() {}
  }

  @Mirrored package enum Action {
    case add(Int, by: String)
    case reset
  }

  package init() {}

  package func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .add(let number, let name):
      guard number > 0 else { return .reject("a tally only grows, not by \(number)") }
      state.count += number
      state.lastBy = name
    case .reset: state = State()
    }
    return .none
  }
}
