/// A view on a part of a parent's state that may go away: keeps the last that is known for late
/// reads, and ignores what is sent to a part that is gone.
final class PresentBackend<ParentState, ParentAction: Sendable, State, Action: Sendable>:
  ScopedBackend<ParentState, ParentAction, State, Action>
{
  private let toPart: (ParentState) -> State?
  private let last: LastKnown<State>

  /// A view on a part; nil when it is not there.
  init?(
    parent: StoreBackend<ParentState, ParentAction>, toPart: @escaping (ParentState) -> State?,
    toParentAction: @escaping (Action) -> ParentAction
  ) {
    guard let part = toPart(parent.state) else { return nil }
    let last = LastKnown(part)
    self.toPart = toPart
    self.last = last
    super.init(
      parent: parent,
      toChild: { parentState in
        if let part = toPart(parentState) { last.value = part }
        return last.value
      },
      toParentAction: toParentAction)
  }

  override func project(_ parentState: ParentState) -> State? {
    toPart(parentState) == nil ? nil : super.project(parentState)
  }

  override func send(_ action: Action) -> StoreTask {
    toPart(parent.state) == nil ? StoreTask(nil) : super.send(action)
  }
}

private final class LastKnown<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}
