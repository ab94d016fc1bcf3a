/// The elements of a large `IdentifiedArray`: in blocks on a tree, with an index that leads from an
/// id to the block. A change, a copy and the comparison of two versions cost what changed.
///
/// Positions shift with each insertion, so the index cannot have them. It has labels of blocks, which
/// rise in the order of the blocks and stay what they are when elements come and go before them.
struct IdentifiedTree<Element: Identifiable & Mirrored>: Sendable
where Element.ID: Mirrored & Hashable {
  typealias ID = Element.ID
  typealias Block = IdentifiedBlock<Element>

  /// The sum that the digest is made of.
  var sum: UInt64
  var tree: BlockTree<Block>
  var index = HashIndex()

  /// The elements given; nil when two have the same id.
  init?(checking elements: [Element]) {
    let divided = Block(label: 0, elements: elements).divided()
    let step = Self.labels / UInt64(divided.count + 1)
    var blocks: [Block] = []
    blocks.reserveCapacity(divided.count)
    for (number, block) in divided.enumerated() {
      let label = step * UInt64(number + 1)
      for (offset, element) in block.elements.enumerated() {
        let hash = Self.hash(element.id)
        let held = index.first(hash) { label in
          let number = Int(label / step) - 1
          let end = number == blocks.count ? offset : divided[number].elements.count
          return divided[number].elements[..<end].contains { $0.id == element.id } ? true : nil
        }
        if held != nil { return nil }
        index.insert(hash, label)
      }
      blocks.append(Block(label: label, elements: block.elements))
    }
    tree = BlockTree(blocks)
    sum = tree.sum
  }

  /// Labels are less than this.
  static var labels: UInt64 { 1 << 62 }

  static func hash(_ id: ID) -> UInt64 { UInt64(truncatingIfNeeded: id.hashValue) }

  /// How many elements.
  var count: Int { tree.count }

  /// All elements in order.
  var elements: [Element] {
    var elements: [Element] = []
    elements.reserveCapacity(count)
    tree.forEachBlock {
      elements += $0.elements
      return true
    }
    return elements
  }

  /// The element at a position.
  subscript(position: Int) -> Element {
    guard position >= 0, position < count, let place = tree.block(at: position) else {
      preconditionFailure("There is no element \(position) in an array of \(count).")
    }
    return place.block.elements[position - place.start]
  }

  /// The position of the element with this id, nil when there is none.
  func position(of id: ID) -> Int? {
    index.first(Self.hash(id)) { label in
      guard let place = block(labelled: label), let offset = place.block.offset(of: id) else {
        return nil
      }
      return place.start + offset
    }
  }

  /// The element with this id, nil when there is none.
  func element(_ id: ID) -> Element? {
    index.first(Self.hash(id)) { label in
      guard let block = block(labelled: label)?.block else { return nil }
      return block.offset(of: id).map { block.elements[$0] }
    }
  }

  func block(labelled label: UInt64) -> BlockTree<Block>.Place? {
    tree.lastBlock(upTo: label)
  }

  /// Takes an element out, so that it has one owner while it is changed; gives its digest, too. It
  /// must be put back, or its place closed.
  mutating func take(_ position: Int) -> (element: Element, digest: Digest) {
    tree.edit(at: position, sum: &sum) { block, _, offset in
      let digest = block.elements[offset].digest
      // By way of the end, where taking out costs nothing.
      block.elements.swapAt(offset, block.elements.count - 1)
      block.isMissingOne = true
      return (block.elements.removeLast(), digest)
    }
  }

  /// Puts an element in the place of the one that was taken out and had this id and digest.
  mutating func put(_ element: Element, at position: Int, was id: ID, _ digest: Digest) {
    let label = tree.edit(at: position, sum: &sum) { block, sum, offset in
      var changed = SequenceSum(count: block.count, sum: sum)
      changed.replace(at: offset, digest.rawValue, by: element.digest.rawValue)
      sum = changed.sum
      block.elements.append(element)
      block.isMissingOne = false
      block.elements.swapAt(offset, block.elements.count - 1)
      return block.label
    }
    rename(id, to: element.id, label)
  }

  /// Closes the place of an element that was taken out and had this id and digest.
  mutating func close(_ position: Int, was id: ID, _ digest: Digest) {
    let (label, isSmall) = tree.edit(at: position, sum: &sum) { block, sum, offset in
      block.isMissingOne = false
      if offset < block.elements.count {
        block.elements.append(block.elements.remove(at: offset))
      }
      var changed = SequenceSum(count: block.count + 1, sum: sum)
      var removed = SequenceSum()
      removed.append(digest.rawValue)
      changed.splice(at: offset, removed, by: SequenceSum()) { range in
        // It is asked for what is before, or what is behind; that has moved up.
        let moved =
          range.lowerBound > offset
          ? range.lowerBound - 1..<range.upperBound - 1 : range
        return SequenceSum(count: range.count, sum: block.sum(of: moved))
      }
      sum = changed.sum
      return (block.label, block.count < Block.fewest)
    }
    index.remove(Self.hash(id), label)
    if isSmall { splice(position..<position, []) }
  }

  private mutating func rename(_ old: ID, to new: ID, _ label: UInt64) {
    if old == new { return }
    index.remove(Self.hash(old), label)
    index.insert(Self.hash(new), label)
  }

  /// Changes an element in place; gives false where it has then an id that another one has.
  mutating func update(
    _ position: Int, _ body: (inout Element) throws(DeltaFailure) -> Void
  ) throws(DeltaFailure) -> Bool {
    let (old, new, label) = try tree.edit(at: position, sum: &sum) {
      (block, sum, offset) throws(DeltaFailure) -> (ID, ID, UInt64) in
      let id = block.elements[offset].id
      let before = block.elements[offset].digest.rawValue
      // Also when `body` throws: the sum is always that of the elements.
      defer {
        var changed = SequenceSum(count: block.count, sum: sum)
        changed.replace(at: offset, before, by: block.elements[offset].digest.rawValue)
        sum = changed.sum
      }
      try body(&block.elements[offset])
      return (id, block.elements[offset].id, block.label)
    }
    if old == new { return true }
    if self.position(of: new, besides: position) { return false }
    rename(old, to: new, label)
    return true
  }

  /// Whether an element other than that at `position` is indexed under the id.
  private func position(of id: ID, besides position: Int) -> Bool {
    let held = index.first(Self.hash(id)) { label -> Bool? in
      guard let place = block(labelled: label) else { return nil }
      let others = place.block.elements.indices.filter {
        place.start + $0 != position && place.block.elements[$0].id == id
      }
      return others.isEmpty ? nil : true
    }
    return held ?? false
  }
}
