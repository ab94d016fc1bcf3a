/// The elements of a small `IdentifiedArray`: an array, and where each id stands in it.
struct IdentifiedRun<Element: Identifiable & Mirrored>: Sendable
where Element.ID: Mirrored & Hashable {
  typealias ID = Element.ID

  private(set) var elements: [Element] = []
  private var positions: [ID: Int] = [:]

  /// No elements.
  init() {}

  /// The elements given; nil when two have the same id.
  init?(checking elements: [Element]) {
    self.elements = elements
    positions.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated()
    where positions.updateValue(index, forKey: element.id) != nil { return nil }
  }

  /// The position of the element with this id, nil when there is none.
  func position(of id: ID) -> Int? { positions[id] }

  /// Takes an element out, so that it has one owner while it is changed; by way of the end, where
  /// taking out costs nothing. It must be put back, or its place closed.
  mutating func take(_ index: Int) -> Element {
    elements.swapAt(index, elements.count - 1)
    return elements.removeLast()
  }

  /// Puts an element in the place of the one that was taken out and has the same id.
  mutating func put(_ element: Element, at index: Int) {
    elements.append(element)
    elements.swapAt(index, elements.count - 1)
  }

  /// The element at a position. The one set must have an id that no other has.
  subscript(index: Int) -> Element {
    get { elements[index] }
    _modify {
      let id = elements[index].id
      yield &elements[index]
      let newID = elements[index].id
      guard newID != id else { return }
      precondition(
        positions[newID] == nil,
        "The element set at \(index) has the id \(newID), as another one has.")
      rename(id, at: index)
    }
  }

  /// Closes the place of an element that was taken out and had this id.
  mutating func close(_ index: Int, was id: ID) {
    if index != elements.count { elements.append(elements.remove(at: index)) }
    positions[id] = nil
    number(from: index)
  }

  /// Adds an element, whose id no other has.
  mutating func insert(_ element: Element, at index: Int) {
    elements.insert(element, at: index)
    number(from: index)
  }

  /// Removes the element at a position, and gives it.
  mutating func remove(at index: Int) -> Element {
    let element = elements.remove(at: index)
    positions[element.id] = nil
    number(from: index)
    return element
  }

  /// Moves an element; the destination counts after the removal.
  mutating func move(from: Int, to: Int) {
    elements.insert(elements.remove(at: from), at: to)
    for index in Swift.min(from, to)...Swift.max(from, to) {
      positions[elements[index].id] = index
    }
  }

  /// Removes the elements that fulfil the condition.
  mutating func removeAll(where isRemoved: (Element) throws -> Bool) rethrows {
    try elements.removeAll(where: isRemoved)
    renumber()
  }

  /// Sorts the elements.
  mutating func sort(by areInOrder: (Element, Element) throws -> Bool) rethrows {
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
    rename(id, at: index)
    return true
  }

  private mutating func rename(_ id: ID, at index: Int) {
    let newID = elements[index].id
    if newID == id { return }
    positions[id] = nil
    positions[newID] = index
  }

  private mutating func number(from start: Int) {
    for index in start..<elements.count { positions[elements[index].id] = index }
  }

  private mutating func renumber() {
    positions.removeAll(keepingCapacity: true)
    number(from: 0)
  }
}
