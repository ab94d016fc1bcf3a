public import StateModel

/// The states that can be gone back to, and forward to again.
public struct History<State> {
  /// Earlier states, the latest last.
  public internal(set) var past: [State] = []
  /// States that were undone, the next last.
  public internal(set) var future: [State] = []

  /// Nothing to go back to.
  public init() {}
}

extension History: Sendable where State: Sendable {}
extension History: Equatable where State: Equatable {}

/// The history as it is mirrored.
@Mirrored package struct HistoryWire<State> {
  var past: [State]
  var future: [State]
}

extension History: Mirrored, MirroredByWire where State: Mirrored {
  package var wire: HistoryWire<State> { HistoryWire(past: past, future: future) }
  package init(wire: HistoryWire<State>) {
    past = wire.past
    future = wire.future
  }
}

/// Goes back and forth in the states of a part; made by `Reducer.undoable(_:history:limit:action:)`.
public struct UndoRedo<Base: Reducer, Part>: Reducer {
  let base: Base
  let part: WritableKeyPath<Base.State, Part>
  let history: WritableKeyPath<Base.State, History<Part>>
  let limit: Int
  let isSame: (Part, Part) -> Bool
  let command: (Base.Action) -> UndoCommand?

  /// Goes back or forth, or runs the reducer and remembers what the part was.
  public func reduce(
    into state: inout Base.State, action: Base.Action
  ) -> Effect<Base.Action> {
    let before = state[keyPath: part]
    switch command(action) {
    case .undo:
      guard let earlier = state[keyPath: history].past.popLast() else { return .none }
      state[keyPath: history].future.append(before)
      state[keyPath: part] = earlier
      return .none
    case .redo:
      guard let later = state[keyPath: history].future.popLast() else { return .none }
      state[keyPath: history].past.append(before)
      state[keyPath: part] = later
      return .none
    case nil:
      let effect = base.reduce(into: &state, action: action)
      if isSame(before, state[keyPath: part]) { return effect }
      state[keyPath: history].future = []
      state[keyPath: history].past.append(before)
      let surplus = state[keyPath: history].past.count - limit
      if surplus > 0 { state[keyPath: history].past.removeFirst(surplus) }
      return effect
    }
  }
}

/// What an action means for a history.
public enum UndoCommand: Sendable {
  /// Back by one.
  case undo
  /// Forward again by one.
  case redo
}

extension Reducer {
  /// Makes the changes of a part undoable.
  ///
  /// - Parameters:
  ///   - part: what goes back and forth; it must not hold the history.
  ///   - history: where the earlier states are kept. They share with the present one what is the
  ///     same.
  ///   - limit: the most states that are kept.
  ///   - command: which actions undo and redo.
  public func undoable<Part: Mirrored>(
    _ part: WritableKeyPath<State, Part>, history: WritableKeyPath<State, History<Part>>,
    limit: Int = 100, action command: @escaping (Action) -> UndoCommand?
  ) -> UndoRedo<Self, Part> {
    UndoRedo(
      base: self, part: part, history: history, limit: limit,
      isSame: { $0.isIdentical(to: $1) }, command: command)
  }
}
