/// A map whose keys are told apart, and ordered, by the bytes of their encodings.
///
/// Unlike `Dictionary` it holds keys that `==` merges (composed and decomposed text), which is why
/// data from outside lives here. Entries stand in blocks on a tree, so that a copy shares all nodes
/// but those on the way to the block that is changed next, and two versions are compared without
/// looking into what they share. The sum that the digest is made of is kept up to date with each
/// change.
public struct SortedDictionary<Key: Mirrored, Value: Mirrored>: Sendable {
  typealias Block = SortedBlock<Key, Value>

  /// An entry on its way into a dictionary.
  struct Entry: Sendable {
    let encodedKey: [UInt8]
    let key: Key
    let value: Value
  }

  /// Of the entries' hashes, in any order. First, because of the room that the tree leaves in a
  /// `Value`, of which this is a case.
  private(set) var sum: UInt64 = 0
  /// Keys rise within a block and from block to block.
  private(set) var tree = BlockTree<Block>()

  /// No entries.
  public init() {}

  /// The entries given; of several with the same key the last one counts.
  public init(_ entries: some Sequence<(Key, Value)>) {
    for (key, value) in entries { set(value, for: key) }
  }

  /// Entries that are known to be in order.
  init(sorted entries: [Entry]) {
    let size = entries.count <= Block.largest ? entries.count : Block.largest * 3 / 4
    var blocks: [Block] = []
    var start = 0
    while start < entries.count {
      let run = entries[start..<Swift.min(start + size, entries.count)]
      let block = Block(
        keys: run.map { SortedBlock.EncodedKey(bytes: $0.encodedKey, key: $0.key) },
        values: run.map(\.value))
      for offset in 0..<block.count { sum &+= block.hash(at: offset) }
      blocks.append(block)
      start += size
    }
    tree = BlockTree(blocks)
  }

  /// How many entries.
  public var count: Int { tree.count }

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
      let (position, isFound) = find(encodedKey[...])
      // Taken out while it is changed, so that it has one owner and is changed in place.
      var value = isFound ? take(position) : nil
      defer {
        switch (isFound, value) {
        case (true, let value?): put(value, at: position)
        case (true, nil): close(position)
        case (false, let value?):
          insert(value, for: SortedBlock.EncodedKey(bytes: encodedKey, key: key), at: position)
        case (false, nil): break
        }
      }
      yield &value
    }
  }

  /// The value under the key with this encoding.
  public subscript(encodedKey encodedKey: some Collection<UInt8>) -> Value? {
    let encodedKey = Array(encodedKey)[...]
    guard let block = block(for: encodedKey)?.block else { return nil }
    let (offset, isFound) = block.find(encodedKey)
    return isFound ? block.values[offset] : nil
  }

  /// Sets the value under `key`.
  public mutating func set(_ value: Value, for key: Key) {
    set(value, for: key, encoded: key.encoded())
  }

  /// Removes the entry under `key`; gives its value, nil when there was none.
  @discardableResult
  public mutating func removeValue(forKey key: Key) -> Value? {
    remove(encodedKey: key.encoded()[...])
  }

  /// Changes the value under `key` in place; gives nil, and does nothing, when there is none.
  public mutating func update<Result, Failure: Error>(
    _ key: Key, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    try update(encodedKey: key.encoded()[...], body)
  }

  mutating func update<Result, Failure: Error>(
    encodedKey: ArraySlice<UInt8>, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result? {
    let (position, isFound) = find(encodedKey)
    guard isFound else { return nil }
    var change: UInt64 = 0
    // Also when `body` throws: the entry may be half changed, the sum is always that of the entries.
    defer { sum &+= change }
    return try edit(position) { (block, offset) throws(Failure) -> Result in
      change &-= block.hash(at: offset)
      defer { change &+= block.hash(at: offset) }
      return try body(&block.values[offset])
    }
  }

  mutating func set(_ value: Value, for key: Key, encoded encodedKey: [UInt8]) {
    if assign(value, encodedKey: encodedKey[...]) { return }
    let (position, _) = find(encodedKey[...])
    insert(value, for: SortedBlock.EncodedKey(bytes: encodedKey, key: key), at: position)
  }

  /// Sets the value of the entry under the key with this encoding; false when there is none.
  mutating func assign(_ value: Value, encodedKey: ArraySlice<UInt8>) -> Bool {
    let word = ByteComparison.firstWord(encodedKey.span.bytes)
    let change: UInt64?? = tree.editLastBlock(
      upTo: word, where: { $0.begins(upTo: encodedKey) },
      body: { block in
        let (offset, isFound) = block.find(encodedKey, word)
        guard isFound else { return nil }
        let before = block.hash(at: offset)
        block.values[offset] = value
        return block.hash(at: offset) &- before
      })
    guard case let change?? = change else { return false }
    sum &+= change
    return true
  }

  @discardableResult
  mutating func remove(encodedKey: ArraySlice<UInt8>) -> Value? {
    let (position, isFound) = find(encodedKey)
    guard isFound else { return nil }
    let value = take(position)
    close(position)
    return value
  }
}

/// What is done at a position, which `find` has given.
extension SortedDictionary {
  /// Changes the block that holds a position.
  private mutating func edit<Result, Failure: Error>(
    _ position: Int, _ body: (inout Block, Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    var unused: UInt64 = 0
    return try tree.edit(at: position, sum: &unused) {
      (block, _, offset) throws(Failure) -> Result in try body(&block, offset)
    }
  }

  /// Takes a value out; it must be put back, or its place closed.
  private mutating func take(_ position: Int) -> Value {
    let (value, hash) = edit(position) { block, offset in
      let hash = block.hash(at: offset)
      return (block.values.remove(at: offset), hash)
    }
    sum &-= hash
    return value
  }

  private mutating func put(_ value: Value, at position: Int) {
    sum &+= edit(position) { block, offset in
      block.values.insert(value, at: offset)
      return block.hash(at: offset)
    }
  }

  /// Removes the key of a value that has been taken out.
  private mutating func close(_ position: Int) {
    guard let place = tree.block(at: position) else { return }
    if place.block.count == 1 {
      tree.replace(place.start..<place.end, with: [])
      return
    }
    let isSmall = edit(position) { block, offset in
      block.keys.remove(at: offset)
      return block.count < Block.fewest
    }
    var unused: UInt64 = 0
    if isSmall {
      tree.splice(position..<position, with: Block(keys: [], values: []), sum: &unused)
    }
  }

  /// Adds an entry where `find` says that it belongs.
  private mutating func insert(
    _ value: Value, for key: SortedBlock<Key, Value>.EncodedKey, at position: Int
  ) {
    let block = Block(keys: [key], values: [value])
    sum &+= block.hash(at: 0)
    guard count > 0 else {
      tree = BlockTree([block])
      return
    }
    var unused: UInt64 = 0
    let isLarge = tree.edit(at: position, isInsertion: true, sum: &unused) { block, _, offset in
      block.keys.insert(key, at: offset)
      block.values.insert(value, at: offset)
      return block.count > Block.largest
    }
    if isLarge, let place = tree.block(at: position) {
      tree.replace(place.start..<place.end, with: place.block.divided())
    }
  }

  /// Where the key stands, or where it would be inserted.
  private func find(_ encodedKey: ArraySlice<UInt8>) -> (position: Int, isFound: Bool) {
    guard let place = block(for: encodedKey) else { return (0, false) }
    let (offset, isFound) = place.block.find(encodedKey)
    return (place.start + offset, isFound)
  }

  /// The block that has the key, if one has.
  private func block(for encodedKey: ArraySlice<UInt8>) -> BlockTree<Block>.Place? {
    tree.lastBlock(upTo: ByteComparison.firstWord(encodedKey.span.bytes)) {
      $0.begins(upTo: encodedKey)
    }
  }
}

extension SortedDictionary: BidirectionalCollection {
  /// A position: how many entries stand before it.
  public struct Index: Comparable, Hashable, Sendable {
    var position: Int

    /// Whether one stands before the other.
    public static func < (a: Index, b: Index) -> Bool { a.position < b.position }
  }

  /// The first entry's position.
  public var startIndex: Index { Index(position: 0) }
  /// The position behind the last entry.
  public var endIndex: Index { Index(position: count) }

  /// The position behind `index`.
  public func index(after index: Index) -> Index { Index(position: index.position + 1) }

  /// The position before `index`.
  public func index(before index: Index) -> Index { Index(position: index.position - 1) }

  /// The entry at `index`.
  public subscript(index: Index) -> (key: Key, value: Value) {
    guard index.position >= 0, index.position < count, let place = tree.block(at: index.position)
    else { preconditionFailure("There is no entry \(index.position) in a map of \(count).") }
    let offset = index.position - place.start
    return (place.block.keys[offset].key, place.block.values[offset])
  }

  /// Goes through the entries block by block.
  public func makeIterator() -> Iterator { Iterator(tree) }

  /// The entries in order.
  public struct Iterator: IteratorProtocol {
    private let tree: BlockTree<SortedBlock<Key, Value>>
    private var block = SortedBlock<Key, Value>(keys: [], values: [])
    private var offset = 0
    /// The position behind `block`.
    private var end = 0

    init(_ tree: BlockTree<SortedBlock<Key, Value>>) { self.tree = tree }

    /// The next entry.
    public mutating func next() -> (key: Key, value: Value)? {
      if offset == block.count {
        guard end < tree.count, let place = tree.block(at: end) else { return nil }
        block = place.block
        offset = 0
        end = place.end
      }
      offset += 1
      return (block.keys[offset - 1].key, block.values[offset - 1])
    }
  }

  /// The keys in order.
  public var keys: [Key] { tree.blocks.flatMap { $0.keys.map(\.key) } }

  /// The values in the order of their keys.
  public var values: [Value] { tree.blocks.flatMap(\.values) }
}

extension SortedDictionary: ExpressibleByDictionaryLiteral {
  /// The entries written in the source; of several with the same key the last one counts.
  public init(dictionaryLiteral elements: (Key, Value)...) { self.init(elements) }
}

extension SortedDictionary: Equatable {
  /// Whether both hold the same keys, byte for byte, and values that are `==`.
  public static func == (a: SortedDictionary, b: SortedDictionary) -> Bool {
    let differ: (Value, Value) -> Bool = { $0 != $1 }
    return a.count == b.count && !a.hasDifference(from: b, where: differ) { _, _, _ in true }
  }
}
