/// Runs a reducer after an action that changed a value; made by `Reducer.onChange(of:_:)`.
public struct OnChange<
  Base: Reducer, Value: Equatable, Reaction: Reducer<Base.State, Base.Action>
>: Reducer {
  let base: Base
  let toValue: (Base.State) -> Value
  let reaction: (_ old: Value, _ new: Value) -> Reaction

  /// Runs the reducer, and if the value has changed the reaction.
  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    let old = toValue(state)
    let effect = base.reduce(into: &state, action: action)
    let new = toValue(state)
    if old == new { return effect }
    return effect.merge(with: reaction(old, new).reduce(into: &state, action: action))
  }
}

extension Reducer {
  /// Runs another reducer after each action of this one that changed a value.
  ///
  /// - Parameters:
  ///   - toValue: the value, compared by `==`.
  ///   - reaction: given the old and the new value, the reducer to run.
  public func onChange<Value: Equatable, Reaction: Reducer<State, Action>>(
    of toValue: @escaping (State) -> Value,
    @ReducerBuilder<State, Action> _ reaction: @escaping (_ old: Value, _ new: Value) -> Reaction
  ) -> OnChange<Self, Value, Reaction> {
    OnChange(base: self, toValue: toValue, reaction: reaction)
  }
}
