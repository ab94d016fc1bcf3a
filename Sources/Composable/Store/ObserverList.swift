/// Observers in the order in which they came.
final class ObserverList<Value> {
  private final class Entry {
    let call: (Value) -> Void
    var isActive = true
    init(_ call: @escaping (Value) -> Void) { self.call = call }
  }

  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// Adds an observer.
  ///
  /// - Parameter owner: what must live as long as the observation.
  func add(owner: AnyObject? = nil, _ call: @escaping (Value) -> Void) -> Observation {
    let entry = Entry(call)
    entries.append(entry)
    return Observation { [weak self] in
      entry.isActive = false
      self?.entries.removeAll { $0 === entry }
      withExtendedLifetime(owner) {}
    }
  }

  /// Calls those that are there now; one that another one removes meanwhile is left out.
  func notify(_ value: Value) {
    for entry in entries where entry.isActive { entry.call(value) }
  }
}
