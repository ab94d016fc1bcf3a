extension String: Mirrored {
  /// A text.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .text }

  /// Writes the text's UTF-8 bytes.
  public func encode(to encoder: inout CBOREncoder) { encoder.text(self) }

  /// Reads a text.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) { self = try decoder.text() }

  /// Whether both have the same UTF-8 bytes; `==` would merge composed and decomposed forms.
  public func isIdentical(to other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// A leaf's digest, or a long text's.
  public var digest: Digest { Digest(leaf: encoded()) }

  /// Sets the whole text when it differs.
  public func writeDelta(from old: String, to writer: inout DeltaWriter) {
    if !isIdentical(to: old) { writer.set(self) }
  }

  /// Only a `set` of the whole text fits yet.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    guard depth == change.path.count, case .set(let item) = change.operation else {
      throw DeltaFailure("a text has no parts to change")
    }
    do { self = try String(encoded: item) } catch { throw DeltaFailure(error) }
  }
}
