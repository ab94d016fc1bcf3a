public import StateModel

/// An action with a case for bindings: `case binding(BindingAction<State>)`.
public protocol BindableAction {
  /// The state whose fields are set.
  associatedtype State: Sendable

  /// The case for bindings.
  static func binding(_ action: BindingAction<State>) -> Self

  /// The binding, if it is one. Found by reflection unless written by hand.
  var binding: BindingAction<State>? { get }
}

extension BindableAction {
  /// The binding, if it is one.
  ///
  /// By reflection, which costs about a microsecond: where actions come in by the thousand, write
  /// `var binding: BindingAction<State>? { if case .binding(let action) = self { action } else { nil } }`.
  public var binding: BindingAction<State>? {
    guard let child = Mirror(reflecting: self).children.first, child.label == "binding" else {
      return nil
    }
    return child.value as? BindingAction<State>
  }

  /// Sets a field: `.set(\.$text, "")`.
  public static func set<Value: Mirrored>(
    _ keyPath: any WritableKeyPath<State, BindingState<Value>> & Sendable, _ value: Value
  ) -> Self {
    .binding(.set(keyPath, value))
  }
}
