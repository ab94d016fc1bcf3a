/// A reducer that does nothing: a placeholder in previews and tests, and the end of a recursion.
public struct EmptyReducer<State, Action: Sendable>: Reducer {
  /// A reducer that does nothing.
  public init() {}

  /// Leaves the state alone.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> { .none }
}
