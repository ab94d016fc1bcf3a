public import Composable
public import StateModel
internal import SyncProtocol

/// Where a shared value is: a view, the part of it that is read, and the action that sets it.
public struct SharedSource<Value: Mirrored>: Sendable {
  let view: String
  let parameters: [UInt8]
  /// How a person names it.
  let name: String
  let makeReplica: @Sendable () -> any Replica
  /// The value in a replica; nil while it is not there.
  let read: @Sendable (any Replica) throws(DecodingFailure) -> Value?
  /// What encodes the action that sets it, made of the mirror; nil where it is only read. It does
  /// not hold the mirror: a second reference to that would make a copy of every change.
  let action: @Sendable (any Replica) -> (@Sendable (Value) -> [UInt8])?

  /// A value in the workspace of the ready-made daemon.
  ///
  /// - Parameter path: `player/volume`, or as a JSON pointer, `/player/volume`.
  public static func workspace(_ path: String) -> SharedSource {
    let pointer = path.hasPrefix("/") ? path : "/" + path
    return SharedSource(
      view: "workspace", parameters: pointer.encoded(), name: pointer,
      makeReplica: { ValueReplica() },
      read: { (replica) throws(DecodingFailure) in
        guard let value = (replica as? ValueReplica)?.value, value != .null else { return nil }
        return try Self.decode(value)
      },
      action: { _ in
        { value in
          let put: StateModel.Value = .map([
            "path": StateModel.Value(of: pointer), "value": StateModel.Value(of: value),
          ])
          return StateModel.Value.map(["workspace": .map(["put": put])]).encoded()
        }
      })
  }

  /// People who write JSON do not tell 1 from 1.0.
  private static func decode(_ value: StateModel.Value) throws(DecodingFailure) -> Value {
    if let number = value.integer,
      let float = try? Value(
        encoded: StateModel.Value(of: Double(number)).encoded())
    {
      return (try? Value(encoded: value.encoded())) ?? float
    }
    return try Value(encoded: value.encoded())
  }

  /// A part of a view, set by an action.
  ///
  ///     @Shared(.view("counter", \Counter.ViewState.step) { AppAction.counter(.set(\.$step, $0)) })
  ///     var step = 1
  ///
  /// - Parameters:
  ///   - name: the view's name in the daemon.
  ///   - part: what is read of it.
  ///   - action: the action that sets it.
  public static func view<ViewState: Mirrored, Action: Mirrored>(
    _ name: String, _ part: any KeyPath<ViewState, Value> & Sendable,
    set action: @escaping @Sendable (Value) -> Action
  ) -> SharedSource {
    view(name, part: part, action: { action($0).encoded() })
  }

  /// A part of a view that is only read: a set is refused.
  public static func view<ViewState: Mirrored>(
    _ name: String, _ part: any KeyPath<ViewState, Value> & Sendable
  ) -> SharedSource {
    view(name, part: part, action: nil)
  }

  /// A field that a view carries in a `ViewStateBinding`: `.view(\Player.ViewState.$volume)`.
  public static func view<ViewState: SharedView>(
    _ field: any KeyPath<ViewState, ViewStateBinding<ViewState.Root, Value>> & Sendable
  ) -> SharedSource {
    view(of: ViewState.self, field)
  }

  /// The same with the view's type named: what an app's own `.view(\.$volume)` is made of.
  public static func view<ViewState: SharedView>(
    of _: ViewState.Type,
    _ field: any KeyPath<ViewState, ViewStateBinding<ViewState.Root, Value>> & Sendable
  ) -> SharedSource {
    SharedSource(
      view: ViewState.viewName, parameters: [0xF6], name: ViewState.viewName,
      makeReplica: { TypedReplica(ViewState.self) },
      read: { (replica) throws(DecodingFailure) in
        (replica as? TypedReplica<ViewState>)?.value?[keyPath: field].wrappedValue
      },
      action: { replica in
        guard let set = (replica as? TypedReplica<ViewState>)?.value?[keyPath: field].set else {
          return nil
        }
        return { ViewState.action(set($0)).encoded() }
      })
  }

  private static func view<ViewState: Mirrored>(
    _ name: String, part: any KeyPath<ViewState, Value> & Sendable,
    action: (@Sendable (Value) -> [UInt8])?
  ) -> SharedSource {
    SharedSource(
      view: name, parameters: [0xF6], name: name,
      makeReplica: { TypedReplica(ViewState.self) },
      read: { (replica) throws(DecodingFailure) in
        (replica as? TypedReplica<ViewState>)?.value?[keyPath: part]
      },
      action: { _ in action })
  }
}

/// A view whose fields can be shared by naming them: it says what it is called, and how a binding
/// to one of its fields is an action of the app's.
public protocol SharedView: Mirrored {
  /// The state whose fields the view carries.
  associatedtype Root: Mirrored
  /// The app's action.
  associatedtype Action: Mirrored

  /// The view's name in the daemon.
  static var viewName: String { get }
  /// The app's action for a binding: `.player(.binding(binding))`.
  static func action(_ binding: BindingAction<Root>) -> Action
}
