/// A map whose keys are told apart, and ordered, by the bytes of their encodings.
///
/// Unlike `Dictionary` it holds keys that `==` merges (composed and decomposed text), which is why
/// data from outside lives here. Entries stand in blocks, so that a copy shares all blocks but the
/// one that is changed next, and two versions are compared without looking into shared blocks. The
/// sum that the digest is made of is kept up to date with each change.
public struct SortedDictionary<Key: Mirrored, Value: Mirrored>: Sendable {
  struct Entry: Sendable {
    let encodedKey: [UInt8]
    let key: Key
    var value: Value

    var hash: UInt64 { XXH3.hash64(encodedKey, word: value.digest.rawValue) }
  }

  /// None is empty; keys rise within a block and from block to block.
  private(set) var blocks: [[Entry]] = []
  private var sum: UInt64 = 0
  /// In 32 bits, so that a `Value`, of which this is a case, takes 24 bytes and not 32.
  private var storedCount: UInt32 = 0

  /// A block that grows beyond this is halved.
  private static var largestBlock: Int { 64 }

  /// No entries.
  public init() {}

  /// The entries given; of several with the same key the last one counts.
  public init(_ entries: some Sequence<(Key, Value)>) {
    for (key, value) in entries { self[key] = value }
  }

  /// Entries that are known to be in order.
  init(sorted entries: [Entry]) {
    storedCount = UInt32(entries.count)
    for entry in entries { sum &+= entry.hash }
    if entries.count <= Self.largestBlock {
      if !entries.isEmpty { blocks = [entries] }
      return
    }
    let size = Self.largestBlock * 3 / 4
    blocks = stride(from: 0, to: entries.count, by: size).map { start in
      Array(entries[start..<Swift.min(start + size, entries.count)])
    }
  }

  /// How many entries.
  public var count: Int { Int(storedCount) }

  /// A map's digest.
  public var digest: Digest { Digest(mapOf: count, sum: sum) }

  /// The value under `key`; setting nil removes the entry.
  public subscript(key: Key) -> Value? {
    get { self[encodedKey: key.encoded()] }
    _modify {
      // Taken out while it is changed, so that it has one owner and is changed in place.
      let encodedKey = key.encoded()
      var value = remove(encodedKey: encodedKey)
      defer { if let value { set(value, for: key, encoded: encodedKey) } }
      yield &value
    }
  }

  /// The value under the key with this encoding.
  public subscript(encodedKey encodedKey: some Collection<UInt8>) -> Value? {
    let (position, isFound) = find(encodedKey)
    return isFound ? blocks[position.block][position.offset].value : nil
  }

  /// Sets the value under `key`.
  public mutating func set(_ value: Value, for key: Key) {
    set(value, for: key, encoded: key.encoded())
  }

  /// Removes the entry under `key`; gives its value, nil when there was none.
  @discardableResult
  public mutating func removeValue(forKey key: Key) -> Value? {
    remove(encodedKey: key.encoded())
  }

  /// Changes the value under `key` in place; gives nil, and does nothing, when there is none.
  public mutating func update<Result, Failure: Error>(
    _ key: Key, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try update(encodedKey: key.encoded(), body)
  }

  mutating func update<Result, Failure: Error>(
    encodedKey: some Collection<UInt8>, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let (position, isFound) = find(encodedKey)
    guard isFound else { return nil }
    sum &-= blocks[position.block][position.offset].hash
    // Also when `body` throws: the entry may be half changed, the sum is always that of the entries.
    defer { sum &+= blocks[position.block][position.offset].hash }
    return try body(&blocks[position.block][position.offset].value)
  }

  mutating func set(_ value: Value, for key: Key, encoded encodedKey: [UInt8]) {
    let (position, isFound) = find(encodedKey)
    if isFound {
      sum &-= blocks[position.block][position.offset].hash
      blocks[position.block][position.offset].value = value
      sum &+= blocks[position.block][position.offset].hash
      return
    }
    let entry = Entry(encodedKey: encodedKey, key: key, value: value)
    sum &+= entry.hash
    storedCount += 1
    guard !blocks.isEmpty else {
      blocks.append([entry])
      return
    }
    blocks[position.block].insert(entry, at: position.offset)
    if blocks[position.block].count > Self.largestBlock { halve(position.block) }
  }

  @discardableResult
  mutating func remove(encodedKey: some Collection<UInt8>) -> Value? {
    let (position, isFound) = find(encodedKey)
    guard isFound else { return nil }
    let entry = blocks[position.block].remove(at: position.offset)
    if blocks[position.block].isEmpty { blocks.remove(at: position.block) }
    sum &-= entry.hash
    storedCount -= 1
    return entry.value
  }

  private mutating func halve(_ block: Int) {
    let middle = blocks[block].count / 2
    let upper = Array(blocks[block][middle...])
    blocks[block].removeSubrange(middle...)
    blocks.insert(upper, at: block + 1)
  }

  /// Where the key stands, or where it would be inserted (in the block before rather than the one
  /// behind).
  private func find(_ encodedKey: some Collection<UInt8>) -> (position: Index, isFound: Bool) {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) / 2
      if encodedKey.lexicographicallyPrecedes(blocks[middle][0].encodedKey) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    guard low > 0 else { return (Index(block: 0, offset: 0), false) }
    let block = low - 1
    low = 0
    high = blocks[block].count
    while low < high {
      let middle = (low + high) / 2
      if blocks[block][middle].encodedKey.lexicographicallyPrecedes(encodedKey) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let isFound =
      low < blocks[block].count && blocks[block][low].encodedKey.elementsEqual(encodedKey)
    return (Index(block: block, offset: low), isFound)
  }
}

extension SortedDictionary: BidirectionalCollection {
  /// A position: a block and an entry in it.
  public struct Index: Comparable, Hashable, Sendable {
    var block: Int
    var offset: Int

    /// Whether one stands before the other.
    public static func < (a: Index, b: Index) -> Bool { (a.block, a.offset) < (b.block, b.offset) }
  }

  /// The first entry's position.
  public var startIndex: Index { Index(block: 0, offset: 0) }
  /// The position behind the last entry.
  public var endIndex: Index { Index(block: blocks.count, offset: 0) }

  /// The position behind `index`.
  public func index(after index: Index) -> Index {
    index.offset + 1 < blocks[index.block].count
      ? Index(block: index.block, offset: index.offset + 1)
      : Index(block: index.block + 1, offset: 0)
  }

  /// The position before `index`.
  public func index(before index: Index) -> Index {
    index.offset > 0
      ? Index(block: index.block, offset: index.offset - 1)
      : Index(block: index.block - 1, offset: blocks[index.block - 1].count - 1)
  }

  /// The entry at `index`.
  public subscript(index: Index) -> (key: Key, value: Value) {
    let entry = blocks[index.block][index.offset]
    return (entry.key, entry.value)
  }

  /// The keys in order.
  public var keys: [Key] { blocks.flatMap { $0.map(\.key) } }

  /// The values in the order of their keys.
  public var values: [Value] { blocks.flatMap { $0.map(\.value) } }
}

extension SortedDictionary: ExpressibleByDictionaryLiteral {
  /// The entries written in the source; of several with the same key the last one counts.
  public init(dictionaryLiteral elements: (Key, Value)...) { self.init(elements) }
}

extension SortedDictionary: Equatable {
  /// Whether both hold the same keys, byte for byte, and values that are `==`.
  public static func == (a: SortedDictionary, b: SortedDictionary) -> Bool {
    a.count == b.count
      && zip(a.blocks.joined(), b.blocks.joined()).allSatisfy {
        $0.encodedKey == $1.encodedKey && $0.value == $1.value
      }
  }
}
