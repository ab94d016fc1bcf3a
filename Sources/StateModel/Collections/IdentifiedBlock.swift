/// A run of the elements of a large `IdentifiedArray`.
@usableFromInline struct IdentifiedBlock<Element: Identifiable & Mirrored>: SharedBlock
where Element.ID: Mirrored & Hashable {
  /// Rises from block to block; what the ids of the elements lead to.
  @usableFromInline var label: UInt64
  @usableFromInline var elements: [Element]
  /// While an element is taken out to be changed, it counts still.
  @usableFromInline var isMissingOne = false

  /// Few where elements are large: all of a block are copied with each change.
  @usableFromInline static var largest: Int {
    Swift.max(8, Swift.min(32, 1_024 / MemoryLayout<Element>.stride))
  }
  @usableFromInline static var empty: IdentifiedBlock { IdentifiedBlock(label: 0, elements: []) }
  @inlinable static var isSummed: Bool { true }

  @inlinable var count: Int { elements.count + (isMissingOne ? 1 : 0) }

  @usableFromInline func sum(of range: Range<Int>) -> UInt64 {
    var sum = SequenceSum()
    let elements = elements.span
    for index in range { sum.append(elements[index].digest.rawValue) }
    return sum.sum
  }

  @inlinable var mark: UInt64 { label }

  @usableFromInline func slice(_ range: Range<Int>) -> IdentifiedBlock {
    IdentifiedBlock(label: label, elements: Array(elements[range]))
  }

  @usableFromInline mutating func replace(_ range: Range<Int>, with other: IdentifiedBlock) {
    elements.replaceSubrange(range, with: other.elements)
  }

  @usableFromInline func commonPrefix(
    from start: Int, _ other: IdentifiedBlock, from otherStart: Int
  ) -> Int {
    elements.span.commonPrefix(from: start, other.elements.span, from: otherStart)
  }

  @usableFromInline func commonSuffix(
    before end: Int, _ other: IdentifiedBlock, before otherEnd: Int
  ) -> Int {
    elements.span.commonSuffix(before: end, other.elements.span, before: otherEnd)
  }

  /// Where the element with this id stands.
  func offset(of id: Element.ID) -> Int? {
    let elements = elements.span
    for index in elements.indices where elements[index].id == id { return index }
    return nil
  }
}
