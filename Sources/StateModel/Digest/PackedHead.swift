/// The head of an item in two little-endian words: at most nine bytes, with no array around them.
struct PackedHead {
  /// The bytes, the first one lowest.
  let words: (UInt64, UInt64)
  /// How many bytes of the words count.
  let count: Int

  /// The head of major type `major` with `argument` in its shortest form.
  @inline(__always)
  init(major: UInt8, argument: UInt64) {
    let top = UInt64(major) << 5
    if argument < 24 {
      self.init(words: (top | argument, 0), count: 1)
    } else if argument <= 0xFF {
      self.init(words: (top | 24 | argument << 8, 0), count: 2)
    } else if argument <= 0xFFFF {
      self.init(first: top | 25, UInt16(truncatingIfNeeded: argument))
    } else if argument <= 0xFFFF_FFFF {
      self.init(first: top | 26, UInt32(truncatingIfNeeded: argument))
    } else {
      self.init(first: top | 27, argument)
    }
  }

  /// A float in its shortest form.
  @inline(__always)
  init(float value: Double) {
    if let half = ShortFloat.half(value) {
      self.init(first: 0xF9, half)
    } else if let single = ShortFloat.single(value) {
      self.init(first: 0xFA, single)
    } else {
      self.init(first: 0xFB, value.bitPattern)
    }
  }

  @inline(__always)
  private init<Word: FixedWidthInteger & UnsignedInteger>(first: UInt64, _ word: Word) {
    let reversed = UInt64(word.byteSwapped)
    self.init(words: (first | reversed << 8, reversed >> 56), count: 1 + Word.bitWidth / 8)
  }

  @inline(__always)
  private init(words: (UInt64, UInt64), count: Int) {
    self.words = words
    self.count = count
  }
}
