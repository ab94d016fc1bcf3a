/// A run of the elements of a long array `Value`.
struct ValueBlock: SharedBlock {
  var elements: [Value]

  static var largest: Int { 32 }
  static var empty: ValueBlock { ValueBlock(elements: []) }
  static var isSummed: Bool { true }

  var count: Int { elements.count }

  func sum(of range: Range<Int>) -> UInt64 { SequenceSum(digestsOf: elements[range]).sum }

  func slice(_ range: Range<Int>) -> ValueBlock { ValueBlock(elements: Array(elements[range])) }

  mutating func replace(_ range: Range<Int>, with other: ValueBlock) {
    elements.replaceSubrange(range, with: other.elements)
  }

  func commonPrefix(from start: Int, _ other: ValueBlock, from otherStart: Int) -> Int {
    elements.span.commonPrefix(from: start, other.elements.span, from: otherStart)
  }

  func commonSuffix(before end: Int, _ other: ValueBlock, before otherEnd: Int) -> Int {
    elements.span.commonSuffix(before: end, other.elements.span, before: otherEnd)
  }
}

extension Span where Element: Mirrored {
  /// How many elements are identical from `start` and `otherStart` on.
  func commonPrefix(from start: Int, _ other: Span, from otherStart: Int) -> Int {
    let most = Swift.min(count - start, other.count - otherStart)
    var common = 0
    while common < most, self[start + common].isIdentical(to: other[otherStart + common]) {
      common += 1
    }
    return common
  }

  /// How many elements are identical before `end` and `otherEnd`.
  func commonSuffix(before end: Int, _ other: Span, before otherEnd: Int) -> Int {
    let most = Swift.min(end, otherEnd)
    var common = 0
    while common < most, self[end - common - 1].isIdentical(to: other[otherEnd - common - 1]) {
      common += 1
    }
    return common
  }
}
