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

  /// Lends the name's UTF-8 bytes.
  func withUTF8<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    text.withUTF8Buffer(body)
  }

  /// Whether `bytes` are this name's.
  func matches(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count == count && matches(bytes, at: bytes.startIndex)
  }

  /// Whether this name stands in `bytes` from `start` on, which leaves room for it.
  func matches(_ bytes: ArraySlice<UInt8>, at start: Int) -> Bool {
    withUTF8 { utf8 in
      for index in utf8.indices where utf8[index] != bytes[start + index] { return false }
      return true
    }
  }

  /// Whether this name's key stands after the key that is the text `bytes`.
  func isAfter(_ bytes: ArraySlice<UInt8>) -> Bool {
    if bytes.count != count { return bytes.count < count }
    return withUTF8 { bytes.lexicographicallyPrecedes($0) }
  }
}

/// What the code that `@Mirrored` writes asks of an encoder. It is inlined there, so that a field of
/// a known type costs no look-up.
extension CBOREncoder {
  /// Writes a field's or a case's name as a text.
  public mutating func name(_ name: FieldName) { name.withUTF8 { text(utf8: $0) } }

  /// Writes a field.
  @inlinable public mutating func field<Field: Mirrored>(_ name: FieldName, _ value: Field) {
    self.name(name)
    value.encode(to: &self)
  }
}

/// What the code that `@Mirrored` writes asks of a writer.
extension DeltaWriter {
  /// Writes the changes of one field.
  @inlinable public mutating func field<Field: Mirrored>(
    _ name: FieldName, _ new: Field, _ old: Field
  ) {
    let outer = enter(name)
    new.writeDelta(from: old, to: &self)
    leave(backTo: outer)
  }

  /// Writes the changes that `body` finds in the payload of a case.
  @inlinable public mutating func payload(
    _ name: FieldName, _ body: (inout DeltaWriter) -> Void
  ) {
    let outer = enter(name)
    body(&self)
    leave(backTo: outer)
  }
}
