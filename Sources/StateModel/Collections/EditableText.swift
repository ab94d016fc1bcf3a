/// A text that is edited in place: what an edit costs follows the edit, not the text.
///
/// Short texts are plain strings. Long ones (above `Digest.longText`) are their UTF-8 bytes with
/// the sum that their digest is made of, which an edit brings up to date. Compared by bytes, never
/// by `String`'s `==`, which merges composed and decomposed forms.
public struct EditableText: Sendable {
  private enum Storage: Sendable {
    case short(String)
    case long([UInt8], sum: UInt64)
  }

  private var storage: Storage

  /// The empty text.
  public init() { storage = .short("") }

  /// A text to edit.
  public init(_ string: String) {
    if string.utf8.count <= Digest.longText {
      storage = .short(string)
    } else {
      let bytes = Array(string.utf8)
      storage = .long(bytes, sum: SequenceSum(text: bytes).sum)
    }
  }

  /// A text from bytes that are known to be UTF-8.
  init(validated utf8: ArraySlice<UInt8>) {
    if utf8.count <= Digest.longText {
      storage = .short(String(decoding: utf8, as: UTF8.self))
    } else {
      storage = .long(Array(utf8), sum: SequenceSum(text: utf8).sum)
    }
  }

  /// The text as a string; for a long text, a copy.
  public var string: String {
    switch storage {
    case .short(let string): string
    case .long(let bytes, _): String(decoding: bytes, as: UTF8.self)
    }
  }

  /// The text's UTF-8 bytes; for a short text, a copy.
  public var utf8: [UInt8] {
    switch storage {
    case .short(let string): Array(string.utf8)
    case .long(let bytes, _): bytes
    }
  }

  /// How many UTF-8 bytes the text has: positions of edits count them.
  public var utf8Count: Int {
    switch storage {
    case .short(let string): string.utf8.count
    case .long(let bytes, _): bytes.count
    }
  }

  /// Whether there is no text.
  public var isEmpty: Bool { utf8Count == 0 }

  /// Replaces `removed` UTF-8 bytes from `offset` on; refused where that leaves the text or cuts a
  /// character (a Unicode scalar) in two.
  public mutating func splice(
    offset: Int, removed: Int, inserted: String
  ) throws(DeltaFailure) {
    var inserted = inserted
    inserted.makeContiguousUTF8()
    try splice(offset: offset, removed: removed, utf8: Array(inserted.utf8)[...], path: [])
  }

  /// Adds `string` at the end.
  public mutating func append(_ string: String) {
    replace(utf8Count..<utf8Count, with: Array(string.utf8)[...])
  }

  mutating func splice(
    offset: Int, removed: Int, utf8 inserted: ArraySlice<UInt8>, path: [ArraySlice<UInt8>]
  ) throws(DeltaFailure) {
    switch storage {
    case .short(let string):
      try TextSplice.check(Array(string.utf8), offset: offset, removed: removed, path: path)
    case .long(let bytes, _):
      try TextSplice.check(bytes, offset: offset, removed: removed, path: path)
    }
    replace(offset..<offset + removed, with: inserted)
  }

  private mutating func replace(_ range: Range<Int>, with inserted: ArraySlice<UInt8>) {
    switch storage {
    case .short(let string):
      var bytes = Array(string.utf8)
      bytes.replaceSubrange(range, with: inserted)
      self = EditableText(validated: bytes[...])
    case .long(var bytes, let before):
      // Emptied meanwhile, so that the bytes have one owner and are moved, not copied.
      storage = .short("")
      var sum = SequenceSum(count: bytes.count, sum: before)
      sum.splice(
        at: range.lowerBound, SequenceSum(text: bytes[range]), by: SequenceSum(text: inserted)
      ) { SequenceSum(text: bytes[$0]) }
      bytes.replaceSubrange(range, with: inserted)
      if bytes.count > Digest.longText {
        storage = .long(bytes, sum: sum.sum)
      } else {
        storage = .short(String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}

extension EditableText: Mirrored {
  /// A text that is edited in place.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .editedText }

  /// Writes the text.
  public func encode(to encoder: inout CBOREncoder) {
    switch storage {
    case .short(let string): encoder.text(string)
    case .long(let bytes, _): encoder.text(utf8: bytes)
    }
  }

  /// Reads a text.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    self.init(validated: try decoder.textBytes())
  }

  /// Whether both have the same bytes.
  public func isIdentical(to other: EditableText) -> Bool {
    switch (storage, other.storage) {
    case (.short(let a), .short(let b)): a.isIdentical(to: b)
    case (.long(let a, let sumA), .long(let b, let sumB)):
      sumA == sumB && a.count == b.count
        && (a.span.isIdentical(to: b.span)
          || ByteComparison.areIdentical(a.span.bytes, b.span.bytes))
    default: false
    }
  }

  /// The digest of a text.
  public var digest: Digest {
    switch storage {
    case .short(let string): .ofText(string)
    case .long(let bytes, let sum): Digest(textOf: SequenceSum(count: bytes.count, sum: sum))
    }
  }

  /// One splice where that is shorter than the text, else the text.
  public func writeDelta(from old: EditableText, to writer: inout DeltaWriter) {
    if isIdentical(to: old) { return }
    let bytes = utf8
    let splice = TextSplice(from: old.utf8.span, to: bytes.span)
    if splice.isWorthIt(insteadOf: bytes.count) {
      writer.text(
        offset: splice.offset, removed: splice.removed,
        utf8: bytes[splice.offset..<splice.offset + splice.inserted])
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
    try splice(offset: offset, removed: removed, utf8: inserted, path: change.path)
  }
}

extension EditableText: Hashable {
  /// Whether both have the same bytes.
  public static func == (a: EditableText, b: EditableText) -> Bool { a.isIdentical(to: b) }

  /// Feeds the text's digest.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension EditableText: ExpressibleByStringInterpolation, CustomStringConvertible {
  /// A text written in the source.
  public init(stringLiteral value: String) { self.init(value) }

  /// The text.
  public var description: String { string }
}
