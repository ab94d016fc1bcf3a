/// The wire name of a struct's field, of an enum's case or of a payload's label, as the code that
/// `@Mirrored` writes spells it: a literal, so that nothing is built or allocated for it.
///
/// Names are told apart, and put in order, by their bytes: as keys of a map in their encoded form
/// (RFC 8949, 4.2.1), which is by length and then bytewise.
public struct FieldName: ExpressibleByStringLiteral, Sendable, CustomStringConvertible {
  @usableFromInline let text: StaticString

  /// A name from its literal.
  @inlinable public init(stringLiteral value: StaticString) { text = value }

  /// The name itself.
  public var description: String { text.description }

  /// How many UTF-8 bytes it has.
  var count: Int { text.utf8CodeUnitCount }

  /// Whether `bytes` are this name's.
  func matches(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == count && text.withUTF8Buffer { $0.elementsEqual(bytes) }
  }

  /// Whether a key of the text `bytes` stands before a key of this name.
  func isAfter(_ bytes: ArraySlice<UInt8>) -> Bool {
    if bytes.count != count { return bytes.count < count }
    return text.withUTF8Buffer { bytes.lexicographicallyPrecedes($0) }
  }

  /// Writes the name as a text behind `bytes`.
  func append(to bytes: inout [UInt8]) {
    var encoder = CBOREncoder(appendingTo: bytes)
    encoder.name(self)
    bytes = encoder.bytes
  }

  /// The encoded name: the element of a path.
  var encoded: [UInt8] {
    var encoder = CBOREncoder()
    encoder.name(self)
    return encoder.bytes
  }
}

extension CBOREncoder {
  /// Writes a field's or a case's name as a text. Called by the code that `@Mirrored` writes.
  public mutating func name(_ name: FieldName) {
    name.text.withUTF8Buffer { utf8 in
      head(3, UInt64(utf8.count))
      encoded(utf8)
    }
  }
}
