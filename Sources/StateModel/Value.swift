/// Any mirrored value without its Swift type: for generic clients, the command line, the journal's
/// recovery and the schema-less workspace.
///
/// Encodes to the same bytes, and has the same digest, as the typed value it came from.
public indirect enum Value: Equatable, Sendable {
  /// `null`.
  case null
  /// A boolean.
  case bool(Bool)
  /// A non-negative integer.
  case unsigned(UInt64)
  /// The negative integer -1 - n.
  case negative(UInt64)
  /// A float, held with its bits.
  case float(Double)
  /// A text.
  case text(String)
  /// A byte string.
  case bytes([UInt8])
  /// An array.
  case array([Value])
  /// A map, its entries in the order of their encoded keys.
  case map([Entry])
  /// A tagged item.
  case tag(UInt64, Value)

  /// An entry of a map.
  public struct Entry: Equatable, Sendable {
    /// The key.
    public var key: Value
    /// The value.
    public var value: Value

    /// An entry.
    public init(key: Value, value: Value) {
      self.key = key
      self.value = value
    }
  }
}
