/// How far two runs of bytes agree, eight bytes a step: texts of many kilobytes are compared at each
/// edit.
enum ByteComparison {
  /// Whether both are the same bytes.
  @inline(__always)
  static func areIdentical(_ a: RawSpan, _ b: RawSpan) -> Bool {
    guard a.byteCount == b.byteCount else { return false }
    if a.byteCount < 8 { return firstWord(a) == firstWord(b) }
    return commonPrefix(a, b) == a.byteCount
  }

  /// How many bytes at the beginning are the same.
  static func commonPrefix(_ a: RawSpan, _ b: RawSpan) -> Int {
    let most = min(a.byteCount, b.byteCount)
    var common = 0
    while common + 8 <= most, word(a, common) == word(b, common) { common += 8 }
    while common < most, byte(a, common) == byte(b, common) { common += 1 }
    return common
  }

  /// How many bytes at the end are the same, not counting more than `most`.
  static func commonSuffix(_ a: RawSpan, _ b: RawSpan, atMost most: Int) -> Int {
    var common = 0
    while common + 8 <= most,
      word(a, a.byteCount - common - 8) == word(b, b.byteCount - common - 8)
    {
      common += 8
    }
    while common < most,
      byte(a, a.byteCount - common - 1) == byte(b, b.byteCount - common - 1)
    {
      common += 1
    }
    return common
  }

  /// Whether `a` sorts before `b`, bytewise.
  static func precedes(_ a: RawSpan, _ b: RawSpan) -> Bool {
    let common = commonPrefix(a, b)
    if common == a.byteCount { return common < b.byteCount }
    return common < b.byteCount && byte(a, common) < byte(b, common)
  }

  /// The first eight bytes as a big-endian number, which is in the same order, or the same, as the
  /// bytes are; zeros stand for what is missing.
  @inline(__always)
  static func firstWord(_ bytes: RawSpan) -> UInt64 {
    let count = bytes.byteCount
    if count >= 8 { return word(bytes, 0).bigEndian }
    // Two reads of four, two or one byte that may overlap: no loop.
    if count >= 4 {
      let (high, low) = (half(bytes, 0), half(bytes, count - 4))
      return UInt64(high) << 32 | UInt64(low) << (8 * UInt64(8 - count))
    }
    if count == 0 { return 0 }
    let middle = count / 2
    return UInt64(byte(bytes, 0)) << 56 | UInt64(byte(bytes, middle)) << (56 - 8 * UInt64(middle))
      | UInt64(byte(bytes, count - 1)) << (56 - 8 * UInt64(count - 1))
  }

  /// Whether no byte has its highest bit set.
  static func isASCII(_ bytes: RawSpan) -> Bool {
    var offset = 0
    while offset + 8 <= bytes.byteCount {
      if word(bytes, offset) & 0x8080_8080_8080_8080 != 0 { return false }
      offset += 8
    }
    while offset < bytes.byteCount {
      if byte(bytes, offset) & 0x80 != 0 { return false }
      offset += 1
    }
    return true
  }

  /// The big-endian number of 1, 2, 4 or 8 bytes at `offset`.
  @inline(__always)
  static func number(_ bytes: RawSpan, at offset: Int, width: Int) -> UInt64 {
    switch width {
    case 1: UInt64(byte(bytes, offset))
    case 2: UInt64(byte(bytes, offset)) << 8 | UInt64(byte(bytes, offset + 1))
    case 4: UInt64(half(bytes, offset))
    default: word(bytes, offset).bigEndian
    }
  }

  @inline(__always)
  private static func word(_ bytes: RawSpan, _ offset: Int) -> UInt64 {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  @inline(__always)
  private static func half(_ bytes: RawSpan, _ offset: Int) -> UInt32 {
    unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
  }

  @inline(__always)
  private static func byte(_ bytes: RawSpan, _ offset: Int) -> UInt8 {
    unsafe bytes.unsafeLoad(fromByteOffset: offset, as: UInt8.self)
  }
}
