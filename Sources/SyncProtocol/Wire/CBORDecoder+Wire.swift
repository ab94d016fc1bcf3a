internal import StateModel

// What messages are made of, read in place: envelopes, identifiers, lists.
extension CBORDecoder {
  /// Reads a body: for every key in turn `value` reads its value or gives false, and then the value
  /// is skipped (unknown keys are ignored, so that later versions may add some).
  ///
  /// The envelope of a message does not count towards the depth limit, which is one of the values
  /// that it carries: nothing here calls `enter`.
  @inline(__always)
  mutating func body(
    _ value: (WireKey, inout CBORDecoder) throws(DecodingFailure) -> Bool
  ) throws(DecodingFailure) {
    var last: ArraySlice<UInt8>?
    for _ in 0..<(try map()) {
      let text = try textBytes()
      if let last {
        // Shorter keys sort first: their heads are smaller.
        if last.count > text.count
          || (last.count == text.count && !last.lexicographicallyPrecedes(text))
        {
          throw DecodingFailure(
            .notDeterministic, "the keys of a body are in the order of their encodings, each once")
        }
      }
      last = text
      if let key = WireKey(text), try value(key, &self) { continue }
      try skip()
    }
  }

  /// Reads `null`, or what `value` reads.
  @inline(__always)
  mutating func optional<Wrapped>(
    _ value: (inout CBORDecoder) throws(DecodingFailure) -> Wrapped
  ) throws(DecodingFailure) -> Wrapped? {
    if nextIsNull {
      try null()
      return nil
    }
    return try value(&self)
  }

  /// Reads an array, each item with `value`.
  @inline(__always)
  mutating func list<Item>(
    _ value: (inout CBORDecoder) throws(DecodingFailure) -> Item
  ) throws(DecodingFailure) -> [Item] {
    let count = try array()
    var items: [Item] = []
    // A count is bounded by the bytes that follow, not by the size of what it becomes here.
    items.reserveCapacity(min(count, 256))
    for _ in 0..<count { items.append(try value(&self)) }
    return items
  }

  /// Reads the head of an array of exactly `expected` items.
  mutating func array(of expected: Int, _ what: String) throws(DecodingFailure) {
    let count = try array()
    guard count == expected else {
      throw DecodingFailure(.wrongType, "\(what) has \(expected) elements, not \(count)")
    }
  }

  mutating func bytes16() throws(DecodingFailure) -> Bytes16 {
    let bytes = try byteString()
    guard let value = Bytes16(bytes) else {
      throw DecodingFailure(.wrongType, "expected 16 bytes, found \(bytes.count)")
    }
    return value
  }

  mutating func epoch() throws(DecodingFailure) -> Epoch {
    let bytes = try byteString()
    guard bytes.count == 8 else {
      throw DecodingFailure(.wrongType, "an epoch has 8 bytes, not \(bytes.count)")
    }
    return Epoch(rawValue: bytes.reduce(0) { $0 << 8 | UInt64($1) })
  }

  mutating func lineage() throws(DecodingFailure) -> Lineage { Lineage(try bytes16()) }
  mutating func commit() throws(DecodingFailure) -> CommitNumber {
    CommitNumber(rawValue: try unsigned())
  }
  mutating func digest() throws(DecodingFailure) -> Digest { Digest(rawValue: try unsigned()) }
  mutating func topic() throws(DecodingFailure) -> Topic { Topic(bytes: Array(try byteString())) }
  mutating func code() throws(DecodingFailure) -> Code { Code(bytes: try textBytes()) }
  mutating func path() throws(DecodingFailure) -> [[UInt8]] {
    try list { (decoder) throws(DecodingFailure) in Array(try decoder.item()) }
  }
}
