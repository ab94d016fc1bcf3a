extension String: Mirrored {
  /// A text.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .text }

  /// Writes the text's UTF-8 bytes.
  public func encode(to encoder: inout CBOREncoder) { encoder.text(self) }

  /// Reads a text.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) { self = try decoder.text() }

  /// Whether both have the same UTF-8 bytes; `==` would merge composed and decomposed forms.
  public func isIdentical(to other: String) -> Bool {
    utf8.count == other.utf8.count
      && ByteComparison.areIdentical(utf8Span.span.bytes, other.utf8Span.span.bytes)
  }

  /// A leaf's digest, or a long text's.
  public var digest: Digest { .ofText(self) }

  /// One splice where that is shorter than the text, else the text.
  public func writeDelta(from old: String, to writer: inout DeltaWriter) {
    if isIdentical(to: old) { return }
    let splice = TextSplice(from: old.utf8Span.span, to: utf8Span.span)
    if splice.isWorthIt(insteadOf: utf8.count) {
      let inserted = utf8.dropFirst(splice.offset).prefix(splice.inserted)
      writer.text(
        offset: splice.offset, removed: splice.removed, inserted: String(Substring(inserted)))
    } else {
      writer.set(self)
    }
  }

  /// A `set` or a splice on scalar boundaries.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    guard depth == change.path.count,
      case .text(let offset, let removed, let inserted) = change.operation
    else { throw DeltaFailure("a text has no such part to change", path: change.path[..<depth]) }
    var bytes = Array(utf8)
    try TextSplice.check(bytes, offset: offset, removed: removed, path: change.path)
    bytes.replaceSubrange(offset..<offset + removed, with: inserted)
    self = String(decoding: bytes, as: UTF8.self)
  }
}
