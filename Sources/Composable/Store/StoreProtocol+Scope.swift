/// A view on a store of any kind, so that one whose reducer runs elsewhere has parts, too.
private final class ForeignBackend<Parent: StoreProtocol>:
  StoreBackend<Parent.State, Parent.Action>
{
  private let parent: Parent

  init(_ parent: Parent) { self.parent = parent }

  override var state: Parent.State { parent.state }

  override func send(_ action: Parent.Action) -> StoreTask { parent.send(action) }

  override func observe(_ observer: @escaping (Parent.State) -> Void) -> Observation {
    parent.observe(observer)
  }

  override var pending: PendingAccess<Parent.Action>? {
    (parent as? any OptimisticStore<Parent.State, Parent.Action>).map {
      PendingAccess($0, send: { $0 })
    }
  }
}

/// What `Store` has, for every store: a part of a `RemoteStore` is a `Store` that sends to the daemon
/// and shows the mirror.
extension StoreProtocol {
  private var whole: Store<State, Action> {
    self as? Store<State, Action> ?? Store(backend: ForeignBackend(self))
  }

  /// A store of a part: no second copy of the state, and sends go straight to this store.
  public func scope<ChildState, ChildAction: Sendable>(
    state toChildState: @escaping (State) -> ChildState,
    action toAction: @escaping (ChildAction) -> Action
  ) -> Store<ChildState, ChildAction> { whole.scope(state: toChildState, action: toAction) }

  /// A store of a part with the same actions.
  public func scope<ChildState>(
    state toChildState: @escaping (State) -> ChildState
  ) -> Store<ChildState, Action> { whole.scope(state: toChildState) }

  /// A store of a part; its action's case by name.
  public func scope<ChildState, ChildAction: Sendable>(
    state toChildState: KeyPath<State, ChildState>, action: CaseKeyPath<Action, ChildAction>
  ) -> Store<ChildState, ChildAction> where Action: CasePathable {
    whole.scope(state: toChildState, action: action)
  }

  /// A store of a part that may be absent; nil when it is. Once the part is gone, the store keeps
  /// the last that is known and ignores what is sent to it.
  public func scope<ChildState, ChildAction: Sendable>(
    ifLet toChildState: @escaping (State) -> ChildState?,
    action toAction: @escaping (ChildAction) -> Action
  ) -> Store<ChildState, ChildAction>? { whole.scope(ifLet: toChildState, action: toAction) }

  /// A store of one element of a collection; nil when it is not there. Once the element is gone,
  /// the store keeps the last that is known and ignores what is sent to it.
  public func scope<Elements: IdentifiedElements, ChildAction: Sendable>(
    id: Elements.ID, state toElements: @escaping (State) -> Elements,
    action toAction: @escaping (Elements.ID, ChildAction) -> Action
  ) -> Store<Elements.Element, ChildAction>? {
    whole.scope(id: id, state: toElements, action: toAction)
  }
}
