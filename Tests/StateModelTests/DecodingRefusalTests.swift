import FoundationEssentials
import StateModel
import Testing

@Suite("What a decoder refuses")
struct DecodingRefusalTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    var type: any Mirrored.Type
    var input: String
    var message: String
    var testDescription: String { "\(type) from \(input)" }

    init(_ type: any Mirrored.Type, _ input: String, _ message: String) {
      self.type = type
      self.input = input
      self.message = message
    }
  }

  static let refusals: [Refusal] = [
    Refusal(Value.self, "", "the bytes end inside an item"),
    Refusal(Value.self, "18", "the bytes end inside an item"),
    Refusal(Value.self, "62 61", "the bytes end inside an item"),
    Refusal(Value.self, "82 01", "the bytes end inside an item"),
    Refusal(Value.self, "9b ffffffffffffffff", "the bytes end inside an item"),
    Refusal(Value.self, "bb 7fffffffffffffff", "the bytes end inside an item"),
    Refusal(Value.self, "5b ffffffffffffffff", "the bytes end inside an item"),
    Refusal(Value.self, "01 02", "1 bytes follow the item"),
    Refusal(Value.self, "18 17", "23 is not in its shortest form"),
    Refusal(Value.self, "19 00ff", "255 is not in its shortest form"),
    Refusal(Value.self, "58 01 00", "1 is not in its shortest form"),
    Refusal(Value.self, "1c", "indefinite lengths are not used"),
    Refusal(Value.self, "ff", "indefinite lengths are not used"),
    Refusal(Value.self, "fb 3ff8000000000000", "a float is not in its shortest form"),
    Refusal(Value.self, "fa 7fc00000", "a float is not in its shortest form"),
    Refusal(Value.self, "62 c3 28", "a text is not UTF-8"),
    Refusal(Value.self, "63 ed a0 80", "a text is not UTF-8"),
    Refusal(Value.self, "a2 02 00 01 00", "map keys are not in order"),
    Refusal(Value.self, "a2 61 61 00 61 61 00", "a map key stands twice"),
    Refusal([Value: Int].self, "a2 61 62 00 61 61 00", "a: map keys are not in order"),
    Refusal(
      SortedDictionary<String, Int>.self, "a2 61 61 00 61 61 00", "a: a map key stands twice"),
    Refusal(Bool.self, "01", "expected a boolean, found an unsigned integer"),
    Refusal(Int8.self, "18 80", "128 is not within -128...127"),
    Refusal(Int8.self, "38 80", "-1 - 128 is not within -128...127"),
    Refusal(UInt16.self, "20", "-1 - 0 is not within 0...65535"),
    Refusal(
      Int.self, "1b ffffffffffffffff", "18446744073709551615 is not within \(Int.min)...\(Int.max)"),
    Refusal(Int.self, "f9 3c00", "expected an integer, found a float"),
    Refusal(Double.self, "01", "expected a float, found an unsigned integer"),
    Refusal(Float.self, "fb 3ff199999999999a", "1.1 does not fit a float of 32 bits"),
    Refusal(String.self, "41 61", "expected a text, found a byte string"),
    Refusal([Int].self, "82 01 61 61", "1: expected an integer, found a text"),
    Refusal([[Bool]].self, "82 80 81 00", "1.0: expected a boolean, found an unsigned integer"),
    Refusal(
      [String: [Int]].self, "a1 61 61 81 f6",
      "a.0: expected an integer, found null"),
    Refusal([Int: Int].self, "a1 61 61 00", "a: expected an integer, found a text"),
    Refusal(
      [String: Int].self, "a2 62 c3a9 00 63 65cc81 00",
      "e\u{301}: the key equals another one in Swift, though their bytes differ"),
    Refusal(
      Set<String>.self, "82 62 c3a9 63 65cc81",
      "1: the member equals another one in Swift, though their bytes differ"),
    Refusal(Set<Int>.self, "82 02 01", "1: the members of a set are not in order"),
    Refusal(Set<Int>.self, "82 01 01", "1: the members of a set are not in order"),
    Refusal(Int??.self, "82 01 02", "an optional holds no value or one"),
    Refusal(Int??.self, "f6", "expected an array, found null"),
    Refusal(Duration.self, "81 01", "a duration is [seconds, attoseconds]"),
    Refusal(
      Duration.self, "82 01 20",
      "the attoseconds of a duration are less than a second and have its sign"),
    Refusal(
      Duration.self, "82 00 1b 0de0b6b3a7640000",
      "the attoseconds of a duration are less than a second and have its sign"),
    Refusal(Date.self, "c1 01", "expected a float, found an unsigned integer"),
    Refusal(Date.self, "c0 60", "a date has tag 1 or 60001, not 0"),
    Refusal(Date.self, "c1 fb 3ddb7cdfd9d7bdbb", "the date is not in its one form"),
    Refusal(Date.self, "d9ea61 f9 0000", "the date is not in its one form"),
    Refusal(UUID.self, "d825 41 00", "a UUID has 16 bytes, not 1"),
    Refusal(URL.self, "d820 63 612062", "\"a b\" is not a URL"),
    Refusal(URL.self, "d820 60", "\"\" is not a URL"),
    Refusal(
      Decimal.self, "c4 82 00 0a",
      "a decimal number outside of Decimal's range, or not in its one form"),
    Refusal(
      Decimal.self, "c4 82 1903e8 01",
      "a decimal number outside of Decimal's range, or not in its one form"),
    Refusal(
      Decimal.self, "c4 82 00 c2 41 01", "a large mantissa has 9 to 16 bytes without leading zeros"),
    Refusal(IdentifiedArray<Todo>.self, "82" + todo + todo, "two elements have the same id"),
  ]

  private static let todo = hexadecimal(Todo(id: 1).encoded())

  @Test("It says what is wrong, and where", arguments: refusals)
  func refusal(_ refusal: Refusal) { check(refusal.type, refusal) }

  private func check<Typed: Mirrored>(_ type: Typed.Type, _ refusal: Refusal) {
    do throws(DecodingFailure) {
      let value = try Typed(encoded: bytes(refusal.input))
      Issue.record("decoded to \(value)")
    } catch {
      #expect(error.description == refusal.message)
    }
  }

  @Test("256 levels are read, one more is not, and a hundred thousand cost no stack")
  func depth() throws {
    func nested(_ depth: Int, _ head: [UInt8]) -> [UInt8] {
      Array([[UInt8]](repeating: head, count: depth).joined()) + [0]
    }
    for head in [[0x81], [0xA1, 0x00], [0xC1]] as [[UInt8]] {
      let deepest = nested(256, head)
      #expect(try Value(encoded: deepest).encoded() == deepest)
      for tooDeep in [nested(257, head), nested(100_000, head)] {
        let failure = #expect(throws: DecodingFailure.self) { try Value(encoded: tooDeep) }
        #expect(failure?.description == "nested deeper than 256")
        let skipped = #expect(throws: DecodingFailure.self) {
          var decoder = CBORDecoder(tooDeep)
          try decoder.skip()
        }
        #expect(skipped?.reason == .tooDeep)
      }
    }
  }

  @Test("A value 256 deep travels in a delta, and a delta cannot nest it deeper")
  func depthInDeltas() throws {
    var deepest: Value = 1
    for _ in 0..<256 { deepest = [deepest] }
    var mirror = Value.null
    try mirror.apply(deepest.delta(from: mirror))
    #expect(mirror == deepest)

    var parent: Value = ["a": .null]
    var encoder = CBOREncoder()
    encoder.array(1)
    encoder.array(3)
    encoder.unsigned(0)
    encoder.array(1)
    encoder.text("a")
    deepest.encode(to: &encoder)
    let failure = #expect(throws: DeltaFailure.self) {
      try parent.apply(Delta(bytes: encoder.bytes))
    }
    #expect(failure?.message == "nested deeper than 256")
  }
}
