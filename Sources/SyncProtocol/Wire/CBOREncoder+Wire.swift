internal import StateModel

/// The bytes of a word, most significant first, without an array.
struct WordBytes: RandomAccessCollection {
  var word: UInt64
  var startIndex: Int { 0 }
  var endIndex: Int { 8 }
  subscript(index: Int) -> UInt8 { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * index)) }
}

extension CBOREncoder {
  mutating func bytes16(_ value: Bytes16) {
    head(2, 16)
    encoded(WordBytes(word: value.high))
    encoded(WordBytes(word: value.low))
  }
  mutating func lineage(_ value: Lineage) { bytes16(value.bytes) }
  mutating func epoch(_ value: Epoch) {
    head(2, 8)
    encoded(WordBytes(word: value.rawValue))
  }
  mutating func commit(_ value: CommitNumber) { unsigned(value.rawValue) }
  mutating func topic(_ value: Topic) { byteString(value.bytes) }
  mutating func path(_ value: [[UInt8]]) {
    array(value.count)
    for element in value { encoded(element) }
  }
  mutating func optional<Wrapped>(
    _ value: Wrapped?, _ write: (Wrapped, inout CBOREncoder) -> Void
  ) {
    if let value { write(value, &self) } else { null() }
  }
}
