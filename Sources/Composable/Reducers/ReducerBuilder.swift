/// Combines reducers that are written below one another, with `if`, `switch`, `for` and optionals.
@resultBuilder
public enum ReducerBuilder<State, Action: Sendable> {
  /// A single reducer.
  public static func buildExpression<R: Reducer<State, Action>>(_ reducer: R) -> R { reducer }

  /// A reducer that is only known to be one.
  @_disfavoredOverload
  public static func buildExpression(
    _ reducer: any Reducer<State, Action>
  ) -> Reduce<State, Action> {
    reducer.erased()
  }

  /// Nothing at all.
  public static func buildBlock() -> EmptyReducer<State, Action> { EmptyReducer() }

  /// The first line.
  public static func buildPartialBlock<R: Reducer<State, Action>>(first: R) -> R { first }

  /// Every further line.
  public static func buildPartialBlock<First: Reducer<State, Action>, Next: Reducer<State, Action>>(
    accumulated: First, next: Next
  ) -> ReducerSequence<First, Next> {
    ReducerSequence(first: accumulated, next: next)
  }

  /// An `if` without `else`, and optionals.
  public static func buildOptional<R: Reducer<State, Action>>(
    _ reducer: R?
  ) -> OptionalReducer<R> {
    OptionalReducer(wrapped: reducer)
  }

  /// An optional reducer as a line of its own.
  @_disfavoredOverload
  public static func buildExpression<R: Reducer<State, Action>>(
    _ reducer: R?
  ) -> OptionalReducer<R> {
    OptionalReducer(wrapped: reducer)
  }

  /// The first branch of an `if` or `switch`.
  public static func buildEither<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    first: First
  ) -> EitherReducer<First, Second> {
    .first(first)
  }

  /// The other branches of an `if` or `switch`.
  public static func buildEither<First: Reducer<State, Action>, Second: Reducer<State, Action>>(
    second: Second
  ) -> EitherReducer<First, Second> {
    .second(second)
  }

  /// A `for` loop.
  public static func buildArray<R: Reducer<State, Action>>(_ reducers: [R]) -> ReducerList<R> {
    ReducerList(reducers: reducers)
  }

  /// A branch with an availability check.
  public static func buildLimitedAvailability<R: Reducer<State, Action>>(
    _ reducer: R
  ) -> Reduce<State, Action> {
    reducer.erased()
  }
}

/// Two reducers, one after the other on the same state; what the builder makes of two lines.
public struct ReducerSequence<First: Reducer, Next: Reducer<First.State, First.Action>>: Reducer {
  let first: First
  let next: Next

  /// Runs both and merges their effects.
  public func reduce(
    into state: inout First.State, action: First.Action
  ) -> Effect<First.Action> {
    let effect = first.reduce(into: &state, action: action)
    return effect.merge(with: next.reduce(into: &state, action: action))
  }
}

/// A reducer that may be absent; what the builder makes of an `if`.
public struct OptionalReducer<Wrapped: Reducer>: Reducer {
  let wrapped: Wrapped?

  /// Runs the reducer if it is there.
  public func reduce(
    into state: inout Wrapped.State, action: Wrapped.Action
  ) -> Effect<Wrapped.Action> {
    wrapped?.reduce(into: &state, action: action) ?? .none
  }
}

/// One of two reducers; what the builder makes of an `if … else` and of a `switch`.
public enum EitherReducer<First: Reducer, Second: Reducer<First.State, First.Action>>: Reducer {
  /// The first branch was taken.
  case first(First)
  /// The second branch was taken.
  case second(Second)

  /// Runs the branch that was taken.
  public func reduce(
    into state: inout First.State, action: First.Action
  ) -> Effect<First.Action> {
    switch self {
    case .first(let reducer): reducer.reduce(into: &state, action: action)
    case .second(let reducer): reducer.reduce(into: &state, action: action)
    }
  }
}

/// Reducers of one type, one after the other; what the builder makes of a `for` loop.
public struct ReducerList<Element: Reducer>: Reducer {
  let reducers: [Element]

  /// Runs all and merges their effects.
  public func reduce(
    into state: inout Element.State, action: Element.Action
  ) -> Effect<Element.Action> {
    var effect = Effect<Element.Action>.none
    for reducer in reducers {
      effect = effect.merge(with: reducer.reduce(into: &state, action: action))
    }
    return effect
  }
}
