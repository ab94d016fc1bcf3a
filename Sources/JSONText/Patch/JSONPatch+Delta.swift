public import StateModel

extension JSONPatch {
  /// A delta as RFC 6902 operations, for tools: applied to `value`, which the delta starts from,
  /// they have the same result.
  ///
  /// An edit within a text becomes a replacement of the text, since RFC 6902 has no other word. A
  /// map's key that is no text is named by its JSON text; such an operation is only for reading.
  public init(delta: Delta, on value: Value) throws(DeltaFailure) {
    operations = []
    var current = value
    var found: [Operation] = []
    try delta.read { (change) throws(DeltaFailure) in
      found += try Self.operations(for: change, on: &current)
    }
    operations = found
  }

  /// The operations for one change of `current`, which it is applied to.
  private static func operations(
    for change: Change, on current: inout Value
  ) throws(DeltaFailure) -> [Operation] {
    let path = try change.path.map(decoded)
    let place = JSONPointer(path.map { $0.string ?? JSONText.display($0) })
    let isPresent = current.value(at: path) != nil
    try current.apply(change, at: 0)
    switch change.operation {
    case .set(let item):
      let new = try decoded(item)
      return [isPresent ? .replace(place, new) : .add(place, new)]
    case .remove: return [.remove(place)]
    case .move(let from, let to):
      return [
        .move(from: place.appending(String(from)), to: place.appending(String(to)))
      ]
    case .text: return current.value(at: path).map { [.replace(place, $0)] } ?? []
    case .splice(let index, let removed, let items):
      let new = try items.map(decoded)
      let replaced = min(removed, new.count)
      func element(_ offset: Int) -> JSONPointer { place.appending(String(index + offset)) }
      return (0..<replaced).map { .replace(element($0), new[$0]) }
        + (replaced..<removed).map { _ in .remove(element(replaced)) }
        + (replaced..<new.count).map { .add(element($0), new[$0]) }
    }
  }

  private static func decoded(_ item: ArraySlice<UInt8>) throws(DeltaFailure) -> Value {
    do { return try Value(encoded: item) } catch { throw DeltaFailure(error) }
  }
}
