/// A reducer from a closure, or one whose type is forgotten (`erased()`).
///
/// It has one initializer: beside a second one, for reducers, the compiler would take every mistake in a
/// closure for a closure that is no reducer, and say so of the first line.
public struct Reduce<State, Action: Sendable>: Reducer {
  private let run: (inout State, Action) -> Effect<Action>

  /// A reducer that runs `reduce`.
  public init(_ reduce: @escaping (_ state: inout State, _ action: Action) -> Effect<Action>) {
    run = reduce
  }

  /// Runs the closure.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    run(&state, action)
  }
}

extension Reducer {
  /// The same reducer, its type forgotten.
  public func erased() -> Reduce<State, Action> {
    Reduce { reduce(into: &$0, action: $1) }
  }
}
