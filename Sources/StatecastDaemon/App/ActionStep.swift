public import Composable
public import StateModel

/// What came out of an action. Of no app's type: what is returned for each action is laid out at
/// compile time.
@usableFromInline enum ActionStepResult {
  /// That was all; the state is the new one.
  case done(changed: Bool, delta: Delta)
  /// There is more, in an `ActionStep.Further`: the state is still the old one.
  case more(AnyObject)
  /// This origin may not send it.
  case forbidden
  /// The bytes are no action.
  case unreadable(DecodingFailure)
}

/// One action by itself: decoded, handled by the reducer, compared with the state before.
///
/// `DaemonApp` gives one that is compiled where the app is, and so calls the reducer and the
/// state's members directly. Written in the daemon's engine, the same would be generic code, which
/// asks the runtime about the app's types at every step of the hot path.
public struct ActionStep<Root: Reducer>
where Root.State: Mirrored, Root.Action: Mirrored {
  /// The reducer wants something besides: what it made of the state, and what it wants.
  @usableFromInline final class Further {
    @usableFromInline let state: Root.State
    @usableFromInline let effect: Effect<Root.Action>
    @usableFromInline init(_ state: Root.State, _ effect: Effect<Root.Action>) {
      self.state = state
      self.effect = effect
    }
  }

  @usableFromInline
  let run:
    (
      _ reducer: Root, _ state: inout Root.State, _ action: [UInt8], _ wantsDelta: Bool,
      _ authorize: (Root.Action) -> Bool
    ) -> ActionStepResult

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
      guard effect.isNothing else { return .more(Further(next, effect)) }
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
