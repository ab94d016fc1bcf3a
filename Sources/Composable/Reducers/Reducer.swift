/// A feature's logic: what an action does to the state, and what is to happen besides.
///
/// Conform by writing either `reduce(into:action:)` or `body`, never both.
public protocol Reducer<State, Action> {
  /// What the feature holds.
  associatedtype State
  /// What can happen to it.
  associatedtype Action: Sendable
  /// The reducers that it is made of; `Never` where `reduce(into:action:)` is written.
  associatedtype Body

  /// Brings `state` to what it is after `action`, and gives what is to happen besides.
  ///
  /// Takes time, randomness and ids from `@Dependency` alone: replaying the same actions must give
  /// the same states.
  func reduce(into state: inout State, action: Action) -> Effect<Action>

  /// The reducers that this one is made of, run top to bottom on the same state.
  @ReducerBuilder<State, Action> var body: Body { get }
}

extension Reducer where Body == Never {
  /// Not there: this reducer is written as `reduce(into:action:)`.
  public var body: Never {
    preconditionFailure(
      """
      '\(Self.self)' has no body: it is written as 'reduce(into:action:)'. \
      Call that, or give it a body.
      """)
  }
}

extension Reducer where Body: Reducer, Body.State == State, Body.Action == Action {
  /// Runs the body.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    body.reduce(into: &state, action: action)
  }
}

/// A reducer of the same state and actions as `R`: `var body: some ReducerOf<Self>`.
public typealias ReducerOf<R: Reducer> = Reducer<R.State, R.Action>

/// The name that `Reducer` had before 1.0 of The Composable Architecture.
public typealias ReducerProtocol = Reducer

/// The name that `ReducerOf` had before 1.0 of The Composable Architecture.
public typealias ReducerProtocolOf<R: Reducer> = Reducer<R.State, R.Action>
