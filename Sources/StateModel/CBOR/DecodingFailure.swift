/// Why bytes are not the value that was asked for, and where.
public struct DecodingFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds of failure, so that callers can answer each with its own code.
  public enum Reason: Equatable, Sendable {
    /// The bytes end inside an item.
    case truncated
    /// Bytes follow the item.
    case trailingBytes
    /// Not CBOR, or not in the deterministic form (RFC 8949, 4.2.1).
    case notDeterministic
    /// Nested deeper than the limit.
    case tooDeep
    /// CBOR, but of another type than the one expected.
    case wrongType
    /// The right type, but outside of what the type holds.
    case outOfRange
    /// A field that has no default is absent.
    case missingField
    /// A name that no case of the enum has.
    case unknownCase
    /// A field that may not be set from outside.
    case notSettable
  }

  /// What kind of failure it is.
  public var reason: Reason
  /// A sentence for a person.
  public var message: String
  /// Where: the names and indices from the root, outermost first.
  public var path: [String]

  /// A failure at `path`.
  public init(_ reason: Reason, _ message: String, path: [String] = []) {
    self.reason = reason
    self.message = message
    self.path = path
  }

  /// The same failure seen from one level further out.
  public func under(_ element: String) -> DecodingFailure {
    DecodingFailure(reason, message, path: [element] + path)
  }

  /// `path: message`.
  public var description: String {
    path.isEmpty ? message : path.joined(separator: ".") + ": " + message
  }
}
