/// Tells how long each action took; made by `Reducer.measured(by:)`.
public struct Measured<Base: Reducer>: Reducer {
  let base: Base
  let tell: (_ action: Base.Action, _ duration: Duration) -> Void

  /// Runs the reducer and tells the time it took.
  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    let clock = ContinuousClock()
    let start = clock.now
    let effect = base.reduce(into: &state, action: action)
    tell(action, start.duration(to: clock.now))
    return effect
  }
}

extension Reducer {
  /// Calls `tell` with every action of this reducer and the time it took: for metrics. What is
  /// told must not go into the state: replaying takes another time.
  public func measured(
    by tell: @escaping (_ action: Action, _ duration: Duration) -> Void
  ) -> Measured<Self> {
    Measured(base: self, tell: tell)
  }
}
