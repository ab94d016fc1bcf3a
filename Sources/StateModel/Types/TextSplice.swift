/// How one text becomes another by replacing a single range of its UTF-8 bytes, between scalars.
struct TextSplice: Equatable {
  /// Where, in bytes.
  var offset: Int
  /// How many bytes of the old text go.
  var removed: Int
  /// How many bytes of the new text come, at `offset`.
  var inserted: Int

  /// The shortest splice: what lies between the common prefix and the common suffix.
  init(from old: some Collection<UInt8>, to new: some Collection<UInt8>) {
    let found: TextSplice?? = old.withContiguousStorageIfAvailable { old in
      new.withContiguousStorageIfAvailable { new in TextSplice(between: old, new) }
    }
    self = (found ?? nil) ?? TextSplice(between: Array(old), Array(new))
  }

  /// Both collections count from 0.
  private init<Bytes: RandomAccessCollection<UInt8>>(between old: Bytes, _ new: Bytes)
  where Bytes.Index == Int {
    let shorter = min(old.count, new.count)
    var prefix = 0
    while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
    var suffix = 0
    while suffix < shorter - prefix,
      old[old.count - 1 - suffix] == new[new.count - 1 - suffix]
    {
      suffix += 1
    }
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

  /// Whether both are the same bytes.
  static func areIdentical(_ a: String.UTF8View, _ b: String.UTF8View) -> Bool {
    a.count == b.count && a.elementsEqual(b)
  }

  /// Whether a byte continues a scalar that began before it.
  static func continues(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// What offset, length and head of a splice take beyond those of a `set`, in bytes.
  private static let overhead = 8
}
