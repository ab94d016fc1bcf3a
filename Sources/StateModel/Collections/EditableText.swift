/// A text that is edited in place: what an edit costs follows the edit, not the text.
///
/// Short texts are plain strings. Long ones (above `Digest.longText`) are ropes: blocks of UTF-8 bytes
/// that versions share, with the sum that their digest is made of. Compared by bytes, never by
/// `String`'s `==`, which merges composed and decomposed forms.
public struct EditableText: Sendable {
  private enum Storage: Sendable {
    case short(String)
    case long(Rope)
  }

  private var storage: Storage

  /// The empty text.
  public init() { storage = .short("") }

  /// A text to edit.
  public init(_ string: String) {
    if string.utf8.count <= Digest.longText {
      storage = .short(string)
    } else {
      storage = .long(Rope(Array(string.utf8)[...]))
    }
  }

  /// A text from bytes that are known to be UTF-8.
  init(validated utf8: ArraySlice<UInt8>) {
    if utf8.count <= Digest.longText {
      storage = .short(String(decoding: utf8, as: UTF8.self))
    } else {
      storage = .long(Rope(utf8))
    }
  }

  /// The text as a string; for a long text, a copy.
  public var string: String {
    switch storage {
    case .short(let string): string
    case .long(let rope): String(decoding: rope.bytes, as: UTF8.self)
    }
  }

  /// The text's UTF-8 bytes: a copy.
  public var utf8: [UInt8] {
    switch storage {
    case .short(let string): Array(string.utf8)
    case .long(let rope): rope.bytes
    }
  }

  /// How many UTF-8 bytes the text has: positions of edits count them.
  public var utf8Count: Int {
    switch storage {
    case .short(let string): string.utf8.count
    case .long(let rope): rope.count
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
    case .long(let rope):
      try TextSplice.check(count: rope.count, offset: offset, removed: removed, path: path) {
        rope[$0]
      }
    }
    replace(offset..<offset + removed, with: inserted)
  }

  private mutating func replace(_ range: Range<Int>, with inserted: ArraySlice<UInt8>) {
    switch storage {
    case .short(let string):
      var bytes = Array(string.utf8)
      bytes.replaceSubrange(range, with: inserted)
      self = EditableText(validated: bytes[...])
    case .long(var rope):
      // Emptied meanwhile, so that the blocks have one owner and are changed in place.
      storage = .short("")
      rope.replace(range, with: inserted)
      if rope.count > Digest.longText {
        storage = .long(rope)
      } else {
        storage = .short(String(decoding: rope.bytes, as: UTF8.self))
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
    case .long(let rope): encoder.text(rope)
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
    case (.long(let a), .long(let b)): a.isIdentical(to: b)
    default: false
    }
  }

  /// The digest of a text.
  public var digest: Digest {
    switch storage {
    case .short(let string): .ofText(string)
    case .long(let rope): Digest(textOf: SequenceSum(count: rope.count, sum: rope.sum))
    }
  }

  /// One splice where that is shorter than the text, else the text.
  public func writeDelta(from old: EditableText, to writer: inout DeltaWriter) {
    if case (.long(let new), .long(let old)) = (storage, old.storage) {
      let splice = TextSplice(from: old, to: new)
      if splice.isEmpty { return }
      if splice.isWorthIt(insteadOf: new.count) {
        writer.text(
          offset: splice.offset, removed: splice.removed,
          utf8: new.bytes(in: splice.offset..<splice.offset + splice.inserted))
      } else {
        writer.set(self)
      }
      return
    }
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
