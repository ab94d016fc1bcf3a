/// A run of the entries of a `SortedDictionary`. Keys stand apart from values, so that a change of a
/// value copies no key: two versions of a block share their keys until one is added or removed.
@usableFromInline struct SortedBlock<Key: Mirrored, Value: Mirrored>: SharedBlock {
  /// A key with its encoding, which is made once, and the beginning of that as a number: most keys
  /// are told apart by it, without a look at bytes that lie elsewhere.
  @usableFromInline struct EncodedKey: Sendable {
    @usableFromInline let mark: UInt64
    @usableFromInline let bytes: [UInt8]
    @usableFromInline let key: Key

    init(bytes: [UInt8], key: Key) {
      mark = ByteComparison.firstWord(bytes.span.bytes)
      self.bytes = bytes
      self.key = key
    }

    func isIdentical(to other: EncodedKey) -> Bool {
      mark == other.mark && ByteComparison.areIdentical(bytes.span.bytes, other.bytes.span.bytes)
    }

    func precedes(_ other: EncodedKey) -> Bool {
      mark < other.mark
        || mark == other.mark
          && ByteComparison.precedes(bytes.span.bytes, other.bytes.span.bytes)
    }
  }

  @usableFromInline var keys: [EncodedKey]
  /// One fewer than there are keys while a value is taken out to be changed.
  @usableFromInline var values: [Value]

  @inlinable var count: Int { keys.count }

  /// A block's values are copied with each change: few enough for an allocation that is quick to get
  /// (about a kilobyte), and fewer where each is copied by itself, because it is not plain bytes.
  @usableFromInline static var largest: Int {
    let most = _isPOD(Value.self) ? 120 : 64
    return Swift.max(24, Swift.min(most, 960 / Swift.max(1, MemoryLayout<Value>.stride)))
  }

  @usableFromInline static var empty: SortedBlock { SortedBlock(keys: [], values: []) }

  /// A map's digest does not depend on an order; the dictionary sums up for itself.
  @inlinable static var isSummed: Bool { false }

  @usableFromInline func sum(of range: Range<Int>) -> UInt64 { 0 }

  @inlinable var mark: UInt64 { keys.isEmpty ? 0 : keys[0].mark }

  /// What the entry adds to the dictionary's sum.
  func hash(at offset: Int) -> UInt64 {
    let keys = keys.span
    let word = values[offset].digest.rawValue
    let count = keys[offset].bytes.count
    guard count <= 8 else { return XXH3.hash64(keys[offset].bytes, word: word) }
    return XXH3.hash64(bytes: keys[offset].mark.byteSwapped, count: count, word: word)
  }

  /// Whether both are the same keys in the same storage.
  @inline(__always)
  func sharesKeys(with other: SortedBlock) -> Bool {
    keys.span.isIdentical(to: other.keys.span)
  }

  @usableFromInline func slice(_ range: Range<Int>) -> SortedBlock {
    SortedBlock(keys: Array(keys[range]), values: Array(values[range]))
  }

  @usableFromInline mutating func replace(_ range: Range<Int>, with other: SortedBlock) {
    keys.replaceSubrange(range, with: other.keys)
    values.replaceSubrange(range, with: other.values)
  }

  @usableFromInline func commonPrefix(from start: Int, _ other: SortedBlock, from otherStart: Int)
    -> Int
  {
    let most = Swift.min(count - start, other.count - otherStart)
    var common = 0
    while common < most, isSame(start + common, other, otherStart + common) { common += 1 }
    return common
  }

  @usableFromInline func commonSuffix(before end: Int, _ other: SortedBlock, before otherEnd: Int)
    -> Int
  {
    let most = Swift.min(end, otherEnd)
    var common = 0
    while common < most, isSame(end - common - 1, other, otherEnd - common - 1) { common += 1 }
    return common
  }

  private func isSame(_ offset: Int, _ other: SortedBlock, _ otherOffset: Int) -> Bool {
    keys[offset].bytes == other.keys[otherOffset].bytes
      && values[offset].isIdentical(to: other.values[otherOffset])
  }

  /// Whether its first key is the given one or stands before it.
  func begins(upTo encodedKey: ArraySlice<UInt8>) -> Bool {
    let first = keys[0].bytes
    return !ByteComparison.precedes(encodedKey.span.bytes, first.span.bytes)
  }

  /// Where the key stands, or where it would be inserted.
  func find(_ encodedKey: ArraySlice<UInt8>) -> (offset: Int, isFound: Bool) {
    find(encodedKey, ByteComparison.firstWord(encodedKey.span.bytes))
  }

  /// The same of a key whose first word is known.
  func find(_ encodedKey: ArraySlice<UInt8>, _ mark: UInt64) -> (offset: Int, isFound: Bool) {
    let encodedKey = encodedKey.span.bytes
    let keys = keys.span
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      let other = keys[middle].mark
      if other < mark
        || other == mark && ByteComparison.precedes(keys[middle].bytes.span.bytes, encodedKey)
      {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let isFound =
      low < keys.count && keys[low].mark == mark
      && ByteComparison.areIdentical(keys[low].bytes.span.bytes, encodedKey)
    return (low, isFound)
  }
}
