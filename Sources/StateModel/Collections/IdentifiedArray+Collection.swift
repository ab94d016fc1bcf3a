extension IdentifiedArray: RandomAccessCollection {
  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { many?.count ?? few.elements.count }

  /// The element at a position. The one set must have an id that no other has.
  public subscript(index: Int) -> Element {
    get {
      if let many { return many[index] }
      return few.elements[index]
    }
    _modify {
      if many == nil {
        yield &few[index]
        return
      }
      checkBounds(index..<index + 1)
      guard let taken = many?.take(index) else {
        preconditionFailure("An array was changed twice.")
      }
      var element = taken.element
      let id = element.id
      defer { many?.put(element, at: index, was: id, taken.digest) }
      yield &element
      precondition(
        element.id == id || !contains(id: element.id),
        "The element set at \(index) has the id \(element.id), as another one has.")
    }
  }

  /// Goes through the elements block by block.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The elements in order.
  public struct Iterator: IteratorProtocol {
    private let many: IdentifiedTree<Element>?
    private var run: [Element]
    private var offset = 0
    /// The position behind `run`.
    private var end: Int

    init(_ array: IdentifiedArray) {
      many = array.many
      run = array.few.elements
      end = run.count
    }

    /// The next element.
    public mutating func next() -> Element? {
      if offset == run.count {
        guard let many, end < many.count, let place = many.tree.block(at: end) else { return nil }
        run = place.block.elements
        offset = 0
        end = place.end
      }
      offset += 1
      return run[offset - 1]
    }
  }
}

extension IdentifiedArray: Equatable, ExpressibleByArrayLiteral {
  /// Whether both have the same elements in the same order.
  public static func == (a: IdentifiedArray, b: IdentifiedArray) -> Bool {
    guard let one = a.many, let other = b.many else {
      return a.many == nil && b.many == nil
        ? a.few.elements == b.few.elements : a.elementsEqual(b)
    }
    if one.count != other.count { return false }
    var isShifted = false
    let isDifferent = one.tree.forEachDifference(from: other.tree) { difference in
      let new = difference.new.flatMap(\.block.elements)
      let old = difference.old.flatMap(\.block.elements)
      isShifted = difference.newStart != difference.oldStart || new.count != old.count
      return isShifted || new != old
    }
    return isShifted ? a.elementsEqual(b) : !isDifferent
  }

  /// The elements written in the source, whose ids must differ.
  public init(arrayLiteral elements: Element...) { self.init(uniqueElements: elements) }
}
