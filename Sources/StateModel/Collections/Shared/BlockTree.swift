/// A sequence of elements in blocks on the leaves of a B+ tree: what large collections are held in.
///
/// A copy shares all nodes. A change copies the nodes on the way to one block, unless nobody else
/// has them, and two versions are compared without a look into what they share. Each entry of a
/// node has the count and the sum of what is below it, so that a position is found, and the sum
/// over the whole sequence brought up to date, at the cost of the height.
///
/// Nodes are objects, so that copying a node counts one reference for each entry and looks at no
/// block. A node is changed only by the tree that alone has it: two trees that have the same node
/// have the same content there. The owner keeps the sum over the whole, because of the room that it
/// leaves in a `Value`.
struct BlockTree<Block: SharedBlock>: Sendable {
  /// A block, or what leads to several.
  ///
  /// Sendable because it changes only where one tree, which is a value, has the only reference.
  final class Node: @unchecked Sendable {
    /// Empty in a branch.
    ///
    /// Nobody looks at a node while it is changed, so nothing is checked about it at each step.
    @exclusivity(unchecked) var block: Block
    /// Of a branch; a leaf has none.
    @exclusivity(unchecked) var entries: [Entry]

    init(_ block: Block, _ entries: [Entry]) {
      self.block = block
      self.entries = entries
    }

    var isLeaf: Bool { entries.isEmpty }
    var mark: UInt64 { isLeaf ? block.mark : entries[0].mark }
  }

  /// A part of the sequence with what its sum and its positions need.
  struct Entry: Sendable {
    var node: Node
    var sum: UInt64
    /// The first block's, so that a search need not go down to it.
    var mark: UInt64
    var storedCount: UInt32

    var count: Int { Int(storedCount) }

    init(_ block: Block) {
      self.init(block, sum: Block.isSummed ? block.sum(of: 0..<block.count) : 0)
    }

    init(_ block: Block, sum: UInt64) {
      node = Node(block, [])
      self.sum = sum
      mark = block.mark
      storedCount = UInt32(block.count)
    }

    init(_ entries: [Entry]) {
      let total = BlockTree.total(entries)
      node = Node(.empty, entries)
      sum = total.sum
      mark = entries.first?.mark ?? 0
      storedCount = UInt32(total.count)
    }

    /// Its node, which from now on nobody else has.
    mutating func ownNode() -> Node {
      if !isKnownUniquelyReferenced(&node) { node = Node(node.block, node.entries) }
      return node
    }

    /// Whether both lead to the same, for all that is known without a look.
    func isShared(with other: Entry) -> Bool { node === other.node }
  }

  /// The root's entries; none is empty.
  private(set) var entries: [Entry] = []
  private var storedCount: UInt32 = 0
  /// 1 where the root's entries are blocks.
  private var storedHeight: UInt8 = 1

  /// No elements.
  init() {}

  /// The elements of blocks, none of which is empty.
  init(_ blocks: [Block]) {
    entries = blocks.map { Entry($0) }
    grow()
  }

  /// How many elements.
  var count: Int { Int(storedCount) }
  /// How many steps lead from the root to a block.
  var height: Int { Int(storedHeight) }
  /// The sum over all elements.
  var sum: UInt64 { Self.total(entries).sum }

  /// The most entries of a node: it is copied with each change below it.
  static var widest: Int { 24 }

  /// The sum over entries that follow one another.
  static func total(_ entries: [Entry]) -> SequenceSum {
    var total = SequenceSum()
    let entries = entries.span
    for index in entries.indices {
      if Block.isSummed {
        total.append(SequenceSum(count: entries[index].count, sum: entries[index].sum))
      } else {
        total.count += entries[index].count
      }
    }
    return total
  }

  /// Nodes of even widths, none too wide, with these entries.
  static func branches(of entries: [Entry]) -> [Entry] {
    if entries.isEmpty { return [] }
    let parts = (entries.count + widest - 1) / widest
    return (0..<parts).map {
      Entry(Array(entries[$0 * entries.count / parts..<($0 + 1) * entries.count / parts]))
    }
  }

  /// Counts, and gives the root the height that its entries need.
  private mutating func grow() {
    while entries.count > Self.widest {
      entries = Self.branches(of: entries)
      storedHeight += 1
    }
    while entries.count == 1, !entries[0].node.isLeaf {
      entries = entries[0].node.entries
      storedHeight -= 1
    }
    storedCount = UInt32(entries.reduce(0) { $0 + $1.count })
  }

  /// Changes the block that holds `position`. `body` gets it, its sum, and the position within it;
  /// `sum`, that over the whole, is brought up to date. The block may grow and shrink, but not away.
  ///
  /// With `isInsertion` it is the earlier one of two blocks that meet there.
  mutating func edit<Result, Failure: Error>(
    at position: Int, isInsertion: Bool = false, sum: inout UInt64,
    _ body: (inout Block, inout UInt64, Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var total = SequenceSum(count: count, sum: sum)
    // Also when `body` throws: sums are always those of the elements.
    defer {
      sum = total.sum
      storedCount = UInt32(total.count)
    }
    return try Self.edit(&entries, at: position, isInsertion, &total, body)
  }

  /// `total` is that of the entries before, and afterwards.
  private static func edit<Result, Failure: Error>(
    _ entries: inout [Entry], at position: Int, _ isInsertion: Bool, _ total: inout SequenceSum,
    _ body: (inout Block, inout UInt64, Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let (index, start) = find(position, in: entries, isInsertion)
    let before = SequenceSum(count: entries[index].count, sum: entries[index].sum)
    var after = before
    let node = entries[index].ownNode()
    defer {
      entries[index].sum = after.sum
      entries[index].mark = node.mark
      entries[index].storedCount = UInt32(after.count)
      if after.count == before.count {
        total.change(before, to: after, behind: total.count - start - before.count)
      } else {
        total = Self.total(entries)
      }
    }
    if node.isLeaf {
      defer { after.count = node.block.count }
      return try body(&node.block, &after.sum, position - start)
    }
    return try edit(&node.entries, at: position - start, isInsertion, &after, body)
  }

  /// Changes the block that `lastBlock` would find; nil where there is none. `body` leaves it as many
  /// elements, with the same first one, as it has. Of blocks that have no sum.
  mutating func editLastBlock<Result>(
    upTo mark: UInt64, where isReached: (Block) -> Bool, body: (inout Block) -> Result
  ) -> Result? {
    Self.editLastBlock(&entries, upTo: mark, where: isReached, body)
  }

  private static func editLastBlock<Result>(
    _ entries: inout [Entry], upTo mark: UInt64, where isReached: (Block) -> Bool,
    _ body: (inout Block) -> Result
  ) -> Result? {
    guard let index = lastIndex(upTo: mark, in: entries, where: isReached) else { return nil }
    let node = entries[index].ownNode()
    if node.isLeaf { return body(&node.block) }
    return editLastBlock(&node.entries, upTo: mark, where: isReached, body)
  }

  /// The entry that holds `position`, and where that begins.
  private static func find(
    _ position: Int, in entries: [Entry], _ isInsertion: Bool
  ) -> (index: Int, start: Int) {
    let entries = entries.span
    var start = 0
    var index = 0
    let reach = isInsertion ? position : position + 1
    while index < entries.count - 1, start + entries[index].count < reach {
      start += entries[index].count
      index += 1
    }
    return (index, start)
  }

  /// Puts `blocks` in the place of those in `range`, which begins and ends where blocks meet.
  mutating func replace(_ range: Range<Int>, with blocks: [Block]) {
    Self.replace(&entries, height: height, range, with: blocks.map { Entry($0) })
    grow()
  }

  private static func replace(
    _ entries: inout [Entry], height: Int, _ range: Range<Int>, with new: [Entry]
  ) {
    var first = 0
    var start = 0
    if height == 1 {
      while start < range.lowerBound {
        start += entries[first].count
        first += 1
      }
      var end = first
      while start < range.upperBound {
        start += entries[end].count
        end += 1
      }
      entries.replaceSubrange(first..<end, with: new)
      return
    }
    (first, start) = find(range.lowerBound, in: entries, range.isEmpty)
    var inner = take(entries, first)
    let count = entries[first].count
    replace(
      &inner, height: height - 1,
      range.lowerBound - start..<min(range.upperBound - start, count), with: new)
    var end = first + 1
    var position = start + count
    while position < range.upperBound {
      let count = entries[end].count
      if range.upperBound < position + count {
        var rest = take(entries, end)
        replace(&rest, height: height - 1, 0..<range.upperBound - position, with: [])
        inner += rest
      }
      position += count
      end += 1
    }
    // A node with few entries takes in its neighbour's.
    if inner.count < widest / 4 {
      if end < entries.count {
        inner += take(entries, end)
        end += 1
      } else if first > 0 {
        first -= 1
        inner = take(entries, first) + inner
      }
    }
    entries.replaceSubrange(first..<end, with: branches(of: inner))
  }

  private static func take(_ entries: [Entry], _ index: Int) -> [Entry] {
    entries[index].node.entries
  }
}
