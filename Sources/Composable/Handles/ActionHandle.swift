/// Something that one part of a program offers and another calls, in the same process: an Equatable
/// value that can stand in a state, over an object that it does not keep alive.
///
/// Two handles are equal when they are of the same object (`===`). What is done is not compared: of
/// one object offer one handle of a kind.
///
///     let refresh = ActionHandle(of: list) { $0.reload() }
///     refresh()  // false once the list is gone
public struct ActionHandle<Object: AnyObject>: Equatable {
  private weak var object: Object?
  private let perform: (Object) -> Void

  /// A handle of an object; of nil, one that is gone from the start.
  public init(of object: Object?, perform: @escaping (Object) -> Void) {
    self.object = object
    self.perform = perform
  }

  /// Whether the object is gone.
  public var isGone: Bool { object == nil }

  /// Does it; false when the object is gone.
  @discardableResult
  public func callAsFunction() -> Bool {
    guard let object else { return false }
    perform(object)
    return true
  }

  /// Whether both are of the same object, or both of none any more.
  public static func == (one: Self, other: Self) -> Bool { one.object === other.object }
}
