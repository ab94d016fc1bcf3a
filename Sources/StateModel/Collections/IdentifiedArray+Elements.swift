/// What is done with several elements at once, under the names that arrays have for it.
extension IdentifiedArray {
  /// Adds elements at the end, each unless there is one with its id.
  public mutating func append(contentsOf elements: some Sequence<Element>) {
    for element in elements { append(element) }
  }

  /// Removes the element with this one's id, and gives what was there; nil when there is none.
  @discardableResult
  public mutating func remove(_ element: Element) -> Element? { remove(id: element.id) }

  /// Removes all elements.
  public mutating func removeAll() { self = IdentifiedArray() }

  /// The elements that fulfil the condition, in their order.
  ///
  /// An identified array, too: what shows it in a view follows elements by their ids.
  public func filter(_ isKept: (Element) throws -> Bool) rethrows -> IdentifiedArray {
    IdentifiedArray(checking: try elements.filter(isKept)) ?? self
  }

  /// Puts the elements in the opposite order.
  public mutating func reverse() {
    self = IdentifiedArray(checking: elements.reversed()) ?? self
  }
}

extension IdentifiedArray where Element: Comparable {
  /// Sorts the elements.
  public mutating func sort() { sort(by: <) }
}
