/// One change of a delta: where, and what.
///
/// A path element is an encoded item: a map's key, an array's index at that moment, an enum case's
/// name (steps into its payload), 0 into a wrapped optional. Values are encoded items.
public struct Change: Equatable, Sendable {
  /// What is done at the end of the path.
  public enum Operation: Equatable, Sendable {
    /// Sets a map entry, an array element, or with an empty path the root: `[0, path, value]`.
    case set(ArraySlice<UInt8>)
    /// Removes a map entry: `[1, path]`.
    case remove
    /// Replaces `removed` elements of an array from `index` on: `[2, path, index, removed, [items]]`.
    case splice(index: Int, removed: Int, items: [ArraySlice<UInt8>])
    /// Moves an element, `to` counted after the removal: `[3, path, from, to]`.
    case move(from: Int, to: Int)
    /// Replaces `removed` UTF-8 bytes of a text from `offset` on: `[4, path, offset, removed, text]`.
    case text(offset: Int, removed: Int, inserted: ArraySlice<UInt8>)
  }

  /// The encoded elements from the root on. For `set` and `remove` the last one names the entry.
  public var path: [ArraySlice<UInt8>]
  /// What is done there.
  public var operation: Operation

  /// What it sets there, encoded; nil where it does something else.
  @inline(__always)
  var assigned: ArraySlice<UInt8>? { if case .set(let item) = operation { item } else { nil } }

  /// A change at `path`.
  public init(path: [ArraySlice<UInt8>], operation: Operation) {
    self.path = path
    self.operation = operation
  }
}
