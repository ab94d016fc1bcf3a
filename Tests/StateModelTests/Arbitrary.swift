import FoundationEssentials
import StateModel

/// A shape for the property tests: a random value, and a value that is near another one, since a
/// delta between two that have nothing in common shows little.
protocol Arbitrary: Mirrored {
  static func random(_ source: inout SeededGenerator) -> Self
  func neighbour(_ source: inout SeededGenerator) -> Self
}

extension Arbitrary {
  func neighbour(_ source: inout SeededGenerator) -> Self { .random(&source) }
}

extension Bool: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> Bool { source.next() & 1 == 0 }
}

extension Arbitrary where Self: FixedWidthInteger {
  static func random(_ source: inout SeededGenerator) -> Self {
    // All magnitudes alike, and the edges now and then.
    if source.once(in: 8) { return [.min, .max, 0, 1].randomElement(using: &source) ?? 0 }
    let bits = Self(truncatingIfNeeded: source.next())
    return bits >> Self(Int.random(in: 0..<bitWidth, using: &source))
  }
}

extension Int: Arbitrary {}
extension Int8: Arbitrary {}
extension Int16: Arbitrary {}
extension Int32: Arbitrary {}
extension Int64: Arbitrary {}
extension UInt: Arbitrary {}
extension UInt8: Arbitrary {}
extension UInt16: Arbitrary {}
extension UInt32: Arbitrary {}
extension UInt64: Arbitrary {}

extension Double: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> Double {
    switch Int.random(in: 0..<5, using: &source) {
    case 0: Double(Int8.random(&source)) / 4
    case 1: Double(bitPattern: (source.next() >> 42) << 42)
    case 2: Double(bitPattern: (source.next() >> 29) << 29)
    case 3:
      [0, -0.0, .infinity, -.infinity, .nan, .signalingNaN, .leastNonzeroMagnitude]
        .randomElement(using: &source) ?? 0
    default: Double(bitPattern: source.next())
    }
  }
}

extension Float: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> Float {
    source.once(in: 2)
      ? Float(bitPattern: UInt32(truncatingIfNeeded: source.next()))
      : Float(Int8.random(&source)) / 8
  }
}

extension String: Arbitrary {
  private static let pieces = ["a", "b", "é", "e\u{301}", "水", "👍", "\0", "/", " ", "x\r\n"]

  static func random(_ source: inout SeededGenerator) -> String {
    let isLong = source.once(in: 40)
    let count = Int.random(in: 0..<(isLong ? 3_000 : 12), using: &source)
    return (0..<count).map { _ in pieces.randomElement(using: &source) ?? "" }.joined()
  }

  func neighbour(_ source: inout SeededGenerator) -> String {
    var scalars = Array(unicodeScalars)
    let start = Int.random(in: 0...scalars.count, using: &source)
    let end = Int.random(in: start...Swift.min(scalars.count, start + 5), using: &source)
    scalars.replaceSubrange(
      start..<end, with: Array(String.random(&source).unicodeScalars.prefix(6)))
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return String(text)
  }
}

extension Optional: Arbitrary where Wrapped: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> Wrapped? {
    source.once(in: 3) ? nil : .random(&source)
  }

  func neighbour(_ source: inout SeededGenerator) -> Wrapped? {
    source.once(in: 4) ? nil : self?.neighbour(&source) ?? .random(&source)
  }
}

extension Array: Arbitrary where Element: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> [Element] {
    (0..<Int.random(in: 0..<12, using: &source)).map { _ in .random(&source) }
  }

  func neighbour(_ source: inout SeededGenerator) -> [Element] {
    var copy = self
    for _ in 0..<Int.random(in: 1...3, using: &source) {
      let index = Int.random(in: 0...copy.count, using: &source)
      switch Int.random(in: 0..<4, using: &source) {
      case 0: copy.insert(.random(&source), at: index)
      case 1 where index < copy.count: copy.remove(at: index)
      case 2 where index < copy.count: copy[index] = copy[index].neighbour(&source)
      case 3 where copy.count > 1: copy.insert(copy.removeLast(), at: 0)
      default: break
      }
    }
    return copy
  }
}

extension Dictionary: Arbitrary where Key: Arbitrary, Value: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> [Key: Value] {
    var map: [Key: Value] = [:]
    for _ in 0..<Int.random(in: 0..<10, using: &source) { map[.random(&source)] = .random(&source) }
    return map
  }

  func neighbour(_ source: inout SeededGenerator) -> [Key: Value] {
    var copy = self
    if let key = copy.keys.randomElement(using: &source) {
      if source.once(in: 3) { copy[key] = nil } else { copy[key] = copy[key]?.neighbour(&source) }
    }
    if source.once(in: 2) { copy[.random(&source)] = .random(&source) }
    return copy
  }
}

extension Set: Arbitrary where Element: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> Set<Element> {
    Set([Element].random(&source))
  }

  func neighbour(_ source: inout SeededGenerator) -> Set<Element> {
    var copy = self
    if let member = copy.randomElement(using: &source), source.once(in: 2) { copy.remove(member) }
    copy.insert(.random(&source))
    return copy
  }
}

extension Duration: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> Duration {
    Duration(
      secondsComponent: .random(&source) / 2,
      attosecondsComponent: Int64.random(
        in: -999_999_999_999_999_999...999_999_999_999_999_999, using: &source))
  }
}

extension Date: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> Date {
    switch Int.random(in: 0..<3, using: &source) {
    case 0: Date(timeIntervalSince1970: Double(Int32.random(&source)) / 8)
    case 1: Date(timeIntervalSinceReferenceDate: Double.random(in: -1e9...1e9, using: &source))
    default: Date(timeIntervalSinceReferenceDate: .random(&source))
    }
  }
}

extension UUID: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> UUID { .random(using: &source) }
}

extension Data: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> Data { Data([UInt8].random(&source)) }
}

extension URL: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> URL {
    let path = "a/b?c=\(UInt8.random(&source))#d"
    let base = URL(string: "https://example.org/\(UInt8.random(&source))/")
    return URL(string: path, relativeTo: source.once(in: 2) ? base : nil) ?? .init(filePath: "/")
  }
}

extension Decimal: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> Decimal {
    if source.once(in: 10) { return .nan }
    var significand = Decimal(UInt64.random(&source))
    if source.once(in: 2) { significand = significand * Decimal(UInt32.random(&source)) + 7 }
    return Decimal(
      sign: source.once(in: 2) ? .minus : .plus, exponent: .random(in: -60...60, using: &source),
      significand: significand)
  }
}

extension EditableText: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> EditableText {
    .init(String.random(&source))
  }

  func neighbour(_ source: inout SeededGenerator) -> EditableText {
    // By editing, so that the sum that edits keep is checked against one made afresh.
    var copy = self
    var starts = string.unicodeScalars.indices.map { $0.utf16Offset(in: string) }
    starts = []
    var offset = 0
    for scalar in string.unicodeScalars {
      starts.append(offset)
      offset += UTF8.width(scalar)
    }
    starts.append(offset)
    let first = Int.random(in: 0..<starts.count, using: &source)
    let last = Int.random(in: first..<Swift.min(starts.count, first + 6), using: &source)
    let inserted = source.once(in: 8) ? String.random(&source) : "é"
    try? copy.splice(
      offset: starts[first], removed: starts[last] - starts[first], inserted: inserted)
    return copy
  }
}

extension SortedDictionary: Arbitrary where Key: Arbitrary, Value: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> SortedDictionary {
    let count = Int.random(in: 0..<(source.once(in: 10) ? 300 : 10), using: &source)
    return SortedDictionary((0..<count).map { _ in (.random(&source), .random(&source)) })
  }

  func neighbour(_ source: inout SeededGenerator) -> SortedDictionary {
    var copy = self
    for _ in 0..<Int.random(in: 1...4, using: &source) {
      if source.once(in: 3) { copy[.random(&source)] = .random(&source) }
      guard let key = copy.keys.randomElement(using: &source) else { continue }
      if source.once(in: 3) {
        copy.removeValue(forKey: key)
      } else {
        copy[key] = copy[key]?.neighbour(&source)
      }
    }
    return copy
  }
}

extension IdentifiedArray: Arbitrary where Element: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> IdentifiedArray {
    IdentifiedArray([Element].random(&source))
  }

  func neighbour(_ source: inout SeededGenerator) -> IdentifiedArray {
    var copy = self
    for _ in 0..<Int.random(in: 1...5, using: &source) {
      if source.once(in: 3) {
        copy.insert(.random(&source), at: Int.random(in: 0...copy.count, using: &source))
      }
      guard !copy.isEmpty else { continue }
      let index = Int.random(in: 0..<copy.count, using: &source)
      switch Int.random(in: 0..<3, using: &source) {
      case 0: copy.remove(at: index)
      case 1: copy.move(from: index, to: Int.random(in: 0..<copy.count, using: &source))
      default:
        let changed = copy[index].neighbour(&source)
        if changed.id == copy[index].id { copy[index] = changed }
      }
    }
    return copy
  }
}

extension StateModel.Value: Arbitrary {
  static func random(_ source: inout SeededGenerator) -> StateModel.Value {
    random(&source, depth: 4)
  }

  private static func random(_ source: inout SeededGenerator, depth: Int) -> StateModel.Value {
    switch Int.random(in: 0..<(depth == 0 ? 7 : 10), using: &source) {
    case 0: return .null
    case 1: return .bool(.random(&source))
    case 2: return .unsigned(.random(&source))
    case 3: return .negative(.random(&source))
    case 4: return .float(.random(&source))
    case 5: return .bytes(.random(&source))
    case 6: return .text(String.random(&source))
    case 7:
      return .array(
        (0..<Int.random(in: 0..<6, using: &source)).map { _ in random(&source, depth: depth - 1) })
    case 8:
      return .map(
        ValueMap(
          (0..<Int.random(in: 0..<6, using: &source)).map { _ in
            (random(&source, depth: Swift.min(1, depth - 1)), random(&source, depth: depth - 1))
          }))
    default: return .tag(.random(&source), random(&source, depth: depth - 1))
    }
  }

  func neighbour(_ source: inout SeededGenerator) -> StateModel.Value {
    switch self {
    case .text(let text): return .text(text.neighbour(&source))
    case .array(var elements):
      guard !elements.isEmpty else { return [.random(&source)] }
      let index = Int.random(in: 0..<elements.count, using: &source)
      switch Int.random(in: 0..<4, using: &source) {
      case 0: elements.insert(.random(&source), at: index)
      case 1: elements.remove(at: index)
      default: elements[index] = elements[index].neighbour(&source)
      }
      return .array(elements)
    case .map(let entries): return .map(entries.neighbour(&source))
    default: return .random(&source)
    }
  }
}

extension SeededGenerator {
  /// True once in `times`.
  mutating func once(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }
}
