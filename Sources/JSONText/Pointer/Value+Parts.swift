import StateModel

/// The few steps on a `Value`'s storage that editing by pointers needs, in one place.
extension Value {
  /// Whether it has members.
  var isMap: Bool {
    if case .map = self { true } else { false }
  }

  /// How many elements an array has; nil for what is no array.
  var elementCount: Int? {
    if case .array(let items) = self { items.count } else { nil }
  }

  /// How many members or elements it has; nil for what has no parts.
  var partCount: Int? {
    if case .map(let entries) = self { entries.count } else { elementCount }
  }

  /// The member under a text key.
  func member(_ key: String) -> Value? {
    guard case .map(let entries) = self, case let place = Self.place(of: key, in: entries),
      place.isPresent
    else { return nil }
    return entries[place.index].value
  }

  /// An array's element; the index is known to exist.
  func element(_ index: Int) -> Value {
    guard case .array(let items) = self, items.indices.contains(index) else { return .null }
    return items[index]
  }

  /// Adds or replaces a member of a map.
  mutating func setMember(_ key: String, _ value: Value) {
    guard case .map(var entries) = self else { return }
    let place = Self.place(of: key, in: entries)
    self = .null
    if place.isPresent {
      entries[place.index].value = value
    } else {
      entries.insert(Entry(key: .text(key), value: value), at: place.index)
    }
    self = .map(entries)
  }

  /// Removes a member of a map.
  mutating func removeMember(_ key: String) {
    guard case .map(var entries) = self, case let place = Self.place(of: key, in: entries),
      place.isPresent
    else { return }
    self = .null
    entries.remove(at: place.index)
    self = .map(entries)
  }

  /// Replaces elements of an array.
  mutating func replaceElements(_ range: Range<Int>, with values: [Value]) {
    guard case .array(var items) = self else { return }
    self = .null
    items.replaceSubrange(range, with: values)
    self = .array(items)
  }

  private struct Place {
    var index: Int
    var isPresent: Bool
  }

  /// Where a text key stands, or would stand, among entries in the order of their encoded keys.
  private static func place(of key: String, in entries: [Entry]) -> Place {
    var low = 0
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      let order = compare(key, entries[middle].key)
      if order == 0 { return Place(index: middle, isPresent: true) }
      if order < 0 { high = middle } else { low = middle + 1 }
    }
    return Place(index: low, isPresent: false)
  }

  /// Texts are ordered by length, then by bytes: so their encodings are.
  private static func compare(_ key: String, _ other: Value) -> Int {
    switch other {
    case .unsigned, .negative, .bytes: return 1
    case .text(let other):
      let lengths = (key.utf8.count, other.utf8.count)
      if lengths.0 != lengths.1 { return lengths.0 < lengths.1 ? -1 : 1 }
      for (left, right) in zip(key.utf8, other.utf8) where left != right {
        return left < right ? -1 : 1
      }
      return 0
    default: return -1
    }
  }
}

extension Value {
  /// A text's content.
  var wholeText: String? {
    if case .text(let text) = self { text } else { nil }
  }
}
