internal import StateModel

/// Applies bindings, and does nothing else: reducers after it see the new value, reducers before it
/// the old one.
public struct BindingReducer<State: Sendable, Action: Sendable>: Reducer {
  private let toBinding: (Action) -> BindingAction<State>?

  /// A reducer for the bindings among the actions.
  public init() where Action: BindableAction, Action.State == State { toBinding = \.binding }

  /// A reducer for the bindings of one case that carries a view's actions.
  public init<ViewAction: BindableAction>(
    action toViewAction: @escaping (Action) -> ViewAction?
  ) where ViewAction.State == State {
    toBinding = { toViewAction($0)?.binding }
  }

  /// Applies the action if it is a binding.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    guard let binding = toBinding(action) else { return .none }
    binding.use?.isApplied()
    if let expectations = DependencyValues.current.scratch?.noteBinding(), !expectations.isEmpty,
      let field = state[keyPath: binding.keyPath] as? any Mirrored,
      let unmet = FieldExpectation.firstUnmet(expectations, in: field)
    {
      return .reject(
        code: "conflict", "the value is not the expected one any more", path: unmet.path)
    }
    binding.apply(&state)
    return .none
  }
}
