import StateModel

/// Seeded values: what JSON can say, and everything that a `Value` can be.
enum RandomValue {
  private static let texts = [
    "", "a", "b", "ab", "~", "/", "a/b", "~1", "0", "-", "e\u{301}", "\u{E9}", "\0", "漢字", "😀",
    "@bytes", "@@tag", "@map", "@id", "\"\\\n", String(repeating: "long ", count: 20),
  ]

  static func json(depth: Int, using random: inout SeededGenerator) -> Value {
    switch random.next() % (depth > 0 ? 9 : 6) {
    case 0: .null
    case 1: .bool(random.next() % 2 == 0)
    case 2: .unsigned(random.next() >> UInt64.random(in: 0..<64, using: &random))
    case 3: .negative(random.next() >> UInt64.random(in: 1..<64, using: &random))
    case 4: .float(finite(using: &random))
    case 5: .text(texts.randomElement(using: &random) ?? "")
    case 6: array(using: &random) { json(depth: depth - 1, using: &$0) }
    default:
      map(
        using: &random, key: { .text(texts.randomElement(using: &$0) ?? "") },
        item: { json(depth: depth - 1, using: &$0) })
    }
  }

  /// Changes one part somewhere.
  static func change(_ value: inout Value, using random: inout SeededGenerator) {
    switch value {
    case .array(var elements) where !elements.isEmpty:
      let index = Int.random(in: 0..<elements.count, using: &random)
      switch random.next() % 4 {
      case 0: elements.remove(at: index)
      case 1: elements.insert(json(depth: 2, using: &random), at: index)
      case 2: elements.append(elements.remove(at: index))
      default:
        var element = elements[index]
        change(&element, using: &random)
        elements[index] = element
      }
      value = .array(elements)
    case .map(var entries) where !entries.isEmpty:
      let key = entries.keys.randomElement(using: &random) ?? ""
      switch random.next() % 3 {
      case 0: entries[key] = nil
      case 1: entries[.text("new")] = json(depth: 2, using: &random)
      default: entries.update(key) { change(&$0, using: &random) }
      }
      value = .map(entries)
    default: value = json(depth: 3, using: &random)
    }
  }

  static func any(depth: Int, using random: inout SeededGenerator) -> Value {
    switch random.next() % (depth > 0 ? 9 : 5) {
    case 0: json(depth: 0, using: &random)
    case 1: .bytes((0..<random.next() % 5).map { _ in UInt8(random.next() & 0xFF) })
    case 2: .negative(random.next())
    case 3: .float(Double(bitPattern: random.next()))
    case 4: .float([.nan, .infinity, -.infinity, -0.0].randomElement(using: &random) ?? 0)
    case 5: .tag(random.next() % 100, any(depth: depth - 1, using: &random))
    case 6: array(using: &random) { any(depth: depth - 1, using: &$0) }
    case 7:
      map(
        using: &random, key: { any(depth: 1, using: &$0) },
        item: { any(depth: depth - 1, using: &$0) })
    default:
      map(
        using: &random, key: { .text(texts.randomElement(using: &$0) ?? "") },
        item: { any(depth: depth - 1, using: &$0) })
    }
  }

  private static func finite(using random: inout SeededGenerator) -> Double {
    let number = Double(bitPattern: random.next())
    return number.isFinite && random.next() % 2 == 0
      ? number : Double(Int64(truncatingIfNeeded: random.next()) >> 40)
  }

  private static func array(
    using random: inout SeededGenerator, _ item: (inout SeededGenerator) -> Value
  ) -> Value {
    .array((0..<random.next() % 5).map { _ in item(&random) })
  }

  private static func map(
    using random: inout SeededGenerator, key: (inout SeededGenerator) -> Value,
    item: (inout SeededGenerator) -> Value
  ) -> Value {
    var entries = ValueMap()
    for _ in 0..<random.next() % 5 { entries.set(item(&random), for: key(&random)) }
    return .map(entries)
  }
}
