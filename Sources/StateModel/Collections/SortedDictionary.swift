/// A map whose keys are told apart, and ordered, by the bytes of their encodings.
///
/// Unlike `Dictionary` it holds keys that `==` merges (composed and decomposed text), which is why
/// data from outside lives here. Entries stand in blocks, so that a copy shares all blocks but the
/// one that is changed next, and two versions are compared without looking into shared blocks. The
/// sum that the digest is made of is kept up to date with each change.
public struct SortedDictionary<Key: Mirrored, Value: Mirrored>: Sendable {
  /// A key with its encoding, which is made once.
  struct EncodedKey: Sendable {
    let bytes: [UInt8]
    let key: Key
  }

  /// A run of entries. Keys stand apart from values, so that a change of a value copies no key: two
  /// versions of a block share their keys until one is added or removed.
  struct Block: Sendable {
    var keys: [EncodedKey]
    var values: [Value]

    var count: Int { keys.count }

    /// What the entry adds to the sum.
    func hash(at offset: Int) -> UInt64 {
      XXH3.hash64(keys[offset].bytes, word: values[offset].digest.rawValue)
    }

    /// Whether both are the same keys in the same storage.
    func sharesKeys(with other: Block) -> Bool { keys.span.isIdentical(to: other.keys.span) }

    /// Whether both are the same entries in the same storage.
    func isShared(with other: Block) -> Bool {
      sharesKeys(with: other) && values.span.isIdentical(to: other.values.span)
    }

    /// Takes out the entries from `offset` on.
    mutating func split(at offset: Int) -> Block {
      let upper = Block(keys: Array(keys[offset...]), values: Array(values[offset...]))
      keys.removeSubrange(offset...)
      values.removeSubrange(offset...)
      return upper
    }
  }

  /// An entry on its way into a dictionary.
  struct Entry: Sendable {
    let encodedKey: [UInt8]
    let key: Key
    let value: Value
  }

  /// None is empty; keys rise within a block and from block to block.
  private(set) var blocks: [Block] = []
  private var sum: UInt64 = 0
  /// In 32 bits, so that a `Value`, of which this is a case, takes 24 bytes and not 32.
  private var storedCount: UInt32 = 0

  /// A block that grows beyond this is halved. Its values are copied with each change: few enough
  /// for an allocation that is quick to get (about a kilobyte), and fewer where each is copied by
  /// itself, because it is not plain bytes.
  private static var largestBlock: Int {
    let most = _isPOD(Value.self) ? 120 : 64
    return Swift.max(24, Swift.min(most, 960 / Swift.max(1, MemoryLayout<Value>.stride)))
  }

  /// No entries.
  public init() {}

  /// The entries given; of several with the same key the last one counts.
  public init(_ entries: some Sequence<(Key, Value)>) {
    for (key, value) in entries { set(value, for: key) }
  }

  /// Entries that are known to be in order.
  init(sorted entries: [Entry]) {
    storedCount = UInt32(entries.count)
    let size = entries.count <= Self.largestBlock ? entries.count : Self.largestBlock * 3 / 4
    var start = 0
    while start < entries.count {
      let run = entries[start..<Swift.min(start + size, entries.count)]
      let block = Block(
        keys: run.map { EncodedKey(bytes: $0.encodedKey, key: $0.key) }, values: run.map(\.value))
      for offset in 0..<block.count { sum &+= block.hash(at: offset) }
      blocks.append(block)
      start += size
    }
  }

  /// How many entries.
  public var count: Int { Int(storedCount) }

  /// A map's digest.
  public var digest: Digest { Digest(mapOf: count, sum: sum) }

  /// The value under `key`; setting nil removes the entry.
  public subscript(key: Key) -> Value? {
    get { self[encodedKey: key.encoded()] }
    set {
      if let newValue { set(newValue, for: key) } else { removeValue(forKey: key) }
    }
    _modify {
      let encodedKey = key.encoded()
      let (position, isFound) = find(encodedKey)
      var value: Value?
      if isFound {
        // Taken out while it is changed, so that it has one owner and is changed in place.
        sum &-= blocks[position.block].hash(at: position.offset)
        value = blocks[position.block].values.remove(at: position.offset)
      }
      defer {
        switch (isFound, value) {
        case (true, let value?):
          blocks[position.block].values.insert(value, at: position.offset)
          sum &+= blocks[position.block].hash(at: position.offset)
        case (true, nil): removeKey(at: position)
        case (false, let value?):
          insert(value, for: EncodedKey(bytes: encodedKey, key: key), at: position)
        case (false, nil): break
        }
      }
      yield &value
    }
  }

  /// The value under the key with this encoding.
  public subscript(encodedKey encodedKey: some Collection<UInt8>) -> Value? {
    let (position, isFound) = find(encodedKey)
    return isFound ? blocks[position.block].values[position.offset] : nil
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
    sum &-= blocks[position.block].hash(at: position.offset)
    // Also when `body` throws: the entry may be half changed, the sum is always that of the entries.
    defer { sum &+= blocks[position.block].hash(at: position.offset) }
    return try body(&blocks[position.block].values[position.offset])
  }

  mutating func set(_ value: Value, for key: Key, encoded encodedKey: [UInt8]) {
    let (position, isFound) = find(encodedKey)
    if isFound {
      assign(value, at: position)
    } else {
      insert(value, for: EncodedKey(bytes: encodedKey, key: key), at: position)
    }
  }

  /// Sets the value of the entry under the key with this encoding; false when there is none.
  mutating func assign(_ value: Value, encodedKey: some Collection<UInt8>) -> Bool {
    let (position, isFound) = find(encodedKey)
    if isFound { assign(value, at: position) }
    return isFound
  }

  private mutating func assign(_ value: Value, at position: Index) {
    sum &-= blocks[position.block].hash(at: position.offset)
    blocks[position.block].values[position.offset] = value
    sum &+= blocks[position.block].hash(at: position.offset)
  }

  @discardableResult
  mutating func remove(encodedKey: some Collection<UInt8>) -> Value? {
    let (position, isFound) = find(encodedKey)
    guard isFound else { return nil }
    sum &-= blocks[position.block].hash(at: position.offset)
    let value = blocks[position.block].values.remove(at: position.offset)
    removeKey(at: position)
    return value
  }

  /// Adds an entry where `find` says that it belongs.
  private mutating func insert(_ value: Value, for key: EncodedKey, at position: Index) {
    storedCount += 1
    guard !blocks.isEmpty else {
      blocks.append(Block(keys: [key], values: [value]))
      sum &+= blocks[0].hash(at: 0)
      return
    }
    let block = position.block
    blocks[block].keys.insert(key, at: position.offset)
    blocks[block].values.insert(value, at: position.offset)
    sum &+= blocks[block].hash(at: position.offset)
    if blocks[block].count > Self.largestBlock {
      let upper = blocks[block].split(at: blocks[block].count / 2)
      blocks.insert(upper, at: block + 1)
    }
  }

  /// Removes what is left of an entry whose value has been taken out.
  private mutating func removeKey(at position: Index) {
    blocks[position.block].keys.remove(at: position.offset)
    if blocks[position.block].keys.isEmpty { blocks.remove(at: position.block) }
    storedCount -= 1
  }

  /// Where the key stands, or where it would be inserted (in the block before rather than the one
  /// behind).
  private func find(_ encodedKey: some Collection<UInt8>) -> (position: Index, isFound: Bool) {
    let found = encodedKey.withContiguousStorageIfAvailable { find($0.span.bytes) }
    if let found { return found }
    let bytes = Array(encodedKey)
    return find(bytes.span.bytes)
  }

  private func find(_ encodedKey: RawSpan) -> (position: Index, isFound: Bool) {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) / 2
      let first = blocks[middle].keys[0].bytes
      if ByteComparison.precedes(encodedKey, first.span.bytes) {
        high = middle
      } else {
        low = middle + 1
      }
    }
    guard low > 0 else { return (Index(block: 0, offset: 0), false) }
    let block = low - 1
    let stored = blocks[block].keys
    let keys = stored.span
    low = 0
    high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if ByteComparison.precedes(keys[middle].bytes.span.bytes, encodedKey) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let isFound =
      low < keys.count && ByteComparison.areIdentical(keys[low].bytes.span.bytes, encodedKey)
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
    let block = blocks[index.block]
    return (block.keys[index.offset].key, block.values[index.offset])
  }

  /// The keys in order.
  public var keys: [Key] { blocks.flatMap { $0.keys.map(\.key) } }

  /// The values in the order of their keys.
  public var values: [Value] { blocks.flatMap(\.values) }
}

extension SortedDictionary: ExpressibleByDictionaryLiteral {
  /// The entries written in the source; of several with the same key the last one counts.
  public init(dictionaryLiteral elements: (Key, Value)...) { self.init(elements) }
}

extension SortedDictionary: Equatable {
  /// Whether both hold the same keys, byte for byte, and values that are `==`.
  public static func == (a: SortedDictionary, b: SortedDictionary) -> Bool {
    a.count == b.count
      && zip(a.blocks.lazy.flatMap(\.keys), b.blocks.lazy.flatMap(\.keys)).allSatisfy {
        $0.bytes == $1.bytes
      }
      && zip(a.blocks.lazy.flatMap(\.values), b.blocks.lazy.flatMap(\.values)).allSatisfy(==)
  }
}
