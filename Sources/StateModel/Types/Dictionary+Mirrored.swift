/// A map, in the bytewise order of the encoded keys.
///
/// Keys that `==` merges though their bytes differ (composed and decomposed text) cannot both be
/// held; where both arrive, that is an error. `SortedDictionary` holds both.
extension Dictionary: Mirrored where Key: Mirrored, Value: Mirrored {
  /// A map of the key's and the value's types.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .map(key: Key.describe(in: &schema), value: Value.describe(in: &schema))
  }

  /// Writes the entries in the order of their encoded keys.
  public func encode(to encoder: inout CBOREncoder) {
    encoder.map(count)
    if encoder.isFull { return }
    var keys = encodedKeys(of: indices)
    // Sorting takes the longest: not where keys and one byte for each value are too much already.
    guard encoder.expect(keys.reduce(count) { $0 + $1.key.count }) else { return }
    Self.sort(&keys)
    for (key, index) in keys {
      if encoder.isFull { return }
      encoder.encoded(key)
      self[index].value.encode(to: &encoder)
    }
  }

  /// Reads a map; a failure names the key.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let count = try decoder.map()
    self.init(minimumCapacity: Swift.min(count, CBORDecoder.mostReserved))
    try decoder.enter()
    try decoder.entries(count) { (encodedKey, decoder) throws(DecodingFailure) in
      let key = try Key(encoded: encodedKey)
      let value = try Value(from: &decoder)
      if updateValue(value, forKey: key) != nil {
        throw DecodingFailure(
          .outOfRange, "the key equals another one in Swift, though their bytes differ")
      }
    }
    decoder.leave()
  }

  /// Whether both hold identical values under identical keys.
  public func isIdentical(to other: [Key: Value]) -> Bool {
    guard count == other.count else { return false }
    for (key, value) in self {
      guard let index = other.index(forKey: key), key.isIdentical(to: other[index].key),
        value.isIdentical(to: other[index].value)
      else { return false }
    }
    return true
  }

  /// A map's digest.
  public var digest: Digest {
    var map = MapDigest()
    var encoder = CBOREncoder()
    for (key, value) in self {
      encoder.removeAll()
      key.encode(to: &encoder)
      map.insert(keyEncoding: encoder.bytes, value.digest)
    }
    return map.digest
  }

  /// Removals, then the changes of values, each in the order of their encoded keys.
  public func writeDelta(from old: [Key: Value], to writer: inout DeltaWriter) {
    let gone = old.indices.filter { position in
      index(forKey: old[position].key).map { !self[$0].key.isIdentical(to: old[position].key) }
        ?? true
    }
    let changed = indices.filter { position in
      let (key, value) = self[position]
      guard let before = old.index(forKey: key), key.isIdentical(to: old[before].key) else {
        return true
      }
      return !value.isIdentical(to: old[before].value)
    }
    if gone.isEmpty && changed.isEmpty { return }
    writer.changes(to: self) { writer in
      for (key, _) in old.sortedKeys(of: gone) { writer.at(key) { $0.remove() } }
      for (encodedKey, position) in sortedKeys(of: changed) {
        let (key, value) = self[position]
        writer.at(encodedKey) { writer in
          if let before = old.index(forKey: key), key.isIdentical(to: old[before].key) {
            value.writeDelta(from: old[before].value, to: &writer)
          } else {
            writer.set(value)
          }
        }
      }
    }
  }

  /// A `set` or a removal of an entry, or a change within its value.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    guard depth < change.path.count else {
      throw DeltaFailure("a map has no such part to change", path: change.path[..<depth])
    }
    let path = change.path[...depth]
    let key: Key
    do throws(DecodingFailure) {
      key = try Key(encoded: change.path[depth])
    } catch {
      throw DeltaFailure("no key of this map: \(error)", path: path)
    }
    let held = index(forKey: key)
    if let held, !self[held].key.isIdentical(to: key) {
      throw DeltaFailure(
        "the key equals another one in Swift, though their bytes differ", path: path)
    }
    if depth == change.path.count - 1 {
      switch change.operation {
      case .set(let item):
        do throws(DecodingFailure) {
          self[key] = try Value(encoded: item)
        } catch {
          throw DeltaFailure(error.description, path: path)
        }
        return
      case .remove:
        guard let held else { throw DeltaFailure("no such entry to remove", path: path) }
        remove(at: held)
        return
      case .splice, .move, .text: break
      }
    }
    guard let held else { throw DeltaFailure("no such entry to change", path: path) }
    try values[held].apply(change, at: depth + 1)
  }

  private typealias EncodedKey = (key: ArraySlice<UInt8>, position: Index)

  /// The encoded keys at `positions`, sorted bytewise.
  private func sortedKeys(of positions: some Collection<Index>) -> [EncodedKey] {
    var keys = encodedKeys(of: positions)
    Self.sort(&keys)
    return keys
  }

  private static func sort(_ keys: inout [EncodedKey]) {
    keys.sort { $0.key.lexicographicallyPrecedes($1.key) }
  }

  /// The encoded keys at `positions`.
  private func encodedKeys(of positions: some Collection<Index>) -> [EncodedKey] {
    var encoder = CBOREncoder()
    var ends: [(Int, Index)] = []
    ends.reserveCapacity(positions.count)
    for position in positions {
      self[position].key.encode(to: &encoder)
      ends.append((encoder.bytes.count, position))
    }
    let bytes = encoder.bytes
    var start = 0
    var keys: [EncodedKey] = []
    keys.reserveCapacity(ends.count)
    for (end, position) in ends {
      keys.append((bytes[start..<end], position))
      start = end
    }
    return keys
  }
}
