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
      items =
        switch filter {
        // As it is: a view of a million tasks shares them with the state.
        case nil: state.items
        case .open: IdentifiedArray(state.items.lazy.filter { !$0.isDone })
        case .done: IdentifiedArray(state.items.lazy.filter(\.isDone))
        case .titled(let text): IdentifiedArray(state.items.lazy.filter { $0.title.contains(text) })
        }
      count = state.items.count
      doneCount = state.doneCount
      dialog = state.dialog
    }
  }
}
