public import Composable
public import StateModel

/// One action by itself: decoded, handled by the reducer, compared with the state before.
///
/// `DaemonApp` gives one that is compiled where the app is, and so calls the reducer and the
/// state's members directly. Written in the daemon's engine, the same would be generic code, which
/// asks the runtime about the app's types at every step of the hot path.
public struct ActionStep<Root: Reducer>
where Root.State: Mirrored, Root.Action: Mirrored {
  /// What came out of it.
  @usableFromInline enum Result {
    /// That was all; the state is the new one.
    case done(changed: Bool, delta: Delta)
    /// The reducer wants something besides: the state is still the old one.
    case more(Root.State, Effect<Root.Action>)
    /// This origin may not send it.
    case forbidden
    /// The bytes are no action.
    case unreadable(DecodingFailure)
  }

  @usableFromInline
  let run:
    (
      _ reducer: Root, _ state: inout Root.State, _ action: [UInt8], _ wantsDelta: Bool,
      _ authorize: (Root.Action) -> Bool
    ) -> Result

  /// The step of this reducer.
  @inlinable public init(of reducer: Root.Type = Root.self) {
    run = { (reducer, state, bytes, wantsDelta, authorize) in
      let action: Root.Action
      do throws(DecodingFailure) {
        action = try Root.Action(encoded: bytes)
      } catch {
        return .unreadable(error)
      }
      guard authorize(action) else { return .forbidden }
      var next = state
      let effect = reducer.reduce(into: &next, action: action)
      guard effect.isNothing else { return .more(next, effect) }
      let changed: Bool
      var delta = Delta.empty
      if wantsDelta {
        delta = next.delta(from: state)
        changed = !delta.isEmpty
      } else {
        changed = !next.isIdentical(to: state)
      }
      state = next
      return .done(changed: changed, delta: delta)
    }
  }
}
