/// Several reducers as one, so that an operator applies to all of them together.
public struct CombineReducers<State, Action: Sendable, Combined: Reducer<State, Action>>: Reducer {
  private let combined: Combined

  /// The reducers of `build` as one.
  public init(@ReducerBuilder<State, Action> _ build: () -> Combined) {
    combined = build()
  }

  /// Runs all, top to bottom.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    combined.reduce(into: &state, action: action)
  }
}
