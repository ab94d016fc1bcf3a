extension [UInt8] {
  /// Appends the bytes of `word`, least significant first.
  mutating func appendLittleEndian<Word: FixedWidthInteger>(_ word: Word) {
    for byte in 0..<(Word.bitWidth / 8) {
      append(UInt8(truncatingIfNeeded: word >> Word(8 * byte)))
    }
  }

  /// The word at `offset`, least significant byte first; the caller has checked the length.
  func littleEndian<Word: FixedWidthInteger>(_ type: Word.Type, at offset: Int) -> Word {
    var word: Word = 0
    for byte in 0..<(Word.bitWidth / 8) {
      word |= Word(truncatingIfNeeded: self[offset + byte]) << Word(8 * byte)
    }
    return word
  }
}
