/// A view on a part of a parent's state: sends go straight to the parent, and observers share one
/// projection a commit.
class ScopedBackend<ParentState, ParentAction: Sendable, State, Action: Sendable>:
  StoreBackend<State, Action>
{
  let parent: StoreBackend<ParentState, ParentAction>
  private let toChild: (ParentState) -> State
  private let toParentAction: (Action) -> ParentAction
  private let observers = ObserverList<State>()
  private var observation: Observation?

  init(
    parent: StoreBackend<ParentState, ParentAction>, toChild: @escaping (ParentState) -> State,
    toParentAction: @escaping (Action) -> ParentAction
  ) {
    self.parent = parent
    self.toChild = toChild
    self.toParentAction = toParentAction
  }

  /// The part in a state of the parent's; nil when it is not there.
  func project(_ parentState: ParentState) -> State? { toChild(parentState) }

  override var state: State { toChild(parent.state) }

  override func send(_ action: Action) -> StoreTask { parent.send(toParentAction(action)) }

  override var pending: PendingAccess<Action>? { parent.pending?.pullback(toParentAction) }

  override func observe(_ observer: @escaping (State) -> Void) -> Observation {
    if observation == nil {
      observation = parent.observe { [weak self] parentState in
        guard let self, !observers.isEmpty, let child = project(parentState) else { return }
        observers.notify(child)
      }
    }
    return observers.add(owner: self, observer)
  }
}
