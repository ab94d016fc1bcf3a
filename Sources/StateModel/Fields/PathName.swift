/// A name as it came over the wire: an element of a change's path, or the name of an enum's case.
///
/// It matches the literals of a `switch` by its bytes, so that the code that `@Mirrored` writes
/// finds a field without making a string.
public struct PathName: Sendable, CustomStringConvertible {
  /// The name's UTF-8 bytes.
  let bytes: ArraySlice<UInt8>

  /// The name, for messages.
  public var description: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether both have the same bytes.
  public static func ~= (name: FieldName, path: PathName) -> Bool { name.matches(path.bytes) }
}
