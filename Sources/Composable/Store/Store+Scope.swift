extension Store {
  /// A store of a part: no second copy of the state, and sends go straight to the root.
  public func scope<ChildState, ChildAction: Sendable>(
    state toChildState: @escaping (State) -> ChildState,
    action toAction: @escaping (ChildAction) -> Action
  ) -> Store<ChildState, ChildAction> {
    Store<ChildState, ChildAction>(
      backend: ScopedBackend(
        parent: backend, toChild: toChildState, toParentAction: toAction))
  }

  /// A store of a part with the same actions.
  public func scope<ChildState>(
    state toChildState: @escaping (State) -> ChildState
  ) -> Store<ChildState, Action> {
    scope(state: toChildState, action: { $0 })
  }

  /// A store of a part; its action's case by name.
  public func scope<ChildState, ChildAction: Sendable>(
    state toChildState: KeyPath<State, ChildState>, action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> where Action: CasePathable {
    scope(
      state: { $0[keyPath: toChildState] }, action: Action.allCasePaths[keyPath: action].embed)
  }

  /// A store of a part that may be absent; nil when it is. Once the part is gone, the store keeps
  /// the last that is known and ignores what is sent to it.
  public func scope<ChildState, ChildAction: Sendable>(
    ifLet toChildState: @escaping (State) -> ChildState?,
    action toAction: @escaping (ChildAction) -> Action
  ) -> Store<ChildState, ChildAction>? {
    PresentBackend(
      parent: backend, toPart: toChildState, toParentAction: toAction
    ).map(Store<ChildState, ChildAction>.init)
  }

  /// A store of a part that may be absent; its action's case by name.
  public func scope<ChildState, ChildAction: Sendable>(
    state toChildState: KeyPath<State, ChildState?>, action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction>? where Action: CasePathable {
    scope(
      ifLet: { $0[keyPath: toChildState] }, action: Action.allCasePaths[keyPath: action].embed)
  }

  /// A store of one element of a collection; nil when it is not there. Once the element is gone,
  /// the store keeps the last that is known and ignores what is sent to it.
  public func scope<Elements: IdentifiedElements, ChildAction: Sendable>(
    id: Elements.ID, state toElements: @escaping (State) -> Elements,
    action toAction: @escaping (Elements.ID, ChildAction) -> Action
  ) -> Store<Elements.Element, ChildAction>? {
    scope(ifLet: { toElements($0)[id: id] }, action: { toAction(id, $0) })
  }

  /// A store of one element of a collection; its action's case by name.
  public func scope<Elements: IdentifiedElements, ChildAction: Sendable>(
    id: Elements.ID, state toElements: KeyPath<State, Elements>,
    action: CaseKeyPath<Action, IdentifiedAction<Elements.ID, ChildAction>>
  ) -> Store<Elements.Element, ChildAction>? where Action: CasePathable {
    let embed = Action.allCasePaths[keyPath: action].embed
    return scope(
      id: id, state: { $0[keyPath: toElements] },
      action: { embed(.element(id: $0, action: $1)) })
  }
}
