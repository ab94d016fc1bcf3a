/// The elements of an array `Value`, with the sum that its digest is made of.
///
/// The sum is brought up to date with each change, so that the digest of a value with many
/// elements costs what changed.
public struct ValueArray: Sendable {
  private var elements: [Value]
  private var sum: UInt64

  /// The elements given.
  public init(_ elements: [Value]) {
    self.elements = elements
    sum = SequenceSum(digestsOf: elements).sum
  }

  private var sequenceSum: SequenceSum { SequenceSum(count: elements.count, sum: sum) }

  /// An array's digest.
  public var digest: Digest { Digest(arrayOf: sequenceSum) }

  /// Whether both have identical elements in the same order.
  public func isIdentical(to other: ValueArray) -> Bool {
    guard count == other.count, sum == other.sum else { return false }
    return elements.span.isIdentical(to: other.elements.span)
      || elements.indices.allSatisfy { elements[$0].isIdentical(to: other.elements[$0]) }
  }

  /// Changes an element in place.
  mutating func update<Result, Failure: Error>(
    _ index: Int, _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let before = elements[index].digest.rawValue
    // Also when `body` throws: the sum is always that of the elements.
    defer {
      var changed = sequenceSum
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
  public var endIndex: Int { elements.count }

  /// An element.
  public subscript(index: Int) -> Value {
    get { elements[index] }
    set { update(index) { $0 = newValue } }
  }

  /// Replaces a range of elements.
  public mutating func replaceSubrange(
    _ range: Range<Int>, with newElements: some Collection<Value>
  ) {
    var changed = sequenceSum
    changed.splice(
      at: range.lowerBound, SequenceSum(digestsOf: elements[range]),
      by: SequenceSum(digestsOf: newElements)
    ) { SequenceSum(digestsOf: elements[$0]) }
    sum = changed.sum
    elements.replaceSubrange(range, with: newElements)
  }
}

extension ValueArray: Equatable, ExpressibleByArrayLiteral {
  /// Whether both are identical.
  public static func == (a: ValueArray, b: ValueArray) -> Bool { a.isIdentical(to: b) }

  /// The elements written in the source.
  public init(arrayLiteral elements: Value...) { self.init(elements) }
}
