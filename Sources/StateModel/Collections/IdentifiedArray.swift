/// An array whose elements are told apart by their `id`: order is kept, an element is found by its
/// id, and a delta says which elements came, went, moved and changed.
///
/// On the wire it is the array of its elements.
public struct IdentifiedArray<Element: Identifiable & Mirrored>: Sendable
where Element.ID: Mirrored & Hashable {
  /// What tells the elements apart.
  public typealias ID = Element.ID

  /// The elements in order.
  public private(set) var elements: [Element]
  private var positions: [ID: Int]

  /// No elements.
  public init() {
    elements = []
    positions = [:]
  }

  /// The elements given; of several with the same id the first one counts.
  public init(_ elements: some Sequence<Element>) {
    self.init()
    for element in elements { append(element) }
  }

  /// The elements given, whose ids must differ.
  public init(uniqueElements elements: some Sequence<Element>) {
    self.init()
    for element in elements {
      precondition(
        append(element).inserted,
        "Two elements have the id \(element.id). Use init(_:), which keeps the first one.")
    }
  }

  /// The elements given; nil when two have the same id.
  init?(checking elements: [Element]) {
    self.elements = elements
    positions = [:]
    positions.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated()
    where positions.updateValue(index, forKey: element.id) != nil { return nil }
  }

  /// The ids in order.
  public var ids: [ID] { elements.map(\.id) }

  /// The position of the element with this id, nil when there is none.
  public func index(id: ID) -> Int? { positions[id] }

  /// Whether there is an element with this id.
  public func contains(id: ID) -> Bool { positions[id] != nil }

  /// The element with this id. Setting an element appends it when there is none; setting nil removes
  /// it. An element set must have this id.
  public subscript(id id: ID) -> Element? {
    get { positions[id].map { elements[$0] } }
    _modify {
      guard let index = positions[id] else {
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
      // Taken out while it is changed, so that it has one owner and is changed in place; by way of
      // the end, where taking out costs nothing.
      let last = elements.count - 1
      elements.swapAt(index, last)
      var element: Element? = elements.removeLast()
      defer {
        if let element {
          Self.check(element, id)
          elements.append(element)
          elements.swapAt(index, last)
        } else {
          if index != last { elements.append(elements.remove(at: index)) }
          positions[id] = nil
          number(from: index)
        }
      }
      yield &element
    }
  }

  /// Adds an element at the end unless there is one with its id; where it stands.
  @discardableResult
  public mutating func append(_ element: Element) -> (inserted: Bool, index: Int) {
    insert(element, at: elements.count)
  }

  /// Adds an element at a position unless there is one with its id; where it stands.
  @discardableResult
  public mutating func insert(_ element: Element, at index: Int) -> (inserted: Bool, index: Int) {
    if let held = positions[element.id] { return (false, held) }
    elements.insert(element, at: index)
    number(from: index)
    return (true, index)
  }

  /// Puts an element in the place of the one with its id, or appends it; gives the one replaced.
  @discardableResult
  public mutating func updateOrAppend(_ element: Element) -> Element? {
    guard let index = positions[element.id] else {
      append(element)
      return nil
    }
    defer { elements[index] = element }
    return elements[index]
  }

  /// Removes the element with this id, and gives it; nil when there is none.
  @discardableResult
  public mutating func remove(id: ID) -> Element? { positions[id].map { remove(at: $0) } }

  /// Removes the element at a position, and gives it.
  @discardableResult
  public mutating func remove(at index: Int) -> Element {
    let element = elements.remove(at: index)
    positions[element.id] = nil
    number(from: index)
    return element
  }

  /// Removes the elements that fulfil the condition.
  public mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    try elements.removeAll(where: isRemoved)
    renumber()
  }

  /// Moves an element; the destination counts after the removal.
  public mutating func move(from: Int, to: Int) {
    elements.insert(elements.remove(at: from), at: to)
    for index in Swift.min(from, to)...Swift.max(from, to) {
      positions[elements[index].id] = index
    }
  }

  /// Sorts the elements.
  public mutating func sort(by areInOrder: (Element, Element) throws -> Bool) rethrows {
    try elements.sort(by: areInOrder)
    renumber()
  }

  /// Replaces a range; nothing is changed, and false given, where two elements would share an id.
  mutating func splice(_ range: Range<Int>, _ items: [Element]) -> Bool {
    for element in elements[range] { positions[element.id] = nil }
    for (offset, item) in items.enumerated()
    where positions.updateValue(range.lowerBound + offset, forKey: item.id) != nil {
      renumber()
      return false
    }
    elements.replaceSubrange(range, with: items)
    if items.count != range.count { number(from: range.lowerBound) }
    return true
  }

  /// Changes an element in place; gives false where it has then an id that another one has.
  mutating func update(
    _ index: Int, _ body: (inout Element) throws(DeltaFailure) -> Void
  ) throws(DeltaFailure) -> Bool {
    let id = elements[index].id
    try body(&elements[index])
    let newID = elements[index].id
    if newID == id { return true }
    if positions[newID] != nil { return false }
    positions[id] = nil
    positions[newID] = index
    return true
  }

  private mutating func number(from start: Int) {
    for index in start..<elements.count { positions[elements[index].id] = index }
  }

  private mutating func renumber() {
    positions.removeAll(keepingCapacity: true)
    number(from: 0)
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

extension IdentifiedArray: RandomAccessCollection {
  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of elements.
  public var endIndex: Int { elements.count }

  /// The element at a position. The one set must have an id that no other has.
  public subscript(index: Int) -> Element {
    get { elements[index] }
    _modify {
      let id = elements[index].id
      yield &elements[index]
      let newID = elements[index].id
      guard newID != id else { return }
      precondition(
        positions[newID] == nil,
        "The element set at \(index) has the id \(newID), as another one has.")
      positions[id] = nil
      positions[newID] = index
    }
  }
}

extension IdentifiedArray: Equatable, ExpressibleByArrayLiteral {
  /// Whether both have the same elements in the same order.
  public static func == (a: IdentifiedArray, b: IdentifiedArray) -> Bool {
    a.elements == b.elements
  }

  /// The elements written in the source, whose ids must differ.
  public init(arrayLiteral elements: Element...) { self.init(uniqueElements: elements) }
}
