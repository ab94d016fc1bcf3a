/// Puts a line on record for each action; made by `Reducer.logging(_:to:)`.
public struct Logging<Base: Reducer>: Reducer {
  let base: Base
  let line: (_ action: Base.Action, _ old: Base.State, _ new: Base.State) -> String?
  let log: @Sendable (String) -> Void

  /// Runs the reducer; the line is written by an effect, so a daemon logs only what is durable.
  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    let old = state
    let effect = base.reduce(into: &state, action: action)
    guard let line = line(action, old, state) else { return effect }
    return effect.merge(with: .fireAndForget { [log] in log(line) })
  }
}

extension Reducer {
  /// Logs a line for each action of this reducer.
  ///
  /// - Parameters:
  ///   - line: makes the line from the action, the state before and the state after; nil logs
  ///     nothing. Leave out of it what must not be on record.
  ///   - log: takes the line, once the commit stands.
  public func logging(
    _ line: @escaping (_ action: Action, _ old: State, _ new: State) -> String?,
    to log: @escaping @Sendable (String) -> Void
  ) -> Logging<Self> {
    Logging(base: self, line: line, log: log)
  }
}
