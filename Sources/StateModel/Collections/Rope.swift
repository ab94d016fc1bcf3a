/// The UTF-8 bytes of a long text, in blocks on a tree: an edit, the digest, and the comparison with
/// the version before cost what changed.
struct Rope: Sendable {
  /// The sum that the digest is made of. First, because of the room that it leaves in a `Value`.
  private(set) var sum: UInt64
  private var tree: BlockTree<TextBlock>

  /// The bytes given.
  init(_ utf8: ArraySlice<UInt8>) {
    let parts = (utf8.count + TextBlock.largest - 1) / TextBlock.largest
    tree = BlockTree(
      (0..<parts).map {
        let start = utf8.startIndex
        return TextBlock(
          bytes: Array(
            utf8[start + $0 * utf8.count / parts..<start + ($0 + 1) * utf8.count / parts]))
      })
    sum = tree.sum
  }

  /// How many bytes.
  var count: Int { tree.count }

  /// A copy of all bytes.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    forEachBlock { bytes += $0 }
    return bytes
  }

  /// Gives the bytes in order, run by run.
  func forEachBlock(_ body: ([UInt8]) -> Void) {
    tree.forEachBlock {
      body($0.bytes)
      return true
    }
  }

  /// A copy of the bytes of a range.
  func bytes(in range: Range<Int>) -> [UInt8] {
    var bytes: [UInt8] = []
    var position = range.lowerBound
    while position < range.upperBound, let place = tree.block(at: position) {
      let end = min(range.upperBound, place.end)
      bytes += place.block.bytes[position - place.start..<end - place.start]
      position = end
    }
    return bytes
  }

  /// The byte at a position.
  subscript(position: Int) -> UInt8 {
    guard let place = tree.block(at: position) else { return 0 }
    return place.block.bytes[position - place.start]
  }

  /// Puts other bytes in the place of a range.
  mutating func replace(_ range: Range<Int>, with inserted: ArraySlice<UInt8>) {
    tree.splice(range, with: TextBlock(bytes: Array(inserted)), sum: &sum)
  }

  /// Whether both have the same bytes.
  func isIdentical(to other: Rope) -> Bool {
    sum == other.sum && tree.isIdentical(to: other.tree)
  }

  /// How many bytes are the same at the beginning of both.
  func commonPrefix(_ old: Rope, _ regions: [SharedRegion]) -> Int {
    guard let first = regions.first else { return min(count, old.count) }
    // Beyond the region's own bytes, too: what was inserted may repeat what follows.
    return tree.commonPrefix(old.tree, from: first.new.lowerBound)
  }

  /// How many bytes, not counting more than `most`, are the same at the end of both.
  func commonSuffix(_ old: Rope, _ regions: [SharedRegion], atMost most: Int) -> Int {
    guard let last = regions.last else { return most }
    var common = min(most, count - last.new.upperBound)
    while common < most, let new = tree.block(at: count - common - 1),
      let was = old.tree.block(at: old.count - common - 1)
    {
      let (newEnd, oldEnd) = (count - common - new.start, old.count - common - was.start)
      let step = new.block.commonSuffix(before: newEnd, was.block, before: oldEnd)
      common += step
      if step < newEnd && step < oldEnd { break }
    }
    return min(common, most)
  }

  /// Where this differs from an older version.
  func regions(from old: Rope) -> [SharedRegion] { tree.regions(from: old.tree) }
}
