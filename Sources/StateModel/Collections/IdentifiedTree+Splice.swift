extension IdentifiedTree {
  /// Puts elements, whose ids no other element has, in the place of a range.
  mutating func splice(_ range: Range<Int>, _ items: [Element]) {
    forget(range)
    guard let place = tree.block(at: range.lowerBound, isInsertion: range.isEmpty) else {
      if let new = IdentifiedTree(checking: items) { self = new }
      return
    }
    let left = place.block.count - range.count + items.count
    if range.upperBound <= place.end, left <= Block.largest, left >= Block.fewest {
      tree.splice(
        range, with: Block(label: place.block.label, elements: items), sum: &sum)
      for item in items { index.insert(Self.hash(item.id), place.block.label) }
      return
    }
    let (covered, joined) = tree.joined(
      range, from: place, with: Block(label: 0, elements: items))
    let parts = joined.divided()
    let labels = labels(for: parts.count, instead: covered)
    // What is kept has the label of its block still.
    let kept = labelled(covered, besides: range)
    let before = range.lowerBound - covered.lowerBound
    var blocks: [Block] = []
    var offset = 0
    for (part, label) in zip(parts, labels) {
      for element in part.elements {
        let isNew = before..<before + items.count ~= offset
        let old = isNew ? nil : kept[offset < before ? offset : offset - items.count].label
        offset += 1
        if old == label { continue }
        let hash = Self.hash(element.id)
        if let old { index.remove(hash, old) }
        index.insert(hash, label)
      }
      blocks.append(Block(label: label, elements: part.elements))
    }
    tree.replace(covered, with: blocks)
    sum = tree.sum
  }

  /// Takes the elements of a range out of the index.
  private mutating func forget(_ range: Range<Int>) {
    if range.isEmpty { return }
    for (id, label) in labelled(range, besides: range.upperBound..<range.upperBound) {
      index.remove(Self.hash(id), label)
    }
  }

  /// The ids in a range, without those of another one, with the labels of their blocks.
  private func labelled(_ range: Range<Int>, besides: Range<Int>) -> [(id: ID, label: UInt64)] {
    var labelled: [(id: ID, label: UInt64)] = []
    var position = range.lowerBound
    while position < range.upperBound, let place = tree.block(at: position) {
      let end = Swift.min(range.upperBound, place.end)
      for position in position..<end where !besides.contains(position) {
        labelled.append((place.block.elements[position - place.start].id, place.block.label))
      }
      position = end
    }
    return labelled
  }

  /// Rising labels for blocks in the place of those in a range. The first one keeps its label, so
  /// that what stays in it need not be indexed again.
  private mutating func labels(for count: Int, instead range: Range<Int>) -> [UInt64] {
    if count == 0 { return [] }
    while true {
      let first = tree.block(at: range.lowerBound)?.block.label ?? 0
      let next =
        range.upperBound < self.count
        ? tree.block(at: range.upperBound)?.block.label ?? Self.labels : Self.labels
      var step = (next - first) / UInt64(count)
      // Behind the last block the room is for all that will be appended.
      if next == Self.labels { step = Swift.min(step, Self.labels >> 24) }
      if step > 0 { return (0..<count).map { first + step * UInt64($0) } }
      spreadLabels(around: range, for: count)
    }
  }

  /// Makes room between labels: spreads those in the least surroundings that are not too crowded
  /// (M. A. Bender and others, "Two Simplified Algorithms for Maintaining Order in a List", 2002),
  /// so that a label is changed a logarithmic number of times for each that is made.
  private mutating func spreadLabels(around range: Range<Int>, for count: Int) {
    guard let middle = tree.block(at: range.lowerBound) else { return }
    var blocks = [middle]
    var capacity = 1.0
    for bits in 1...62 {
      capacity *= 1.4
      let first = (middle.block.label >> UInt64(bits)) << UInt64(bits)
      let size = UInt64(1) << UInt64(bits)
      while let lowest = blocks.first, lowest.start > 0,
        let before = tree.block(at: lowest.start - 1), before.block.label >= first
      {
        blocks.insert(before, at: 0)
      }
      while let highest = blocks.last, highest.end < self.count,
        let next = tree.block(at: highest.end), next.block.label - first < size
      {
        blocks.append(next)
      }
      let step = size / UInt64(blocks.count + 1)
      guard Double(blocks.count) < capacity, step > UInt64(count) || bits == 62 else { continue }
      relabel(blocks, from: first + step / 2, step)
      return
    }
  }

  private mutating func relabel(
    _ places: [BlockTree<Block>.Place], from first: UInt64, _ step: UInt64
  ) {
    guard let start = places.first?.start, let end = places.last?.end else { return }
    var blocks: [Block] = []
    for (number, place) in places.enumerated() {
      let label = first + step * UInt64(number)
      for element in place.block.elements {
        let hash = Self.hash(element.id)
        index.remove(hash, place.block.label)
        index.insert(hash, label)
      }
      blocks.append(Block(label: label, elements: place.block.elements))
    }
    tree.replace(start..<end, with: blocks)
  }
}
