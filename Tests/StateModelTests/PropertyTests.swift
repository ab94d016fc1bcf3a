import FoundationEssentials
import StateModel
import Testing

@Suite("What holds for random values of every shape")
struct PropertyTests {
  static let shapes: [any Arbitrary.Type] = [
    Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self,
    UInt16.self, UInt32.self, UInt64.self, Float.self, Double.self, String.self, Duration.self,
    Date.self, UUID.self, Data.self, URL.self, Decimal.self,
    Int?.self, Int??.self, Int???.self, Value?.self, Value??.self, String?.self, [Int]?.self,
    [Int?]??.self,
    [Int].self, [String].self, [[String]].self, [Double].self, [Todo].self, [Value?].self,
    [String: Int].self, [Int: [String]].self, [UUID: Todo].self, [Int8: [Int8: Bool]].self,
    [Bool?: Int].self, Set<Int>.self, Set<String>.self, Set<[Int]>.self,
    EditableText.self, SortedDictionary<String, Int>.self, SortedDictionary<Value, [Int]>.self,
    SortedDictionary<String, EditableText>.self, IdentifiedArray<Todo>.self,
    Value.self, [Value].self, Todo.self, Phase.self, Everything.self,
  ]

  @Test("An encoding comes back, and is the same with and without its type", arguments: shapes)
  func encodings(_ shape: any Arbitrary.Type) throws { try Self.encodings(of: shape) }

  private static func encodings<Shape: Arbitrary>(of: Shape.Type) throws {
    for seed in 0..<rounds(Shape.self) {
      var source = SeededGenerator(seed: seed)
      let value = Shape.random(&source)
      let encoding = value.encoded()
      let back = try Shape(encoded: encoding)
      #expect(back.isIdentical(to: value), "seed \(seed)")
      #expect(back.encoded() == encoding, "seed \(seed)")
      let plain = try Value(encoded: encoding)
      #expect(plain.encoded() == encoding, "seed \(seed)")
      #expect(try Shape(plain).isIdentical(to: value), "seed \(seed)")
      #expect(value.digest == plain.digest, "seed \(seed)")
      #expect(value.delta(from: value).isEmpty, "seed \(seed)")
      let other = source.once(in: 2) ? value.neighbour(&source) : .random(&source)
      #expect(
        value.isIdentical(to: other) == (encoding == other.encoded()), "seed \(seed)")
    }
  }

  @Test("A delta leads to the new value, also for a mirror without types", arguments: shapes)
  func deltas(_ shape: any Arbitrary.Type) throws { try Self.deltas(of: shape) }

  private static func deltas<Shape: Arbitrary>(of: Shape.Type) throws {
    for seed in 1_000..<1_000 + rounds(Shape.self) {
      var source = SeededGenerator(seed: seed)
      var old = Shape.random(&source)
      var plain = Value(of: old)
      for _ in 0..<3 {
        let new = source.once(in: 4) ? Shape.random(&source) : old.neighbour(&source)
        let delta = new.delta(from: old)
        #expect(
          delta.bytes.count <= max(new.encoded().count + 4, 20), "seed \(seed)")
        var mirror = old
        try mirror.apply(delta)
        #expect(mirror.isIdentical(to: new), "seed \(seed)")
        #expect(mirror.digest == new.digest, "seed \(seed)")
        try plain.apply(delta)
        #expect(plain.encoded() == new.encoded(), "seed \(seed)")
        #expect(plain.digest == new.digest, "seed \(seed)")
        // What a mirror without types would send, from one of its values to the next.
        var untyped = Value(of: old)
        try untyped.apply(Value(of: new).delta(from: untyped))
        #expect(untyped.isIdentical(to: plain), "seed \(seed)")
        old = mirror
      }
    }
  }

  @Test("A damaged encoding or delta is refused or means something, and never stops the process")
  func damage() {
    for seed in 0..<500 as Range<UInt64> {
      var source = SeededGenerator(seed: seed)
      let old = Everything.random(&source)
      let new = old.neighbour(&source)
      var encoding = new.encoded()
      var delta = new.delta(from: old).bytes
      for _ in 0..<Int.random(in: 1...3, using: &source) {
        encoding[Int.random(in: encoding.indices, using: &source)] = .random(&source)
        delta[Int.random(in: delta.indices, using: &source)] = .random(&source)
      }
      if let value = try? Value(encoded: encoding) {
        #expect(value.encoded() == encoding, "seed \(seed)")
      }
      if let typed = try? Everything(encoded: encoding) {
        #expect(typed.digest == Value(of: typed).digest, "seed \(seed)")
      }
      var mirror = old
      if (try? mirror.apply(Delta(bytes: delta))) == nil {
        #expect(mirror.isIdentical(to: old), "seed \(seed)")
      }
      #expect(mirror.digest == Value(of: mirror).digest, "seed \(seed)")
    }
  }

  private static func rounds(_ shape: any Arbitrary.Type) -> UInt64 {
    shape == Everything.self ? 60 : 120
  }
}
