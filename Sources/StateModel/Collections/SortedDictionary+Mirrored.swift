extension SortedDictionary: Mirrored {
  /// A map of the key's and the value's types.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .map(key: Key.describe(in: &schema), value: Value.describe(in: &schema))
  }

  /// Writes the entries in order.
  public func encode(to encoder: inout CBOREncoder) {
    encoder.map(count)
    for block in blocks {
      if encoder.isFull { return }
      // By span, here and in other loops over many: an iterator would retain each entry.
      let entries = block.span
      for index in entries.indices {
        encoder.encoded(entries[index].encodedKey)
        entries[index].value.encode(to: &encoder)
      }
    }
  }

  /// Reads a map; a failure names the key.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let count = try decoder.map()
    var entries: [Entry] = []
    entries.reserveCapacity(Swift.min(count, CBORDecoder.mostReserved))
    try decoder.enter()
    try decoder.entries(count) { (encodedKey, decoder) throws(DecodingFailure) in
      entries.append(
        Entry(
          encodedKey: Array(encodedKey), key: try Key(encoded: encodedKey),
          value: try Value(from: &decoder)))
    }
    decoder.leave()
    self.init(sorted: entries)
  }

  /// Whether both hold identical values under the same keys.
  public func isIdentical(to other: SortedDictionary) -> Bool {
    if digest != other.digest { return false }
    return !hasDifference(from: other) { _ in true }
  }

  /// Removals and changes of values, in the order of their keys.
  public func writeDelta(from old: SortedDictionary, to writer: inout DeltaWriter) {
    if isIdentical(to: old) { return }
    writer.changes(to: self) { writer in
      _ = hasDifference(from: old) { difference in
        switch difference {
        case .removed(let entry): writer.at(entry.encodedKey) { $0.remove() }
        case .added(let entry): writer.at(entry.encodedKey) { $0.set(entry.value) }
        case .changed(let old, let new):
          writer.at(new.encodedKey) { new.value.writeDelta(from: old.value, to: &$0) }
        }
        return false
      }
    }
  }

  /// A `set` or a removal of an entry, or a change within its value.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    guard depth < change.path.count else {
      throw DeltaFailure("a map has no such part to change", path: change.path[..<depth])
    }
    let encodedKey = change.path[depth]
    if depth == change.path.count - 1 {
      switch change.operation {
      case .set(let item):
        do throws(DecodingFailure) {
          set(
            try Value(encoded: item), for: try Key(encoded: encodedKey), encoded: Array(encodedKey))
        } catch {
          throw DeltaFailure(error.description, path: change.path[...depth])
        }
        return
      case .remove:
        if remove(encodedKey: encodedKey) != nil { return }
        throw DeltaFailure("no such entry to remove", path: change.path[...depth])
      case .splice, .move, .text: break
      }
    }
    let found: Void? = try update(encodedKey: encodedKey) { (value) throws(DeltaFailure) in
      try value.apply(change, at: depth + 1)
    }
    if found == nil {
      throw DeltaFailure("no such entry to change", path: change.path[...depth])
    }
  }

  private enum Difference {
    case removed(Entry)
    case added(Entry)
    case changed(Entry, Entry)
  }

  /// Goes through both in step, past blocks that both share, until `body` says true.
  private func hasDifference(
    from old: SortedDictionary, _ body: (Difference) -> Bool
  ) -> Bool {
    var before = old.startIndex
    var after = startIndex
    while before < old.endIndex || after < endIndex {
      if before == old.endIndex {
        if body(.added(blocks[after.block][after.offset])) { return true }
        formIndex(after: &after)
        continue
      }
      let was = old.blocks[before.block]
      if after == endIndex {
        if body(.removed(was[before.offset])) { return true }
        old.formIndex(after: &before)
        continue
      }
      let now = blocks[after.block]
      if before.offset == 0, after.offset == 0, was.span.isIdentical(to: now.span) {
        before = Index(block: before.block + 1, offset: 0)
        after = Index(block: after.block + 1, offset: 0)
        continue
      }
      let a = was[before.offset]
      let b = now[after.offset]
      if a.encodedKey == b.encodedKey {
        if !b.value.isIdentical(to: a.value), body(.changed(a, b)) { return true }
        old.formIndex(after: &before)
        formIndex(after: &after)
      } else if a.encodedKey.lexicographicallyPrecedes(b.encodedKey) {
        if body(.removed(a)) { return true }
        old.formIndex(after: &before)
      } else {
        if body(.added(b)) { return true }
        formIndex(after: &after)
      }
    }
    return false
  }
}
