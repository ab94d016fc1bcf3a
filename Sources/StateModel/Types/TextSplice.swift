/// How one text becomes another by replacing a single range of its UTF-8 bytes, between scalars.
struct TextSplice: Equatable {
  /// Where, in bytes.
  var offset: Int
  /// How many bytes of the old text go.
  var removed: Int
  /// How many bytes of the new text come, at `offset`.
  var inserted: Int

  /// The shortest splice: what lies between the common prefix and the common suffix.
  init(from old: Span<UInt8>, to new: Span<UInt8>) {
    var prefix = ByteComparison.commonPrefix(old.bytes, new.bytes)
    var suffix = ByteComparison.commonSuffix(
      old.bytes, new.bytes, atMost: min(old.count, new.count) - prefix)
    // Back to a scalar's first byte on both sides: the common part may end inside a scalar.
    func splits(_ position: Int) -> Bool {
      position < old.count && Self.continues(old[position])
        || position < new.count && Self.continues(new[position])
    }
    while prefix > 0, splits(prefix) { prefix -= 1 }
    while suffix > 0, Self.continues(old[old.count - suffix]) { suffix -= 1 }
    offset = prefix
    removed = old.count - prefix - suffix
    inserted = new.count - prefix - suffix
  }

  /// Whether the splice takes less room than setting a text of `count` bytes.
  func isWorthIt(insteadOf count: Int) -> Bool { inserted + Self.overhead < count }

  /// Throws unless a splice of `bytes` lies within them and between scalars.
  static func check(
    _ bytes: [UInt8], offset: Int, removed: Int, path: [ArraySlice<UInt8>]
  ) throws(DeltaFailure) {
    guard 0...bytes.count ~= offset, 0...bytes.count - offset ~= removed else {
      throw DeltaFailure(
        "\(removed) bytes from \(offset) on are not within a text of \(bytes.count) bytes",
        path: path[...])
    }
    for end in [offset, offset + removed] where end < bytes.count && continues(bytes[end]) {
      throw DeltaFailure("byte \(end) of the text lies inside a character", path: path[...])
    }
  }

  /// Whether a byte continues a scalar that began before it.
  static func continues(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// What offset, length and head of a splice take beyond those of a `set`, in bytes.
  private static let overhead = 8
}
