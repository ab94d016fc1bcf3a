public import Composable
public import StateModel

/// One task of the list; its title and whether it is done are set by bindings.
public struct TaskItem: Reducer {
  /// The longest title, in UTF-8 bytes.
  public static let longestTitle = 256

  /// The task.
  @Mirrored public struct State: Identifiable {
    /// Its number.
    public var id: Int
    /// What is to be done.
    @BindingState public var title: String
    /// Whether it is done.
    @BindingState public var isDone = false

    /// A task that is not done.
    public init(id: Int, title: String) {
      self.id = id
      self.title = title
    }
  }

  /// What can be done with it.
  @Mirrored public enum Action: BindableAction {
    /// Sets its title, or whether it is done.
    case binding(BindingAction<State>)

    /// The binding, if it is one.
    public var binding: BindingAction<State>? {
      if case .binding(let action) = self { action } else { nil }
    }
  }

  /// A reducer of a task.
  public init() {}

  /// Applies bindings, and refuses a title that is none.
  public var body: some ReducerOf<Self> {
    BindingReducer()
    Reduce { state, action in
      guard case .binding(\.$title) = action else { return .none }
      do throws(Rejection) { try Self.check(state.title) } catch { return .reject(error) }
      return .none
    }
  }

  /// Throws unless a text can be a title.
  static func check(_ title: String) throws(Rejection) {
    guard title.contains(where: { !$0.isWhitespace }), title.utf8.count <= longestTitle else {
      throw Rejection(
        code: "invalid",
        "a title has 1 to \(longestTitle) bytes and something to read, not "
          + (title.utf8.count > longestTitle ? "\(title.utf8.count)" : "\"\(title)\""))
    }
  }
}
