extension BlockTree {
  /// Puts `inserted`, which may be of any size, in the place of a range; `sum` is that over the
  /// whole.
  mutating func splice(_ range: Range<Int>, with inserted: Block, sum: inout UInt64) {
    if entries.isEmpty {
      self = BlockTree(inserted.divided())
      sum = self.sum
      return
    }
    guard let place = block(at: range.lowerBound, isInsertion: range.isEmpty) else { return }
    let left = place.block.count - range.count + inserted.count
    if range.upperBound <= place.end, left <= Block.largest, left >= Block.fewest {
      edit(at: range.lowerBound, isInsertion: range.isEmpty, sum: &sum) { block, sum, offset in
        let local = offset..<offset + range.count
        if Block.isSummed {
          var total = SequenceSum(count: block.count, sum: sum)
          total.splice(
            at: offset, SequenceSum(count: range.count, sum: block.sum(of: local)),
            by: SequenceSum(count: inserted.count, sum: inserted.sum(of: 0..<inserted.count))
          ) { SequenceSum(count: $0.count, sum: block.sum(of: $0)) }
          sum = total.sum
        }
        block.replace(local, with: inserted)
      }
      return
    }
    let (covered, joined) = joined(range, from: place, with: inserted)
    replace(covered, with: joined.divided())
    sum = self.sum
  }

  /// The blocks that a range touches, as one block in which `inserted` is in the place of the range;
  /// with a neighbour where that would have too few elements.
  func joined(
    _ range: Range<Int>, from place: Place, with inserted: Block
  ) -> (covered: Range<Int>, block: Block) {
    var joined = place.block
    var covered = place.start..<place.end
    if range.upperBound > place.end, let last = block(at: range.upperBound - 1) {
      let kept = last.block.slice(range.upperBound - last.start..<last.block.count)
      joined.replace(range.lowerBound - place.start..<joined.count, with: inserted)
      joined.replace(joined.count..<joined.count, with: kept)
      covered = place.start..<last.end
    } else {
      joined.replace(
        range.lowerBound - place.start..<range.upperBound - place.start, with: inserted)
    }
    guard joined.count < Block.fewest else { return (covered, joined) }
    if covered.upperBound < count, let next = block(at: covered.upperBound) {
      joined.replace(joined.count..<joined.count, with: next.block)
      covered = covered.lowerBound..<next.end
    } else if covered.lowerBound > 0, let before = block(at: covered.lowerBound - 1) {
      joined.replace(0..<0, with: before.block)
      covered = before.start..<covered.upperBound
    }
    return (covered, joined)
  }
}
