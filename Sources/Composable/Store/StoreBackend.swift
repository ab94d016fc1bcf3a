/// What stands behind a `Store`: the reducer's own, or a view on a parent's.
///
/// A class to be inherited from, since the parent of a scoped store has another type.
class StoreBackend<State, Action: Sendable> {
  /// The present value.
  var state: State { preconditionFailure("'\(Self.self)' does not give its state.") }

  /// Handles an action.
  func send(_ action: Action) -> StoreTask {
    preconditionFailure("'\(Self.self)' does not take actions.")
  }

  /// The way to what bindings have set and the state does not show yet; nil where the reducer runs
  /// here, and it is shown at once.
  var pending: PendingAccess<Action>? { nil }

  /// Adds an observer.
  func observe(_ observer: @escaping (State) -> Void) -> Observation {
    preconditionFailure("'\(Self.self)' is not observed.")
  }
}
