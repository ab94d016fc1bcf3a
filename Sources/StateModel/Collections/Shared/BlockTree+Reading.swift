extension BlockTree {
  /// A block with the position of its first element.
  struct Place {
    var block: Block
    var start: Int

    var end: Int { start + block.count }
  }

  /// The block that holds `position`; with `isInsertion` the earlier one of two that meet there.
  func block(at position: Int, isInsertion: Bool = false) -> Place? {
    Self.block(at: position, in: entries, from: 0, isInsertion)
  }

  private static func block(
    at position: Int, in entries: [Entry], from start: Int, _ isInsertion: Bool
  ) -> Place? {
    var start = start
    let span = entries.span
    var index = 0
    let reach = isInsertion ? position : position + 1
    while index < span.count - 1, start + span[index].count < reach {
      start += span[index].count
      index += 1
    }
    guard index < span.count else { return nil }
    let node = span[index].node
    if node.isLeaf { return Place(block: node.block, start: start) }
    return block(at: position, in: node.entries, from: start, isInsertion)
  }

  /// The last block whose mark is not above `mark`; where it is the same, `isReached` decides, which
  /// says true of the first ones with that mark and false of the others. Nil where there is none.
  func lastBlock(upTo mark: UInt64, where isReached: (Block) -> Bool = { _ in true }) -> Place? {
    Self.lastBlock(upTo: mark, in: entries, from: 0, where: isReached)
  }

  private static func lastBlock(
    upTo mark: UInt64, in entries: [Entry], from start: Int, where isReached: (Block) -> Bool
  ) -> Place? {
    guard let index = lastIndex(upTo: mark, in: entries, where: isReached) else { return nil }
    let span = entries.span
    var start = start
    for before in 0..<index { start += span[before].count }
    let node = span[index].node
    if node.isLeaf { return Place(block: node.block, start: start) }
    return lastBlock(upTo: mark, in: node.entries, from: start, where: isReached)
  }

  /// Which of the entries leads to the block that `lastBlock` finds.
  static func lastIndex(
    upTo mark: UInt64, in entries: [Entry], where isReached: (Block) -> Bool
  ) -> Int? {
    let span = entries.span
    var low = 0
    var high = span.count
    while low < high {
      let middle = (low + high) / 2
      let other = span[middle].mark
      if other < mark || other == mark && first(of: span[middle].node, isReached) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low > 0 ? low - 1 : nil
  }

  /// What `body` says of the first block.
  private static func first(of node: Node, _ body: (Block) -> Bool) -> Bool {
    node.isLeaf ? body(node.block) : first(of: node.entries[0].node, body)
  }

  /// Gives all blocks in order, until `body` says false.
  func forEachBlock(_ body: (Block) -> Bool) { _ = Self.forEachBlock(in: entries, body) }

  private static func forEachBlock(in entries: [Entry], _ body: (Block) -> Bool) -> Bool {
    let span = entries.span
    for index in span.indices {
      let node = span[index].node
      if node.isLeaf ? !body(node.block) : !forEachBlock(in: node.entries, body) { return false }
    }
    return true
  }

  /// All blocks in order.
  var blocks: [Block] {
    var blocks: [Block] = []
    forEachBlock {
      blocks.append($0)
      return true
    }
    return blocks
  }
}
