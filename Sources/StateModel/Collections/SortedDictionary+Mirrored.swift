extension SortedDictionary: Mirrored {
  /// A map of the key's and the value's types.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .map(key: Key.describe(in: &schema), value: Value.describe(in: &schema))
  }

  /// Writes the entries in order.
  public func encode(to encoder: inout CBOREncoder) {
    encoder.map(count)
    tree.forEachBlock { block in
      if encoder.isFull { return false }
      // By span, here and in other loops over many: an iterator would retain each entry.
      let keys = block.keys.span
      let values = block.values.span
      for index in keys.indices {
        encoder.encoded(keys[index].bytes)
        values[index].encode(to: &encoder)
      }
      return true
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
    writer.changes(to: self) { writeEntries(from: old, to: &$0) }
  }

  /// The same, also where it is larger than the whole.
  func writeEntries(from old: SortedDictionary, to writer: inout DeltaWriter) {
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

  /// A `set` or a removal of an entry, or a change within its value.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    guard depth < change.path.count else {
      throw DeltaFailure("a map has no such part to change", path: change.path[..<depth])
    }
    // By span: a copy of the key's slice would cost a retain.
    let path = change.path.span
    if depth == path.count - 1 {
      if let item = change.assigned {
        do throws(DecodingFailure) {
          let value = try Value(encoded: item)
          // The key of an entry that is here has been read before.
          if assign(value, encodedKey: path[depth]) { return }
          set(value, for: try Key(encoded: path[depth]), encoded: Array(path[depth]))
        } catch {
          throw DeltaFailure(error.description, path: change.path[...depth])
        }
        return
      }
      if case .remove = change.operation {
        if remove(encodedKey: path[depth]) != nil { return }
        throw DeltaFailure("no such entry to remove", path: change.path[...depth])
      }
    }
    let found: Void? = try update(encodedKey: path[depth]) { (value) throws(DeltaFailure) in
      try value.apply(change, at: depth + 1)
    }
    if found == nil {
      throw DeltaFailure("no such entry to change", path: change.path[...depth])
    }
  }

  /// Goes through both in step, past nodes that both share, until `body` says true. It is given an
  /// entry's key, and its values before and now; nil where there is none.
  func hasDifference(
    from old: SortedDictionary, where differ: (Value, Value) -> Bool = { !$0.isIdentical(to: $1) },
    _ body: (_ encodedKey: [UInt8], Value?, Value?) -> Bool
  ) -> Bool {
    tree.forEachDifference(from: old.tree) { difference in
      var (before, after) = (Cursor(difference.old), Cursor(difference.new))
      while let was = before.block, let now = after.block {
        if before.offset == 0, after.offset == 0, was.sharesKeys(with: now) {
          let (old, new) = (was.values.span, now.values.span)
          for offset in new.indices where differ(new[offset], old[offset]) {
            if body(now.keys[offset].bytes, old[offset], new[offset]) { return true }
          }
          before.skipBlock()
          after.skipBlock()
          continue
        }
        // By span, and both blocks to the end of one of them: a cursor copies the block it is asked for.
        let (wasKeys, nowKeys) = (was.keys.span, now.keys.span)
        let (old, new) = (was.values.span, now.values.span)
        var (i, j) = (before.offset, after.offset)
        while i < wasKeys.count, j < nowKeys.count {
          if wasKeys[i].isIdentical(to: nowKeys[j]) {
            if differ(new[j], old[i]), body(nowKeys[j].bytes, old[i], new[j]) { return true }
            i += 1
            j += 1
          } else if wasKeys[i].precedes(nowKeys[j]) {
            if body(wasKeys[i].bytes, old[i], nil) { return true }
            i += 1
          } else {
            if body(nowKeys[j].bytes, nil, new[j]) { return true }
            j += 1
          }
        }
        before.go(to: i)
        after.go(to: j)
      }
      while let was = before.block {
        if body(was.keys[before.offset].bytes, was.values[before.offset], nil) { return true }
        before.step()
      }
      while let now = after.block {
        if body(now.keys[after.offset].bytes, nil, now.values[after.offset]) { return true }
        after.step()
      }
      return false
    }
  }

  /// An entry among blocks that follow one another.
  private struct Cursor {
    private var blocks: ArraySlice<BlockTree<Block>.Place>
    private(set) var offset = 0

    init(_ blocks: ArraySlice<BlockTree<Block>.Place>) { self.blocks = blocks }

    /// The entry's block, nil behind the last one.
    var block: Block? { blocks.first?.block }

    mutating func step() { go(to: offset + 1) }

    mutating func go(to offset: Int) {
      self.offset = offset
      if let block, offset == block.count { skipBlock() }
    }

    mutating func skipBlock() {
      blocks = blocks.dropFirst()
      offset = 0
    }
  }
}
