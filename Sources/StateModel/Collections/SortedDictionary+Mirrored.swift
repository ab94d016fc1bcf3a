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
      let keys = block.keys.span
      let values = block.values.span
      for index in keys.indices {
        encoder.encoded(keys[index].bytes)
        values[index].encode(to: &encoder)
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
    return !hasDifference(from: other) { _, _, _ in true }
  }

  /// Removals and changes of values, in the order of their keys.
  public func writeDelta(from old: SortedDictionary, to writer: inout DeltaWriter) {
    writer.changes(to: self) { writer in
      _ = hasDifference(from: old) { encodedKey, was, now in
        writer.at(encodedKey) { writer in
          switch (was, now) {
          case (let was?, let now?): now.writeDelta(from: was, to: &writer)
          case (nil, let now?): writer.set(now)
          case (_, nil): writer.remove()
          }
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
          let value = try Value(encoded: item)
          // The key of an entry that is here has been read before.
          if assign(value, encodedKey: encodedKey) { return }
          set(value, for: try Key(encoded: encodedKey), encoded: Array(encodedKey))
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

  /// Goes through both in step, past blocks that both share, until `body` says true. It is given an
  /// entry's key, and its values before and now; nil where there is none.
  private func hasDifference(
    from old: SortedDictionary, _ body: (_ encodedKey: [UInt8], Value?, Value?) -> Bool
  ) -> Bool {
    var before = old.startIndex
    var after = startIndex
    // Most are shared, and passed here without a look into them.
    let (oldBlocks, newBlocks) = (old.blocks.span, blocks.span)
    while before.block < old.blocks.count, after.block < blocks.count {
      if before.offset == 0, after.offset == 0,
        oldBlocks[before.block].isShared(with: newBlocks[after.block])
      {
        before.block += 1
        after.block += 1
        continue
      }
      let was = old.blocks[before.block]
      let now = blocks[after.block]
      if before.offset == 0, after.offset == 0, was.sharesKeys(with: now) {
        let (old, new) = (was.values.span, now.values.span)
        for offset in new.indices where !new[offset].isIdentical(to: old[offset]) {
          if body(now.keys[offset].bytes, old[offset], new[offset]) { return true }
        }
        before = Index(block: before.block + 1, offset: 0)
        after = Index(block: after.block + 1, offset: 0)
        continue
      }
      let a = was.keys[before.offset].bytes
      let b = now.keys[after.offset].bytes
      if a == b {
        let (old, new) = (was.values[before.offset], now.values[after.offset])
        if !new.isIdentical(to: old), body(b, old, new) { return true }
        before = step(after: before, in: was)
        after = step(after: after, in: now)
      } else if ByteComparison.precedes(a.span.bytes, b.span.bytes) {
        if body(a, was.values[before.offset], nil) { return true }
        before = step(after: before, in: was)
      } else {
        if body(b, nil, now.values[after.offset]) { return true }
        after = step(after: after, in: now)
      }
    }
    while before.block < old.blocks.count {
      let was = old.blocks[before.block]
      if body(was.keys[before.offset].bytes, was.values[before.offset], nil) { return true }
      before = step(after: before, in: was)
    }
    while after.block < blocks.count {
      let now = blocks[after.block]
      if body(now.keys[after.offset].bytes, nil, now.values[after.offset]) { return true }
      after = step(after: after, in: now)
    }
    return false
  }

  /// The position behind `index`, which is in `block`.
  private func step(after index: Index, in block: Block) -> Index {
    index.offset + 1 < block.count
      ? Index(block: index.block, offset: index.offset + 1)
      : Index(block: index.block + 1, offset: 0)
  }
}
