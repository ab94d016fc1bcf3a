/// The elements of an array `Value`, with the sum that its digest is made of.
///
/// The sum is brought up to date with each change. Few elements are a plain array; many stand in
/// blocks on a tree, so that a change, a copy, and the comparison of two versions cost what changed
/// and not what there is.
public struct ValueArray: Sendable {
  private enum Storage: Sendable {
    case few([Value])
    case many(BlockTree<ValueBlock>)
  }

  /// First, because of the room that the other one leaves in a `Value`.
  private var sum: UInt64
  private var storage: Storage

  /// The elements given.
  public init(_ elements: [Value]) {
    if elements.count <= Self.mostInOne {
      sum = SequenceSum(digestsOf: elements).sum
      storage = .few(elements)
    } else {
      let tree = BlockTree(ValueBlock(elements: elements).divided())
      sum = tree.sum
      storage = .many(tree)
    }
  }

  /// More elements than this are divided into blocks.
  private static var mostInOne: Int { 32 }

  private var sequenceSum: SequenceSum { SequenceSum(count: count, sum: sum) }

  /// An array's digest.
  public var digest: Digest { Digest(arrayOf: sequenceSum) }

  /// Whether both have identical elements in the same order.
  public func isIdentical(to other: ValueArray) -> Bool {
    guard count == other.count, sum == other.sum else { return false }
    switch (storage, other.storage) {
    case (.few(let a), .few(let b)): return a.isIdentical(to: b)
    case (.many(let a), .many(let b)): return a.isIdentical(to: b)
    default: return zip(self, other).allSatisfy { $0.isIdentical(to: $1) }
    }
  }

  /// What is known, without a comparison of all elements, to be in this and in an older version.
  func sharedRuns(with old: ValueArray) -> SharedRuns {
    guard case (.many(let new), .many(let old)) = (storage, old.storage) else {
      return SharedRuns()
    }
    return SharedRuns(between: new.regions(from: old), newCount: new.count)
  }

  /// Writes the elements, as far as the encoder has use for them.
  func encodeElements(to encoder: inout CBOREncoder) {
    switch storage {
    case .few(let elements): Self.encode(elements, to: &encoder)
    case .many(let tree): tree.forEachBlock { Self.encode($0.elements, to: &encoder) }
    }
  }

  /// False once the encoder is full.
  @discardableResult
  private static func encode(_ elements: [Value], to encoder: inout CBOREncoder) -> Bool {
    let span = elements.span
    for index in span.indices {
      if encoder.isFull { return false }
      span[index].encode(to: &encoder)
    }
    return true
  }

  /// Changes an element in place.
  mutating func update<Result, Failure: Error>(
    _ index: Int, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch storage {
    case .few(var elements):
      let count = elements.count
      // Emptied meanwhile, so that the elements have one owner.
      storage = .few([])
      defer { storage = .few(elements) }
      return try Self.update(&elements, index, of: count, &sum, body)
    case .many(var tree):
      storage = .few([])
      defer { storage = .many(tree) }
      return try tree.edit(at: index, sum: &sum) {
        (block, sum, offset) throws(Failure) -> Result in
        try Self.update(&block.elements, offset, of: block.elements.count, &sum, body)
      }
    }
  }

  private static func update<Result, Failure: Error>(
    _ elements: inout [Value], _ index: Int, of count: Int, _ sum: inout UInt64,
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = elements[index].digest.rawValue
    // Also when `body` throws: the sum is always that of the elements.
    defer {
      var changed = SequenceSum(count: count, sum: sum)
      changed.replace(at: index, before, by: elements[index].digest.rawValue)
      sum = changed.sum
    }
    return try body(&elements[index])
  }
}

extension ValueArray: RandomAccessCollection, MutableCollection, RangeReplaceableCollection {
  /// No elements.
  public init() { self.init([]) }

  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int {
    switch storage {
    case .few(let elements): elements.count
    case .many(let tree): tree.count
    }
  }

  /// An element.
  public subscript(index: Int) -> Value {
    get {
      switch storage {
      case .few(let elements): return elements[index]
      case .many(let tree):
        guard indices.contains(index), let place = tree.block(at: index) else {
          preconditionFailure("There is no element \(index) in an array of \(count).")
        }
        return place.block.elements[index - place.start]
      }
    }
    set { update(index) { $0 = newValue } }
  }

  /// Replaces a range of elements.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with newElements: some Collection<Value>
  ) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count,
      "There are no elements \(range) in an array of \(count).")
    switch storage {
    case .few(var elements):
      let new = Array(newElements)
      if elements.count - range.count + new.count > Self.mostInOne {
        elements.replaceSubrange(range, with: new)
        self = ValueArray(elements)
        return
      }
      storage = .few([])
      var changed = SequenceSum(count: elements.count, sum: sum)
      changed.splice(
        at: range.lowerBound, SequenceSum(digestsOf: elements[range]),
        by: SequenceSum(digestsOf: new)
      ) { SequenceSum(digestsOf: elements[$0]) }
      sum = changed.sum
      elements.replaceSubrange(range, with: new)
      storage = .few(elements)
    case .many(var tree):
      storage = .few([])
      tree.splice(range, with: ValueBlock(elements: Array(newElements)), sum: &sum)
      // Half as few again, so that an array at the border does not change its form with each change.
      storage =
        tree.count > Self.mostInOne / 2
        ? .many(tree) : .few(tree.blocks.flatMap(\.elements))
    }
  }

  /// Goes through the elements block by block.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The elements in order.
  public struct Iterator: IteratorProtocol {
    private let tree: BlockTree<ValueBlock>?
    private var block: [Value]
    private var offset = 0
    private var end: Int

    init(_ array: ValueArray) {
      switch array.storage {
      case .few(let elements):
        tree = nil
        block = elements
        end = elements.count
      case .many(let tree):
        self.tree = tree
        block = []
        end = 0
      }
    }

    /// The next element.
    public mutating func next() -> Value? {
      if offset == block.count {
        guard let tree, end < tree.count, let place = tree.block(at: end) else { return nil }
        block = place.block.elements
        offset = 0
        end = place.end
      }
      offset += 1
      return block[offset - 1]
    }
  }
}

extension ValueArray: Equatable, ExpressibleByArrayLiteral {
  /// Whether both are identical.
  public static func == (a: ValueArray, b: ValueArray) -> Bool { a.isIdentical(to: b) }

  /// The elements written in the source.
  public init(arrayLiteral elements: Value...) { self.init(elements) }
}
