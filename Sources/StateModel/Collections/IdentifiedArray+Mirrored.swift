extension IdentifiedArray: Mirrored {
  /// An array of elements with ids.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .identified(element: Element.describe(in: &schema))
  }

  /// Writes the elements in order.
  public func encode(to encoder: inout CBOREncoder) {
    guard let many else {
      few.elements.encode(to: &encoder)
      return
    }
    encoder.array(count)
    many.tree.forEachBlock { block in
      let elements = block.elements.span
      for index in elements.indices {
        if encoder.isFull { return false }
        elements[index].encode(to: &encoder)
      }
      return true
    }
  }

  /// Reads an array whose elements have different ids.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let elements = try [Element](from: &decoder)
    guard let array = IdentifiedArray(checking: elements) else {
      throw DecodingFailure(.outOfRange, "two elements have the same id")
    }
    self = array
  }

  /// Whether both have identical elements in the same order.
  public func isIdentical(to other: IdentifiedArray) -> Bool {
    switch (many, other.many) {
    case (nil, nil): few.elements.isIdentical(to: other.few.elements)
    case (let a?, let b?): a.sum == b.sum && a.tree.isIdentical(to: b.tree)
    default: count == other.count && zip(self, other).allSatisfy { $0.isIdentical(to: $1) }
    }
  }

  /// An array's digest.
  public var digest: Digest {
    if let many { return Digest(arrayOf: SequenceSum(count: many.count, sum: many.sum)) }
    return few.elements.digest
  }

  /// Which elements went, moved and came, then what changed within those that stayed.
  public func writeDelta(from old: IdentifiedArray, to writer: inout DeltaWriter) {
    guard many == nil, old.many == nil else {
      writeDelta(from: old, regions: regions(from: old), to: &writer)
      return
    }
    let (before, after) = (old.few.elements, few.elements)
    if before.count == after.count {
      if after.span.isIdentical(to: before.span) { return }
      if let changed = changedElements(before, after) {
        if changed.isEmpty { return }
        writer.changes(to: self) { writer in
          for index in changed {
            writer.at(index: index) { after[index].writeDelta(from: before[index], to: &$0) }
          }
        }
        return
      }
    }
    writeOrder(
      from: old, [SharedRegion(old: 0..<before.count, new: 0..<after.count)], to: &writer)
  }

  /// The elements that differ, where both hold the same ids in the same order; else nil.
  private func changedElements(_ old: [Element], _ new: [Element]) -> [Int]? {
    var changed: [Int] = []
    for index in new.indices where !new[index].isIdentical(to: old[index]) {
      if new[index].id != old[index].id { return nil }
      changed.append(index)
    }
    return changed
  }

  /// Where this may differ from an older version.
  func regions(from old: IdentifiedArray) -> [SharedRegion] {
    if let many, let before = old.many { return many.tree.regions(from: before.tree) }
    return [SharedRegion(old: 0..<old.count, new: 0..<count)]
  }

  private func writeDelta(
    from old: IdentifiedArray, regions: [SharedRegion], to writer: inout DeltaWriter
  ) {
    var changed: [Int] = []
    for region in regions {
      guard region.old == region.new else {
        writeOrder(from: old, regions, to: &writer)
        return
      }
      for index in region.new {
        let (before, after) = (old[index], self[index])
        if after.isIdentical(to: before) { continue }
        guard after.id == before.id else {
          writeOrder(from: old, regions, to: &writer)
          return
        }
        changed.append(index)
      }
    }
    if changed.isEmpty { return }
    writer.changes(to: self) { writer in
      for index in changed { writeElement(index, from: old[index], to: &writer) }
    }
  }

  private func writeOrder(
    from old: IdentifiedArray, _ regions: [SharedRegion], to writer: inout DeltaWriter
  ) {
    let order = OrderChange(
      oldCount: old.count, newCount: count, kept: kept(from: old, regions))
    guard let moves = order.moves else {
      writer.set(self)
      return
    }
    writer.changes(to: self) { writer in
      for run in order.removals.reversed() {
        writer.splice(index: run.lowerBound, removed: run.count, items: self[0..<0])
      }
      for (from, to) in moves { writer.move(from: from, to: to) }
      for run in order.insertions {
        writer.splice(index: run.lowerBound, removed: 0, items: self[run])
      }
      for region in regions {
        for index in region.new {
          let element = self[index]
          if let origin = old.index(id: element.id) {
            writeElement(index, from: old[origin], to: &writer)
          }
        }
      }
    }
  }

  /// The runs of elements that both have, in the new order.
  private func kept(from old: IdentifiedArray, _ regions: [SharedRegion]) -> [KeptRun] {
    var kept: [KeptRun] = []
    func keep(_ run: KeptRun) {
      if run.count == 0 { return }
      if let last = kept.last, last.old + last.count == run.old, last.new + last.count == run.new {
        kept[kept.count - 1].count += run.count
      } else {
        kept.append(run)
      }
    }
    var (oldEnd, newEnd) = (0, 0)
    for region in regions {
      keep(KeptRun(old: oldEnd, new: newEnd, count: region.new.lowerBound - newEnd))
      for index in region.new {
        if let origin = old.index(id: self[index].id) {
          keep(KeptRun(old: origin, new: index, count: 1))
        }
      }
      (oldEnd, newEnd) = (region.old.upperBound, region.new.upperBound)
    }
    keep(KeptRun(old: oldEnd, new: newEnd, count: count - newEnd))
    return kept
  }

  private func writeElement(_ index: Int, from old: Element, to writer: inout DeltaWriter) {
    writer.at(index: index) { self[index].writeDelta(from: old, to: &$0) }
  }

  /// A `set` of an element, a splice, a move, or a change within an element; ids stay different.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    let differ: Bool
    switch try ArrayChanges.step(change, at: depth, count: count, of: Element.self) {
    case .element(let index):
      differ = try update(index) { (element) throws(DeltaFailure) in
        try element.apply(change, at: depth + 1)
      }
    case .splice(let range, let items): differ = splice(range, items)
    case .move(let from, let to):
      move(from: from, to: to)
      differ = true
    }
    if !differ { throw DeltaFailure("two elements have the same id", path: change.path[..<depth]) }
  }
}
