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
    let prefix = ByteComparison.commonPrefix(old.bytes, new.bytes)
    let suffix = ByteComparison.commonSuffix(
      old.bytes, new.bytes, atMost: min(old.count, new.count) - prefix)
    self.init(
      prefix: prefix, suffix: suffix, oldCount: old.count, newCount: new.count,
      oldByte: { old[$0] }, newByte: { new[$0] })
  }

  /// The shortest splice, found without a look at what both share.
  init(from old: Rope, to new: Rope) {
    let regions = new.regions(from: old)
    let prefix = new.commonPrefix(old, regions)
    let suffix = new.commonSuffix(old, regions, atMost: min(old.count, new.count) - prefix)
    self.init(
      prefix: prefix, suffix: suffix, oldCount: old.count, newCount: new.count,
      oldByte: { old[$0] }, newByte: { new[$0] })
  }

  /// Goes back to a scalar's first byte on both sides: the common part may end inside a scalar.
  private init(
    prefix: Int, suffix: Int, oldCount: Int, newCount: Int,
    oldByte: (Int) -> UInt8, newByte: (Int) -> UInt8
  ) {
    var (prefix, suffix) = (prefix, suffix)
    func splits(_ position: Int) -> Bool {
      position < oldCount && Self.continues(oldByte(position))
        || position < newCount && Self.continues(newByte(position))
    }
    while prefix > 0, splits(prefix) { prefix -= 1 }
    while suffix > 0, Self.continues(oldByte(oldCount - suffix)) { suffix -= 1 }
    offset = prefix
    removed = oldCount - prefix - suffix
    inserted = newCount - prefix - suffix
  }

  /// Whether both texts are the same.
  var isEmpty: Bool { removed == 0 && inserted == 0 }

  /// Whether the splice takes less room than setting a text of `count` bytes.
  func isWorthIt(insteadOf count: Int) -> Bool { inserted + Self.overhead < count }

  /// Throws unless a splice of `bytes` lies within them and between scalars.
  static func check(
    _ bytes: [UInt8], offset: Int, removed: Int, path: [ArraySlice<UInt8>]
  ) throws(DeltaFailure) {
    try check(count: bytes.count, offset: offset, removed: removed, path: path) { bytes[$0] }
  }

  /// Throws unless a splice of `count` bytes lies within them and between scalars.
  static func check(
    count: Int, offset: Int, removed: Int, path: [ArraySlice<UInt8>], byte: (Int) -> UInt8
  ) throws(DeltaFailure) {
    guard 0...count ~= offset, 0...count - offset ~= removed else {
      throw DeltaFailure(
        "\(removed) bytes from \(offset) on are not within a text of \(count) bytes",
        path: path[...])
    }
    for end in [offset, offset + removed] where end < count && continues(byte(end)) {
      throw DeltaFailure("byte \(end) of the text lies inside a character", path: path[...])
    }
  }

  /// Whether a byte continues a scalar that began before it.
  static func continues(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// What offset, length and head of a splice take beyond those of a `set`, in bytes.
  private static let overhead = 8
}
