extension IdentifiedArray: Mirrored {
  /// An array of elements with ids.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .identified(element: Element.describe(in: &schema))
  }

  /// Writes the elements in order.
  @inlinable
  public func encode(to encoder: inout CBOREncoder) { elements.encode(to: &encoder) }

  /// Reads an array whose elements have different ids.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let elements = try [Element](from: &decoder)
    guard let array = IdentifiedArray(checking: elements) else {
      throw DecodingFailure(.outOfRange, "two elements have the same id")
    }
    self = array
  }

  /// Whether both have identical elements in the same order.
  @inlinable
  public func isIdentical(to other: IdentifiedArray) -> Bool {
    elements.isIdentical(to: other.elements)
  }

  /// An array's digest.
  @inlinable
  public var digest: Digest { elements.digest }

  /// Which elements went, moved and came, then what changed within those that stayed.
  public func writeDelta(from old: IdentifiedArray, to writer: inout DeltaWriter) {
    if count == old.count, elements.span.isIdentical(to: old.elements.span) { return }
    if let changed = changedElements(from: old) {
      if changed.isEmpty { return }
      writer.changes(to: self) { writer in
        for index in changed { writeElement(index, from: old[index], to: &writer) }
      }
      return
    }
    let origins = elements.map { old.index(id: $0.id) }
    let order = OrderChange(oldCount: old.count, origins: origins)
    guard let moves = order.moves else {
      writer.set(self)
      return
    }
    writer.changes(to: self) { writer in
      for run in order.removals.reversed() {
        writer.splice(index: run.lowerBound, removed: run.count, items: elements[0..<0])
      }
      for (from, to) in moves { writer.move(from: from, to: to) }
      for run in order.insertions {
        writer.splice(index: run.lowerBound, removed: 0, items: elements[run])
      }
      for (index, origin) in origins.enumerated() {
        if let origin { writeElement(index, from: old[origin], to: &writer) }
      }
    }
  }

  /// The elements that differ, where both hold the same ids in the same order; else nil.
  private func changedElements(from old: IdentifiedArray) -> [Int]? {
    guard count == old.count else { return nil }
    var changed: [Int] = []
    for index in indices where !self[index].isIdentical(to: old[index]) {
      if self[index].id != old[index].id { return nil }
      changed.append(index)
    }
    return changed
  }

  private func writeElement(_ index: Int, from old: Element, to writer: inout DeltaWriter) {
    writer.at(index: index) { elements[index].writeDelta(from: old, to: &$0) }
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
