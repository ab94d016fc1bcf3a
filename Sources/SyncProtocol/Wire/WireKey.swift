/// A key of a body: a text of at most eight bytes, compared as one word.
///
/// Bodies are read on the hot path; no `String` is made to find out what a value is for.
struct WireKey: Equatable, ExpressibleByStringLiteral {
  private var word: UInt64

  /// Nil for a longer text: no key of ours, so an unknown one.
  @inline(__always)
  init?(_ text: some Collection<UInt8>) {
    guard text.count <= 8 else { return nil }
    word = text.reduce(0) { $0 << 8 | UInt64($1) }
  }

  @inline(__always)
  init(stringLiteral value: StaticString) {
    word = value.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt64($1) } }
  }

  static func ~= (pattern: WireKey, key: WireKey) -> Bool { pattern.word == key.word }
}

extension Code {
  /// The codes of every answer, found without making a string.
  init(bytes: ArraySlice<UInt8>) {
    switch WireKey(bytes) {
    case .some("ok"): self = .ok
    case .some("rejected"): self = .rejected
    default: self.init(rawValue: String(decoding: bytes, as: UTF8.self))
    }
  }
}
