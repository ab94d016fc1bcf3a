internal import StateModel

/// A store whose reducer runs elsewhere: what a binding has set is shown by bindings before the
/// reducer has answered, and by nothing else.
///
/// The pending values belong to the store, by the field that the sent action sets, so that all
/// bindings to one field show the same, however they were made.
package protocol OptimisticStore<State, Action>: StoreProtocol {
  /// Whether anything is pending; nothing else is asked when not.
  var hasPending: Bool { get }

  /// What is pending for the field that an action sets; nil for none, and for other actions.
  func pending(for action: Action) -> PendingValue?

  /// Sends an action that a binding made of a value. Where it sets a field, the value is pending
  /// until the mirror shows what the reducer made of it.
  ///
  /// - Parameters:
  ///   - value: as the binding took it.
  ///   - comparison: what the field must still be.
  func set(_ action: Action, to value: Any, comparing comparison: Comparison)

  /// Calls `observer` whenever what is pending has changed.
  func observePending(_ observer: @escaping () -> Void) -> Observation
}

/// What a field must still be for a set to be done.
package enum Comparison {
  /// It may be anything.
  case none
  /// What the binding's user saw: the pending value, or the mirror's.
  case shown([UInt8])
}

/// A value that was set and is not shown by the mirror yet.
package struct PendingValue {
  /// The action that sets it, encoded.
  package var action: [UInt8]
  /// The value itself, encoded.
  package var encoded: [UInt8]
  /// The value as the binding took it.
  package var value: Any

  package init(action: [UInt8], encoded: [UInt8], value: Any) {
    self.action = action
    self.encoded = encoded
    self.value = value
  }
}

/// A view store's way to its store's pending values, by its own actions.
struct PendingAccess<ViewAction> {
  let set: (ViewAction, Any, Comparison) -> Void
  let observe: (@escaping () -> Void) -> Observation
  private let hasAny: () -> Bool
  private let find: (ViewAction) -> PendingValue?
  private let encode: (ViewAction) -> [UInt8]?

  init<State, Action>(
    _ store: any OptimisticStore<State, Action>, send: @escaping (ViewAction) -> Action
  ) {
    set = { store.set(send($0), to: $1, comparing: $2) }
    observe = { store.observePending($0) }
    hasAny = { store.hasPending }
    find = { store.pending(for: send($0)) }
    encode = { (send($0) as? any Mirrored)?.encoded() }
  }

  private init(
    set: @escaping (ViewAction, Any, Comparison) -> Void,
    observe: @escaping (@escaping () -> Void) -> Observation, hasAny: @escaping () -> Bool,
    find: @escaping (ViewAction) -> PendingValue?, encode: @escaping (ViewAction) -> [UInt8]?
  ) {
    self.set = set
    self.observe = observe
    self.hasAny = hasAny
    self.find = find
    self.encode = encode
  }

  /// The same way by the actions of a part, or of a view.
  func pullback<Part>(_ toAction: @escaping (Part) -> ViewAction) -> PendingAccess<Part> {
    PendingAccess<Part>(
      set: { [set] in set(toAction($0), $1, $2) }, observe: observe, hasAny: hasAny,
      find: { [find] in find(toAction($0)) }, encode: { [encode] in encode(toAction($0)) })
  }

  /// What is pending for the field that `field` sets, as a value of the binding's type; nil when
  /// nothing is, or when it was set in a form that this binding does not show.
  func value<Value>(over shown: Value, _ field: (Value) -> ViewAction) -> Value? {
    guard hasAny(), let pending = find(field(shown)) else { return nil }
    // Another binding to the field may show it in another form: only a value that would be sent as
    // the same action is the one that is pending.
    if let value = pending.value as? Value, encode(field(value)) == pending.action { return value }
    let decoded = try? (Value.self as? any Mirrored.Type)?.init(encoded: pending.encoded)
    guard let value = decoded as? Value, encode(field(value)) == pending.action else { return nil }
    return value
  }
}
