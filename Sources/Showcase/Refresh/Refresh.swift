public import Composable
public import StateModel

/// Something that one process does and another asks for, in the two ways that hold between
/// processes.
///
/// - **Handles**: a client offers `refresh`, the handle stands in the state, and whoever sees it may
///   call it. The call goes to that client alone, and gives a result or `gone`.
/// - **A trigger**: a number in the state. Whoever sees it rise refreshes. It is a level, not an
///   event: a client that was away sees that it has missed some, and refreshes once.
public struct Refresh: Reducer {
  /// The most handles that are kept: more is no list that anybody chooses from.
  public static let most = 256

  /// What can be refreshed.
  @Mirrored public struct State {
    /// What clients offer, in the order in which they did.
    public var handles: [Handle] = []
    /// How often everybody was asked to refresh.
    public var trigger: UInt64 = 0

    /// Nothing to refresh.
    public init() {}
  }

  /// What can be done.
  @Mirrored public enum Action {
    /// A client offers a handle, or it is gone.
    case changed(HandleChange)
    /// Somebody wants everybody to refresh.
    case refreshButtonTapped
  }

  @Dependency(\.origin) private var origin

  /// A reducer of handles.
  public init() {}

  /// Keeps the handles, and counts the times.
  public func reduce(into state: inout State, action: Action) -> Effect<Action> {
    switch action {
    case .refreshButtonTapped: state.trigger &+= 1
    case .changed(let change):
      guard change.isCredible(from: origin) else {
        return .reject(
          Rejection(code: "forbidden", "a client offers and withdraws handles of its own only"))
      }
      if case .offered = change, state.handles.count >= Self.most {
        return .reject(
          Rejection("there are \(Self.most) handles already: one has to be withdrawn first"))
      }
      change.apply(to: &state.handles)
    }
    return .none
  }
}
