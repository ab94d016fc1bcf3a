import StateModel
import Synchronization
import Testing

/// Whether a value is short is found out without looking at all of it.
@Suite("Encoding what may be too long", .serialized)
struct BoundedEncodingTests {
  /// A number that counts how often it is encoded.
  struct Counted: Mirrored, Hashable, Identifiable {
    let id: Int
    private static let counter = Mutex(0)

    init(_ id: Int) { self.id = id }
    init(from decoder: inout CBORDecoder) throws(DecodingFailure) { id = try Int(from: &decoder) }

    static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
      Int.describe(in: &schema)
    }
    func encode(to encoder: inout CBOREncoder) {
      Self.counter.withLock { $0 += 1 }
      id.encode(to: &encoder)
    }
    func isIdentical(to other: Counted) -> Bool { id == other.id }
    var digest: Digest { id.digest }
    func writeDelta(from old: Counted, to writer: inout DeltaWriter) {
      if id != old.id { writer.set(self) }
    }
    mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
      var number = id
      try number.apply(change, at: depth)
      self = Counted(number)
    }

    /// How many were encoded for `body`.
    static func count(_ body: () -> Void) -> Int {
      counter.withLock { $0 = 0 }
      body()
      return counter.withLock { $0 }
    }
  }

  /// Fifty thousand of them, in each kind of collection.
  private static let count = 50_000

  private static func check(_ value: some Mirrored, _ what: String) {
    let whole = value.encoded()
    #expect(value.encoded(atMost: whole.count) == whole, "\(what)")
    #expect(value.encoded(atMost: whole.count - 1) == nil, "\(what)")
    #expect(value.encoded(atMost: 1_000) == nil, "\(what)")
    #expect(value.encoded(atMost: 0) == nil, "\(what)")
    for length in [1, 7, 100, 1_000, whole.count, whole.count + 1] {
      let pieces = value.encodedPieces(of: length, atMost: whole.count)
      #expect(pieces?.bytes == whole, "\(what) in pieces of \(length)")
      #expect(pieces == EncodedPieces(whole, of: length), "\(what) in pieces of \(length)")
      #expect(value.encodedPieces(of: length, atMost: whole.count - 1) == nil, "\(what)")
      // Read as it is pulled: piece by piece, from anywhere.
      for start in [0, 1, length, whole.count - 1] where start < whole.count {
        var read: [UInt8] = []
        while let piece = pieces?.bytes(at: start + read.count, atMost: 300), !piece.isEmpty {
          read += piece
        }
        #expect(read == Array(whole[start...]), "\(what) in pieces of \(length) from \(start)")
      }
      #expect(pieces?.bytes(at: whole.count, atMost: 1) == [], "\(what)")
      #expect(pieces?.bytes(at: whole.count + 1, atMost: 1) == nil, "\(what)")
    }
  }

  @Test("Every kind of value is given if it fits, to the byte, and not otherwise")
  func exact() {
    let numbers = Array(0..<2_000)
    Self.check(numbers, "array")
    Self.check(IdentifiedArray(numbers.map(Counted.init)), "identified array")
    Self.check(Set(numbers), "set")
    Self.check(Dictionary(uniqueKeysWithValues: numbers.map { ($0, $0) }), "dictionary")
    Self.check(SortedDictionary(numbers.map { ($0, $0) }), "sorted dictionary")
    Self.check(EditableText(String(repeating: "ab", count: 4_000)), "edited text")
    Self.check(String(repeating: "ab", count: 1_000), "text")
    Self.check(Value.array(ValueArray(numbers.map { .unsigned(UInt64($0)) })), "value")
    Self.check(Value.bytes(Array(repeating: 1, count: 3_000)), "bytes")
    Self.check([numbers, numbers], "nested")
  }

  @Test("Little more is looked at than what fits")
  func early() {
    let elements = (0..<Self.count).map(Counted.init)
    // Two bytes more than one for each: what is expected at least does not settle it.
    let limit = Self.count + 2
    let looks = [
      Counted.count { #expect(elements.encoded(atMost: limit) == nil) },
      Counted.count { #expect(IdentifiedArray(elements).encoded(atMost: limit) == nil) },
      Counted.count { #expect([elements, elements].encoded(atMost: limit) == nil) },
    ]
    for look in looks { #expect(look < Self.count / 2) }
    // Not even one, where so many elements cannot be so short.
    let few = Counted.count {
      #expect(elements.encoded(atMost: 1_000) == nil)
      #expect(Set(elements).encoded(atMost: 1_000) == nil)
      #expect(
        SortedDictionary(elements.map { ($0.id, $0) }).encoded(atMost: 1_000) == nil)
      #expect(
        Dictionary(uniqueKeysWithValues: elements.map { ($0, 1) }).encoded(atMost: 1_000) == nil)
    }
    #expect(few < 200)
  }
}
