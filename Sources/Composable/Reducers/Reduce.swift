/// A reducer from a closure, or one whose type is forgotten.
public struct Reduce<State, Action: Sendable>: Reducer {
  private let run: (inout State, Action) -> Effect<Action>

  /// A reducer that runs `reduce`.
  public init(_ reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    run = reduce
  }

  /// A reducer that runs `reducer`.
  public init(_ reducer: some Reducer<State, Action>) {
    run = { reducer.reduce(into: &$0, action: $1) }
  }

  /// Runs the closure.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    run(&state, action)
  }
}
