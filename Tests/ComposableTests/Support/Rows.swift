import Composable

/// A small collection told apart by ids.
struct Rows<Element: Identifiable & Equatable & Sendable>: IdentifiedElements, Equatable, Sendable
where Element.ID: Sendable {
  var elements: [Element] = []

  subscript(id id: Element.ID) -> Element? {
    get { elements.first { $0.id == id } }
    set {
      guard let index = elements.firstIndex(where: { $0.id == id }) else {
        if let newValue { elements.append(newValue) }
        return
      }
      if let newValue { elements[index] = newValue } else { elements.remove(at: index) }
    }
  }
}
