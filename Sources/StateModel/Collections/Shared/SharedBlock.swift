/// A run of elements that a `BlockTree` copies, compares and sums up as one.
@usableFromInline protocol SharedBlock: Sendable {
  /// A block that grows beyond this is divided. It is copied with each change to it.
  static var largest: Int { get }

  /// Whether the elements have a sum that tells their order (that of arrays and texts).
  static var isSummed: Bool { get }

  /// No elements.
  static var empty: Self { get }

  /// How many elements.
  var count: Int { get }

  /// What the block is found by, in blocks that are searched: rises, or stays, from block to block.
  var mark: UInt64 { get }

  /// The sum over the elements of a range.
  func sum(of range: Range<Int>) -> UInt64

  /// The elements of a range.
  func slice(_ range: Range<Int>) -> Self

  /// Puts `other` in the place of a range.
  mutating func replace(_ range: Range<Int>, with other: Self)

  /// How many elements are identical from `start` on in this block and from `otherStart` on in
  /// `other`.
  func commonPrefix(from start: Int, _ other: Self, from otherStart: Int) -> Int

  /// How many elements are identical before `end` in this block and before `otherEnd` in `other`.
  func commonSuffix(before end: Int, _ other: Self, before otherEnd: Int) -> Int
}

extension SharedBlock {
  /// Of blocks that are found by their positions only.
  @inlinable var mark: UInt64 { 0 }

  /// A block with fewer elements is joined with its neighbour.
  static var fewest: Int { largest / 4 }

  /// Blocks of even sizes, none too large, with the elements of this one.
  func divided() -> [Self] {
    if count <= Self.largest { return count == 0 ? [] : [self] }
    let parts = (count + Self.largest - 1) / Self.largest
    return (0..<parts).map { slice($0 * count / parts..<($0 + 1) * count / parts) }
  }
}
