public import Composable
public import StateModel

/// A list of what is to be done, edited by any number of people at once.
///
/// Tasks are named by number, never by position, so that nobody removes another one than meant.
/// Deleting asks first, and any client may answer.
public struct Tasks: Reducer {
  /// The most tasks.
  public static let most = 1_000_000

  /// The list.
  @Mirrored public struct State {
    /// The tasks in the order in which they are shown.
    public var items = IdentifiedArray<TaskItem.State>()
    /// How many of them are done; counted along, since counting a million takes its time.
    public var doneCount = 0
    /// The number of the next task; none is given twice.
    public var nextNumber = 1
    /// Asks whether to delete.
    @PresentationState public var dialog: ConfirmationDialogState<Dialog>?

    /// An empty list.
    public init() {}
  }

  /// What can be done with the list.
  @Mirrored public enum Action {
    /// Puts a new task behind the last one.
    case add(title: String)
    /// What is done with one task.
    case task(id: Int, action: TaskItem.Action)
    /// Moves a task to a position; beyond the end is the end.
    case move(id: Int, to: Int)
    /// Asks whether to delete a task.
    case deleteButtonTapped(id: Int)
    /// Asks whether to delete all tasks that are done.
    case deleteDoneButtonTapped
    /// The answer.
    case dialog(PresentationAction<Dialog>)
  }

  /// What can be answered.
  @Mirrored public enum Dialog {
    /// Deletes a task.
    case delete(id: Int)
    /// Deletes all tasks that are done.
    case deleteDone
  }

  /// A reducer of the list.
  public init() {}

  /// Runs the task that the action is for, then the list.
  public var body: some ReducerOf<Self> {
    Reduce<State, Action> { state, action in
      switch action {
      case .add(let title): return state.add(title)
      case .task: return .none
      case .move(let id, let position): return state.move(id, to: position)
      case .deleteButtonTapped(let id):
        guard let item = state.items[id: id] else { return .gone(id) }
        state.dialog = .deleting(item)
      case .deleteDoneButtonTapped:
        guard state.doneCount > 0 else { return .reject("no task is done") }
        state.dialog = .deletingDone(count: state.doneCount)
      case .dialog(.presented(.delete(let id))):
        if state.items.remove(id: id)?.isDone == true { state.doneCount -= 1 }
      case .dialog(.presented(.deleteDone)):
        state.items.removeAll(where: \.isDone)
        state.doneCount = 0
      case .dialog(.dismiss): break
      }
      return .none
    }
    .ifLet(\.$dialog, action: Action.toDialog)
    // The count follows, whichever way a task was done.
    .countingDone()
  }
}

extension Tasks {
  /// Where its question stands, so that any client can answer it.
  public static var alertPlaces: [AlertPlace<State, Action>] {
    [AlertPlace(dialog: { $0.dialog }, presentation: { .dialog($0) })]
  }
}

extension Tasks.Action {
  static let toTask = CasePath<Tasks.Action, (Int, TaskItem.Action)>(
    name: "task", embed: { .task(id: $0.0, action: $0.1) },
    extract: { if case .task(let id, let action) = $0 { (id, action) } else { nil } })
  static let toDialog = CasePath(Self.dialog) {
    if case .dialog(let action) = $0 { action } else { nil }
  }
}

extension Reducer<Tasks.State, Tasks.Action> {
  /// Runs the tasks' own reducer before this one, and counts those that are done.
  fileprivate func countingDone() -> some Reducer<Tasks.State, Tasks.Action> {
    let tasks = forEach(\.items, action: Tasks.Action.toTask) { TaskItem() }
    return Reduce { state, action in
      guard case .task(let id, _) = action else {
        return tasks.reduce(into: &state, action: action)
      }
      let wasDone = state.items[id: id]?.isDone ?? false
      let effect = tasks.reduce(into: &state, action: action)
      let isDone = state.items[id: id]?.isDone ?? false
      if wasDone != isDone { state.doneCount += isDone ? 1 : -1 }
      return effect
    }
  }
}

extension Tasks.State {
  fileprivate mutating func add(_ title: String) -> Effect<Tasks.Action> {
    do throws(Rejection) { try TaskItem.check(title) } catch { return .reject(error) }
    guard items.count < Tasks.most else {
      return .reject("there are \(Tasks.most) tasks already: delete some first")
    }
    items.append(TaskItem.State(id: nextNumber, title: title))
    nextNumber += 1
    return .none
  }

  fileprivate mutating func move(_ id: Int, to position: Int) -> Effect<Tasks.Action> {
    guard let index = items.index(id: id) else { return .gone(id) }
    items.move(from: index, to: min(max(position, 0), items.count - 1))
    return .none
  }
}

extension Effect<Tasks.Action> {
  /// The task is not there.
  fileprivate static func gone(_ id: Int) -> Effect {
    .reject("there is no task \(id): somebody may have deleted it")
  }
}

extension ConfirmationDialogState<Tasks.Dialog> {
  /// Asks for one task.
  fileprivate static func deleting(_ item: TaskItem.State) -> ConfirmationDialogState {
    ConfirmationDialogState(
      title: TextState("Delete \"\(item.title)\"?"),
      buttons: [
        .destructive(TextState("Delete"), action: .send(.delete(id: item.id))),
        .cancel(TextState("Keep")),
      ])
  }

  /// Asks for all that are done.
  fileprivate static func deletingDone(count: Int) -> ConfirmationDialogState {
    ConfirmationDialogState(
      title: TextState("Delete \(count) tasks that are done?"),
      buttons: [
        .destructive(TextState("Delete"), action: .send(.deleteDone)),
        .cancel(TextState("Keep")),
      ])
  }
}
