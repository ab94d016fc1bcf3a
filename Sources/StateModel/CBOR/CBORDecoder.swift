/// Reads CBOR in the one form that Statecast uses, and refuses every other (RFC 8949, 4.2.1).
///
/// A pull decoder: it holds a position and a depth, and never more of the input than the slice it
/// was given, so a hostile length cannot make it allocate.
public struct CBORDecoder: Sendable {
  /// How deep items may nest, at both ends of every connection.
  public static let maximumDepth = 256

  /// The head of an item.
  public struct Head: Equatable, Sendable {
    /// The major type, 0...7.
    public var major: UInt8
    /// The argument: a value, a length, a tag number; for floats their bits.
    public var argument: UInt64
    /// The low five bits of the first byte: for major type 7 they tell the simple value or width.
    public var info: UInt8
  }

  let bytes: ArraySlice<UInt8>
  /// The position of the next byte to read, an index into the slice.
  public internal(set) var position: Int
  /// How many containers enclose the next item.
  public internal(set) var depth = 0
  /// Where what cannot be read is noted; nil where it is an error.
  @usableFromInline var omitted: OmissionCollector?

  /// A decoder of `bytes`, at their beginning.
  public init(_ bytes: [UInt8]) { self.init(bytes[...]) }

  /// A decoder of a slice, at its beginning.
  public init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  /// Whether everything has been read.
  public var isAtEnd: Bool { position >= bytes.endIndex }

  /// Throws unless everything has been read.
  public func finish() throws(DecodingFailure) {
    guard isAtEnd else {
      throw DecodingFailure(.trailingBytes, "\(bytes.endIndex - position) bytes follow the item")
    }
  }

  /// Goes one container deeper; every container is read between `enter` and `leave`.
  public mutating func enter() throws(DecodingFailure) {
    guard depth < Self.maximumDepth else {
      throw Self.tooDeep
    }
    depth += 1
  }

  /// Comes back from a container.
  public mutating func leave() { depth -= 1 }

  /// The head of the next item, without reading it.
  public func peek() throws(DecodingFailure) -> Head {
    // Made anew: a copy would cost a retain.
    var copy = CBORDecoder(bytes)
    copy.position = position
    return try copy.head()
  }

  /// Whether the next item is `null`.
  public var nextIsNull: Bool { position < bytes.endIndex && bytes[position] == 0xF6 }

  /// Reads the head of the next item.
  public mutating func head() throws(DecodingFailure) -> Head { try nextHead() }

  @inline(__always)
  mutating func nextHead() throws(DecodingFailure) -> Head {
    // Most heads are one byte.
    if position < bytes.endIndex {
      let first = bytes[position]
      if first & 0x1F < 24, first < 0xE0 {
        position += 1
        return Head(major: first >> 5, argument: UInt64(first & 0x1F), info: first & 0x1F)
      }
    }
    return try longHead()
  }

  @inline(never)
  private mutating func longHead() throws(DecodingFailure) -> Head {
    guard position < bytes.endIndex else { throw Self.truncated }
    let first = bytes[position]
    let major = first >> 5
    let info = first & 0x1F
    position += 1
    if info < 24 {
      if major == 7, !(20...22).contains(info) {
        throw DecodingFailure(.notDeterministic, "simple value \(info) is not used")
      }
      return Head(major: major, argument: UInt64(info), info: info)
    }
    guard info < 28 else {
      throw DecodingFailure(.notDeterministic, "indefinite lengths are not used")
    }
    let width = 1 << Int(info - 24)
    guard bytes.endIndex - position >= width else { throw Self.truncated }
    let argument = ByteComparison.number(
      bytes.span.bytes, at: position - bytes.startIndex, width: width)
    position += width
    if major == 7 {
      try checkFloat(info, argument)
    } else {
      let least: UInt64 =
        switch info {
        case 24: 24
        case 25: 0x100
        case 26: 0x1_0000
        default: 0x1_0000_0000
        }
      guard argument >= least else {
        throw DecodingFailure(.notDeterministic, "\(argument) is not in its shortest form")
      }
    }
    return Head(major: major, argument: argument, info: info)
  }

  private func checkFloat(_ info: UInt8, _ bits: UInt64) throws(DecodingFailure) {
    switch info {
    case 25: return
    case 26:
      let value = ShortFloat.double(single: UInt32(truncatingIfNeeded: bits))
      if ShortFloat.half(value) == nil { return }
    case 27:
      if ShortFloat.single(Double(bitPattern: bits)) == nil { return }
    default:
      throw DecodingFailure(.notDeterministic, "simple values above 23 are not used")
    }
    throw DecodingFailure(.notDeterministic, "a float is not in its shortest form")
  }

  /// Reads a non-negative integer.
  public mutating func unsigned() throws(DecodingFailure) -> UInt64 {
    let head = try head()
    guard head.major == 0 else { throw Self.mismatch("an unsigned integer", head) }
    return head.argument
  }

  /// Reads an integer that fits 64 signed bits.
  public mutating func integer() throws(DecodingFailure) -> Int64 {
    let head = try head()
    guard head.major <= 1 else { throw Self.mismatch("an integer", head) }
    guard head.argument <= UInt64(Int64.max) else {
      throw DecodingFailure(.outOfRange, "an integer beyond 64 signed bits")
    }
    let value = Int64(bitPattern: head.argument)
    return head.major == 0 ? value : ~value
  }

  /// Reads a byte string: a slice of the input, no copy.
  public mutating func byteString() throws(DecodingFailure) -> ArraySlice<UInt8> {
    let head = try head()
    guard head.major == 2 else { throw Self.mismatch("a byte string", head) }
    return try content(head.argument)
  }

  /// Reads the bytes of a text, checked to be UTF-8: a slice of the input, no copy.
  public mutating func textBytes() throws(DecodingFailure) -> ArraySlice<UInt8> {
    let head = try head()
    guard head.major == 3 else { throw Self.mismatch("a text", head) }
    return try textContent(head.argument)
  }

  /// Reads a text.
  public mutating func text() throws(DecodingFailure) -> String {
    let head = try head()
    guard head.major == 3 else { throw Self.mismatch("a text", head) }
    return String(decoding: bytes[try textRange(head.argument)], as: UTF8.self)
  }

  /// Reads the head of an array: how many items follow.
  public mutating func array() throws(DecodingFailure) -> Int {
    let head = try head()
    guard head.major == 4 else { throw Self.mismatch("an array", head) }
    return try count(head.argument, leastBytesEach: 1)
  }

  /// Reads the head of a map: how many entries follow. `MapKeyOrder` checks their keys.
  public mutating func map() throws(DecodingFailure) -> Int {
    let head = try head()
    guard head.major == 5 else { throw Self.mismatch("a map", head) }
    return try count(head.argument, leastBytesEach: 2)
  }

  /// Reads `count` entries of a map whose head has been read: gives each encoded key, and the
  /// decoder at the value. Checks the order of the keys; a failure names the key.
  public mutating func entries(
    _ count: Int,
    _ body: (ArraySlice<UInt8>, inout CBORDecoder) throws(DecodingFailure) -> Void
  ) throws(DecodingFailure) {
    var last: ArraySlice<UInt8>?
    for _ in 0..<count {
      let key = try item()
      let (start, outer) = (position, depth)
      do throws(DecodingFailure) {
        if let last { try MapKeyOrder.check(last, key) }
      } catch {
        throw error.under(DeltaFailure.name(of: key))
      }
      do throws(DecodingFailure) {
        try body(key, &self)
      } catch {
        guard omits(error, from: start, at: outer) else {
          throw error.under(DeltaFailure.name(of: key))
        }
      }
      last = key
    }
  }

  /// Room is reserved for this many items at most before they are read: what is in the input is
  /// checked, what it announces is not believed.
  @usableFromInline static let mostReserved = 4_096

  /// Reads a tag number.
  public mutating func tag() throws(DecodingFailure) -> UInt64 {
    let head = try head()
    guard head.major == 6 else { throw Self.mismatch("a tag", head) }
    return head.argument
  }

  /// Reads `true` or `false`.
  public mutating func bool() throws(DecodingFailure) -> Bool {
    let head = try head()
    guard head.major == 7, head.info == 20 || head.info == 21 else {
      throw Self.mismatch("a boolean", head)
    }
    return head.info == 21
  }

  /// Reads `null`.
  public mutating func null() throws(DecodingFailure) {
    let head = try head()
    guard head.major == 7, head.info == 22 else { throw Self.mismatch("null", head) }
  }

  /// Reads a float of any width.
  public mutating func float() throws(DecodingFailure) -> Double {
    let head = try head()
    guard let value = Self.float(head) else { throw Self.mismatch("a float", head) }
    return value
  }

  /// The value of a float's head; nil when it is not the head of a float.
  public static func float(_ head: Head) -> Double? {
    guard head.major == 7 else { return nil }
    switch head.info {
    case 25: return ShortFloat.double(half: UInt16(truncatingIfNeeded: head.argument))
    case 26: return ShortFloat.double(single: UInt32(truncatingIfNeeded: head.argument))
    case 27: return Double(bitPattern: head.argument)
    default: return nil
    }
  }

  /// The content of a byte string whose head has been read.
  mutating func content(_ length: UInt64) throws(DecodingFailure) -> ArraySlice<UInt8> {
    bytes[try contentRange(length)]
  }

  /// A count that the rest of the input can hold: a hostile one cannot reserve memory.
  @inline(__always)
  func count(_ argument: UInt64, leastBytesEach: Int) throws(DecodingFailure) -> Int {
    guard argument <= UInt64((bytes.endIndex - position) / leastBytesEach) else {
      throw Self.truncated
    }
    return Int(argument)
  }

  /// The content of a text whose head has been read, checked to be UTF-8.
  mutating func textContent(_ length: UInt64) throws(DecodingFailure) -> ArraySlice<UInt8> {
    bytes[try textRange(length)]
  }

  /// Where the content of a byte string or text lies: no slice, which would cost a retain.
  @inline(__always)
  mutating func contentRange(_ length: UInt64) throws(DecodingFailure) -> Range<Int> {
    guard length <= UInt64(bytes.endIndex - position) else { throw Self.truncated }
    let start = position
    position += Int(length)
    return start..<position
  }

  mutating func textRange(_ length: UInt64) throws(DecodingFailure) -> Range<Int> {
    let range = try contentRange(length)
    let start = range.lowerBound - bytes.startIndex
    let content = bytes.span.extracting(start..<start + range.count)
    if ByteComparison.isASCII(content.bytes) { return range }
    do { _ = try UTF8Span(validating: content) } catch { throw Self.notUTF8 }
    return range
  }

  /// Throws unless the key at `later` sorts after the one at `earlier`.
  func checkOrder(_ earlier: Range<Int>, _ later: Range<Int>) throws(DecodingFailure) {
    let start = bytes.startIndex
    let isInOrder = ByteComparison.precedes(
      bytes.span.bytes.extracting(earlier.lowerBound - start..<earlier.upperBound - start),
      bytes.span.bytes.extracting(later.lowerBound - start..<later.upperBound - start))
    if !isInOrder { try MapKeyOrder.check(bytes[earlier], bytes[later]) }
  }

  static let tooDeep = DecodingFailure(.tooDeep, "nested deeper than \(maximumDepth)")
  private static let notUTF8 = DecodingFailure(.notDeterministic, "a text is not UTF-8")
  private static let truncated = DecodingFailure(.truncated, "the bytes end inside an item")

  /// What the last major type holds, as people call it.
  private static func simpleKind(_ info: UInt8) -> String {
    switch info {
    case 20, 21: "a boolean"
    case 22: "null"
    default: "a float"
    }
  }

  /// The failure of finding something else than `expected`.
  public static func mismatch(_ expected: String, _ head: Head) -> DecodingFailure {
    let kinds = [
      "an unsigned integer", "a negative integer", "a byte string", "a text", "an array", "a map",
      "a tag", simpleKind(head.info),
    ]
    return DecodingFailure(.wrongType, "expected \(expected), found \(kinds[Int(head.major & 7)])")
  }
}
