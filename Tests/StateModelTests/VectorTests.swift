import Foundation
import StateModel
import Testing

@Suite("The vectors file")
struct VectorTests {
  @Test("Every value in it encodes, without a type, to the bytes that Python wrote")
  func encodings() throws {
    let vectors = try VectorsFile.read()
    #expect(vectors.encodings.count > 150)
    for entry in vectors.encodings {
      let encoding = bytes(entry.encoding)
      #expect(hexadecimal(entry.value.value.encoded()) == entry.encoding, "\(entry.name)")
      #expect(try Value(encoded: encoding) == entry.value.value, "\(entry.name)")
    }
  }

  @Test("Every digest in it is what Python computed")
  func digests() throws {
    let vectors = try VectorsFile.read()
    #expect(vectors.digests.count > 150)
    for entry in vectors.digests {
      let value = try Value(encoded: bytes(entry.encoding))
      #expect(value.digest.description == entry.digest, "\(entry.name)")
    }
  }

  @Test("Every value of a Swift type in it encodes to what Python expects, and comes back")
  func typed() throws {
    let vectors = try VectorsFile.read()
    let digests = Dictionary(uniqueKeysWithValues: vectors.digests.map { ($0.name, $0.digest) })
    let values = Dictionary(uniqueKeysWithValues: Self.typedValues)
    let names = vectors.encodings.filter { $0.type == true }.map(\.name)
    #expect(Set(names) == Set(values.keys))
    for entry in vectors.encodings where entry.type == true {
      guard let value = values[entry.name] else { continue }
      try Self.check(value, entry, digest: digests[entry.name])
    }
  }

  private static func check<Typed: Mirrored>(
    _ value: Typed, _ entry: VectorsFile.Encoding, digest: String?
  ) throws {
    #expect(hexadecimal(value.encoded()) == entry.encoding, "\(entry.name)")
    #expect(try Typed(encoded: bytes(entry.encoding)).isIdentical(to: value), "\(entry.name)")
    #expect(value.digest.description == digest, "\(entry.name)")
  }

  @Test("Every delta in it is the one that Swift finds")
  func deltas() throws {
    let computed = Self.deltaCases.map { name, make in make(name) }
    if ProcessInfo.processInfo.environment["STATECAST_WRITE_VECTORS"] == "1" {
      try VectorsFile.write(deltas: computed)
    }
    let written = try #require(try VectorsFile.read().deltas)
    #expect(written.map(\.name) == computed.map(\.name))
    for (written, computed) in zip(written, computed) {
      #expect(written == computed, "set STATECAST_WRITE_VECTORS=1 where the change is meant")
      var value = try Value(encoded: bytes(written.before))
      try value.apply(Delta(bytes: bytes(written.delta)))
      #expect(hexadecimal(value.encoded()) == written.after, "\(written.name)")
      #expect(value.digest.description == written.digest, "\(written.name)")
    }
  }

  /// The values behind the names that `make_vectors.py` uses.
  private static let typedValues: [(String, any Mirrored)] = [
    ("Bool true", true),
    ("Int8 -128", Int8.min),
    ("UInt64 greatest", UInt64.max),
    ("Float 0.1", Float(0.1)),
    ("Optional none", Int?.none),
    ("Optional some", Int?.some(5)),
    ("Optional of optional: none", Int??.none),
    ("Optional of optional: some none", Int??.some(.none)),
    ("Optional of optional: some some", Int??.some(.some(5))),
    ("Array of UInt8", [1, 2, 255] as [UInt8]),
    ("Data", Data([1, 2, 255])),
    ("Dictionary by text", ["a": 2, "bb": 1, "c": 3]),
    ("Dictionary by integer", [10: "ten", -1: "minus one", 256: "big"]),
    ("Set of texts", Set(["a", "bb", "c"])),
    ("Set of integers", Set([1, -1, 10, 300])),
    ("Duration 1.5 s", Duration.milliseconds(1_500)),
    ("Duration -1.5 s", Duration.milliseconds(-1_500)),
    ("Date 2013-03-21T20:04:00.5Z", Date(timeIntervalSince1970: 1_363_896_240.5)),
    ("Date stored 0", Date(timeIntervalSinceReferenceDate: 0)),
    ("Date stored 0.1", Date(timeIntervalSinceReferenceDate: 0.1)),
    ("Date stored -0", Date(timeIntervalSinceReferenceDate: -0.0)),
    ("UUID", UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))),
    ("URL", URL(string: "https://example.org/a?b#c")),
    ("URL with base", URL(string: "c/d", relativeTo: URL(string: "https://example.org/a/"))),
    ("Decimal 273.15", Decimal(string: "273.15")),
    ("Decimal 1200", Decimal(1_200)),
    ("Decimal 0", Decimal(0)),
    ("Decimal -12345678901234567890.1", Decimal(string: "-12345678901234567890.1")),
    ("Decimal 2^128-1", Decimal(string: "\(UInt128.max)")),
    ("Decimal NaN", Decimal.nan),
    ("SortedDictionary", ["é": 2, "e\u{301}": 1] as SortedDictionary<String, Int>),
    ("IdentifiedArray", [Row(id: 1, name: "a"), Row(id: 2)] as IdentifiedArray<Row>),
    ("EditableText", EditableText("edited")),
    ("struct", Item(title: "t")),
    ("case without payload", Phase.idle),
    ("case with one payload", Phase.loaded(3)),
    ("case with labelled payloads", Phase.moved(from: 1, to: 2)),
    ("case with unlabelled payloads", Phase.pair(1, "x")),
  ]

  @Mirrored struct Row: Identifiable {
    var id: Int
    var name: String?
  }

  @Mirrored struct Item {
    var title: String
    var isDone = false
    var note: String?
  }

  private static let deltaCases: [(String, @Sendable (String) -> VectorsFile.DeltaEntry)] = [
    ("nothing", pair(Value.null, .null)),
    ("root set", pair(1, 2)),
    ("struct: a field", pair(Item(title: "a"), Item(title: "b", isDone: true))),
    ("struct: nil to value", pair(Item(title: "a"), Item(title: "a", note: "n"))),
    ("case: payload", pair(Phase.pair(1, "a"), .pair(1, "b"))),
    ("case: another", pair(Phase.loaded(1), .idle)),
    ("optional of optional: step", pair([1, 2, 3] as [Int]???, [1, 3])),
    ("optional: transparent", pair([1, 2, 3] as [Int]?, [1, 3])),
    ("array: append", pair([1, 2], [1, 2, 3])),
    ("array: remove the first of 1000", pair(Array(0..<1_000), Array(1..<1_000))),
    (
      "array: several removals",
      pair(Array(0..<100), (0..<100).filter { ![3, 4, 50, 98].contains($0) })
    ),
    ("array: element in place", pair([[1], [2], [3]], [[1], [2, 4], [3]])),
    ("array: nothing in common", pair([1, 2, 3], [4, 5])),
    (
      "dictionary: set, remove, change",
      pair(["a": [1], "b": [2], "c": []], ["a": [1, 2], "d": []])
    ),
    (
      "dictionary: composed to decomposed", pair(["é": 1] as [String: Int], ["e\u{301}": 1])
    ),
    ("map by integers", pair([1: "a", -1: "b"], [1: "a", -1: "c", 300: "d"])),
    ("set: one out, one in", pair(Set([1, 5, 9, -3]), [1, 6, 9, -3])),
    (
      "text: one splice",
      pair(
        String(repeating: "line\n", count: 30),
        String(repeating: "line\n", count: 15) + "水" + String(repeating: "line\n", count: 15))
    ),
    (
      "text: between scalars",
      pair(
        String(repeating: "é", count: 40),
        String(repeating: "é", count: 20) + "è" + String(repeating: "é", count: 19))
    ),
    ("text: short, set", pair("abc", "abd")),
    (
      "text: long",
      pair(
        EditableText(String(repeating: "0123456789", count: 450)),
        EditableText(
          String(repeating: "0123456789", count: 300) + "!"
            + String(repeating: "0123456789", count: 150)))
    ),
    (
      "identified: remove, move, insert, change",
      pair(
        rows([(1, "a"), (2, "b"), (3, "c"), (4, "d"), (5, "e")]),
        rows([(5, "e"), (1, "a"), (6, "f"), (3, "C"), (4, "d")]))
    ),
    (
      "identified: first to last",
      pair(rows([(1, nil), (2, nil), (3, nil)]), rows([(2, nil), (3, nil), (1, nil)]))
    ),
    (
      "value: deep",
      pair(
        ["documents": ["a": ["lines": [1, 2, 3]], "b": .null]] as Value,
        ["documents": ["a": ["lines": [1, 3]], "c": true]])
    ),
    ("value: keys of all kinds", pair([1: 1, "1": 2, [1]: 3] as Value, [1: 2, "1": 2, [1]: 4])),
    ("larger than the value", pair(Array(0..<200), Array((0..<200).map { $0 * 7 % 23 }))),
  ]

  private static func rows(_ rows: [(Int, String?)]) -> IdentifiedArray<Row> {
    IdentifiedArray(rows.map { Row(id: $0.0, name: $0.1) })
  }

  private static func pair<Typed: Mirrored>(
    _ old: Typed, _ new: Typed
  ) -> @Sendable (String) -> VectorsFile.DeltaEntry {
    { name in
      VectorsFile.DeltaEntry(
        name: name, before: hexadecimal(old.encoded()),
        delta: hexadecimal(new.delta(from: old).bytes), after: hexadecimal(new.encoded()),
        digest: new.digest.description)
    }
  }
}
