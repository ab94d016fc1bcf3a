/// A run of a long text's UTF-8 bytes. It may begin and end inside a character.
struct TextBlock: SharedBlock {
  var bytes: [UInt8]

  /// Few enough that to move, compare and sum up a block is a matter of a fraction of a microsecond.
  static var largest: Int { 512 }
  static var empty: TextBlock { TextBlock(bytes: []) }
  static var isSummed: Bool { true }

  var count: Int { bytes.count }

  func sum(of range: Range<Int>) -> UInt64 { SequenceSum(text: bytes[range]).sum }

  func slice(_ range: Range<Int>) -> TextBlock { TextBlock(bytes: Array(bytes[range])) }

  mutating func replace(_ range: Range<Int>, with other: TextBlock) {
    bytes.replaceSubrange(range, with: other.bytes)
  }

  func commonPrefix(from start: Int, _ other: TextBlock, from otherStart: Int) -> Int {
    ByteComparison.commonPrefix(
      bytes.span.bytes.extracting(start..<count),
      other.bytes.span.bytes.extracting(otherStart..<other.count))
  }

  func commonSuffix(before end: Int, _ other: TextBlock, before otherEnd: Int) -> Int {
    ByteComparison.commonSuffix(
      bytes.span.bytes.extracting(0..<end), other.bytes.span.bytes.extracting(0..<otherEnd),
      atMost: min(end, otherEnd))
  }
}
