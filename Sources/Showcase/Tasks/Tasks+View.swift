public import Composable
public import StateModel

extension Tasks {
  /// Which tasks a client wants to see: the parameter of the view `tasks`. None shows all.
  @Mirrored public enum Filter {
    /// Those that are not done.
    case open
    /// Those that are done.
    case done
    /// Those whose title contains a text.
    case titled(String)

    /// What it shows, before any task is there. It is kept for a subscription, and follows what
    /// changes: a filter over a million tasks does not look at them all for each action.
    public var shown: Filtered<TaskItem.State> {
      switch self {
      case .open: Filtered { !$0.isDone }
      case .done: Filtered { $0.isDone }
      case .titled(let text): Filtered { $0.title.contains(text) }
      }
    }
  }

  /// What the view `tasks` shows.
  @Mirrored public struct ViewState {
    /// The tasks that fit the filter.
    public var items: IdentifiedArray<TaskItem.State>
    /// How many tasks there are, whatever is shown.
    public var count: Int
    /// How many of them are done.
    public var doneCount: Int
    /// Asks whether to delete.
    public var dialog: ConfirmationDialogState<Dialog>?

    /// The view of a state.
    public init(_ state: State, _ filter: Filter? = nil) {
      var shown = filter?.shown
      self.init(state, &shown)
    }

    /// The view of a state, through what an earlier view has kept; nil shows all.
    public init(_ state: State, _ shown: inout Filtered<TaskItem.State>?) {
      shown?.update(state.items)
      // As it is: a view of a million tasks shares them with the state.
      items = shown?.elements ?? state.items
      count = state.items.count
      doneCount = state.doneCount
      dialog = state.dialog
    }
  }
}
