/// An array whose elements are told apart by their `id`: order is kept, an element is found by its
/// id, and a delta says which elements came, went, moved and changed.
///
/// On the wire it is the array of its elements. Few elements are a plain array; many stand in blocks
/// on a tree whose nodes copies share, so that whatever is done to one element costs the logarithm of
/// their number.
public struct IdentifiedArray<Element: Identifiable & Mirrored>: Sendable
where Element.ID: Mirrored & Hashable {
  /// What tells the elements apart.
  public typealias ID = Element.ID

  /// The elements while they are few; without elements when they are many.
  var few = IdentifiedRun<Element>()
  /// The elements when they are many.
  var many: IdentifiedTree<Element>?

  /// More elements than this stand on a tree.
  static var mostInOne: Int { 32 }

  /// No elements.
  public init() {}

  /// The elements given; of several with the same id the first one counts.
  public init(_ elements: some Sequence<Element>) {
    for element in elements where few.position(of: element.id) == nil {
      few.insert(element, at: few.elements.count)
    }
    spread()
  }

  /// The elements given, whose ids must differ.
  public init(uniqueElements elements: some Sequence<Element>) {
    for element in elements {
      precondition(
        few.position(of: element.id) == nil,
        "Two elements have the id \(element.id). Use init(_:), which keeps the first one.")
      few.insert(element, at: few.elements.count)
    }
    spread()
  }

  /// The elements given; nil when two have the same id.
  init?(checking elements: [Element]) {
    if elements.count > Self.mostInOne {
      guard let tree = IdentifiedTree(checking: elements) else { return nil }
      many = tree
    } else {
      guard let run = IdentifiedRun(checking: elements) else { return nil }
      few = run
    }
  }

  /// Goes over to a tree where elements have become many.
  private mutating func spread() {
    if few.elements.count <= Self.mostInOne { return }
    many = IdentifiedTree(checking: few.elements)
    few = IdentifiedRun()
  }

  /// Goes back from a tree where elements have become few: half as few, so that an array at the
  /// border does not change its form with each change.
  private mutating func gather() {
    guard let tree = many, tree.count <= Self.mostInOne / 2 else { return }
    many = nil
    few = IdentifiedRun(checking: tree.elements) ?? IdentifiedRun()
  }

  /// The elements in order; where they are many, a copy.
  public var elements: [Element] { many?.elements ?? few.elements }

  /// The ids in order.
  public var ids: [ID] { map(\.id) }

  /// The position of the element with this id, nil when there is none.
  public func index(id: ID) -> Int? {
    if let many { return many.position(of: id) }
    return few.position(of: id)
  }

  /// Whether there is an element with this id.
  public func contains(id: ID) -> Bool { index(id: id) != nil }

  /// The element with this id. Setting an element appends it when there is none; setting nil removes
  /// it. An element set must have this id.
  public subscript(id id: ID) -> Element? {
    get {
      if let many { return many.element(id) }
      return few.position(of: id).map { few.elements[$0] }
    }
    _modify {
      guard let index = index(id: id) else {
        var element: Element?
        defer {
          if let element {
            Self.check(element, id)
            append(element)
          }
        }
        yield &element
        return
      }
      if let taken = many?.take(index) {
        var element: Element? = taken.element
        defer {
          if let element {
            Self.check(element, id)
            many?.put(element, at: index, was: id, taken.digest)
          } else {
            many?.close(index, was: id, taken.digest)
            gather()
          }
        }
        yield &element
      } else {
        var element: Element? = few.take(index)
        defer {
          if let element {
            Self.check(element, id)
            few.put(element, at: index)
          } else {
            few.close(index, was: id)
          }
        }
        yield &element
      }
    }
  }

  /// Adds an element at the end unless there is one with its id; where it stands.
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: count)
  }

  /// Adds an element at a position unless there is one with its id; where it stands.
  @discardableResult
  public mutating func insert(_ element: Element, at index: Int) -> (inserted: Bool, index: Int) {
    if let held = self.index(id: element.id) { return (false, held) }
    if many == nil {
      few.insert(element, at: index)
      spread()
    } else {
      checkBounds(index..<index)
      many?.splice(index..<index, [element])
    }
    return (true, index)
  }

  /// Puts an element in the place of the one with its id, or appends it; gives the one replaced.
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    guard let index = index(id: element.id) else {
      append(element)
      return nil
    }
    let replaced = self[index]
    self[index] = element
    return replaced
  }

  /// Removes the element with this id, and gives it; nil when there is none.
  @discardableResult
  public mutating func remove(id: ID) -> Element? { index(id: id).map { remove(at: $0) } }

  /// Removes the element at a position, and gives it.
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    guard let element = many?[index] else { return few.remove(at: index) }
    many?.splice(index..<index + 1, [])
    gather()
    return element
  }

  /// Removes the elements that fulfil the condition.
  public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    guard let tree = many else {
      try few.removeAll(where: isRemoved)
      return
    }
    var removed: [Int] = []
    var position = 0
    for element in self {
      if try isRemoved(element) { removed.append(position) }
      position += 1
    }
    if removed.count > tree.count / 8 {
      let gone = Set(removed)
      self =
        IdentifiedArray(
          checking: tree.elements.enumerated().filter { !gone.contains($0.offset) }.map(\.element))
        ?? self
    } else {
      for position in removed.reversed() { many?.splice(position..<position + 1, []) }
      gather()
    }
  }

  /// Moves an element; the destination counts after the removal.
  public mutating func move(from: Int, to: Int) {
    guard let element = many?[from] else {
      few.move(from: from, to: to)
      return
    }
    checkBounds(to..<to + 1)
    if from == to { return }
    many?.splice(from..<from + 1, [])
    many?.splice(to..<to, [element])
  }

  /// Sorts the elements.
  public mutating func sort(by areInOrder: (Element, Element) throws -> Bool) rethrows {
    guard let tree = many else {
      try few.sort(by: areInOrder)
      return
    }
    self = IdentifiedArray(checking: try tree.elements.sorted(by: areInOrder)) ?? self
  }

  /// Replaces a range; nothing is changed, and false given, where two elements would share an id.
  mutating func splice(_ range: Range<Int>, _ items: [Element]) -> Bool {
    guard let tree = many else {
      guard few.splice(range, items) else { return false }
      spread()
      return true
    }
    var ids = Set<ID>(minimumCapacity: items.count)
    for item in items {
      if !ids.insert(item.id).inserted { return false }
      if let held = tree.position(of: item.id), !range.contains(held) { return false }
    }
    many?.splice(range, items)
    gather()
    return true
  }

  /// Changes an element in place; gives false where it has then an id that another one has.
  mutating func update(
    _ index: Int, _ body: (inout Element) throws(DeltaFailure) -> Void
  ) throws(DeltaFailure) -> Bool {
    if let unique = try many?.update(index, body) { return unique }
    return try few.update(index, body)
  }

  func checkBounds(_ range: Range<Int>) {
    precondition(
      range.lowerBound >= 0 && range.upperBound <= count,
      "There is no position \(range.lowerBound) in an array of \(count).")
  }

  private static func check(_ element: Element, _ id: ID) {
    precondition(
      element.id == id,
      "The element set under the id \(id) has the id \(element.id). Remove the one and append the other."
    )
  }
}

/// The name that code written for The Composable Architecture uses.
public typealias IdentifiedArrayOf<Element: Identifiable & Mirrored> = IdentifiedArray<Element>
where Element.ID: Mirrored & Hashable
