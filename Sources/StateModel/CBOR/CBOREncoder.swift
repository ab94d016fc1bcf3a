/// Writes CBOR in the one form that Statecast uses (RFC 8949, 4.2.1: shortest heads, no indefinite
/// lengths). Map keys are written in the order of the calls: whoever writes a map calls them in the
/// bytewise order of their encodings.
public struct CBOREncoder: Sendable {
  /// What has been written so far; of a large view, what is not in a piece that is complete.
  public private(set) var bytes: [UInt8] = []
  /// How many bytes are of interest; containers stop writing their items beyond.
  private var limit = Int.max
  private var isBeyondLimit = false
  /// What has been cut off into pieces; nil where `bytes` is all.
  private var pieces: [[UInt8]]?
  private var pieceLength = Int.max
  private var cutOff = 0

  /// An empty encoder.
  public init() {}

  /// An encoder whose caller has no use for more than `limit` bytes: containers may leave items
  /// out once `isFull`, so that comparing sizes costs the smaller one.
  ///
  /// - Parameter pieceLength: how long the pieces are that `takePieces` gives.
  init(limit: Int, pieceLength: Int) {
    self.limit = limit
    self.pieceLength = pieceLength
    if pieceLength < .max { pieces = [] }
  }

  /// Whether more than the limit has been written: what follows, and the whole, is of no use.
  ///
  /// Containers ask before an item or a run of them. What is in order by then is cut into pieces.
  public var isFull: Bool {
    mutating get {
      if bytes.count >= pieceLength { cutPieces() }
      return isBeyondLimit || bytes.count > limit - cutOff
    }
  }

  private mutating func cutPieces() {
    var start = 0
    while bytes.count - start >= pieceLength {
      pieces?.append(Array(bytes[start..<start + pieceLength]))
      start += pieceLength
    }
    cutOff += start
    // Its room is used again.
    bytes.replaceSubrange(..<start, with: EmptyCollection())
  }

  /// All that was written, in pieces; nil where it is more than the limit.
  mutating func takePieces() -> EncodedPieces? {
    if isFull { return nil }
    guard var pieces, !pieces.isEmpty else { return EncodedPieces([bytes], of: pieceLength) }
    if !bytes.isEmpty { pieces.append(bytes) }
    return EncodedPieces(pieces, of: pieceLength)
  }

  /// Looks ahead: what follows takes `least` bytes or more. False when that is of no use.
  mutating func expect(_ least: Int) -> Bool {
    if least > limit - cutOff - bytes.count { isBeyondLimit = true }
    return !isBeyondLimit
  }

  /// An encoder that writes behind `bytes`, reusing their storage.
  public init(appendingTo bytes: consuming [UInt8]) { self.bytes = bytes }

  /// Makes room for `count` more bytes.
  public mutating func reserve(_ count: Int) { bytes.reserveCapacity(bytes.count + count) }

  /// Empties the encoder and keeps its storage.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Drops what was written beyond the first `count` bytes.
  mutating func truncate(to count: Int) { bytes.removeLast(bytes.count - count) }

  /// The head of an item: its major type (0...7) and its argument in the shortest form.
  public mutating func head(_ major: UInt8, _ argument: UInt64) {
    let top = major << 5
    if argument < 24 {
      bytes.append(top | UInt8(truncatingIfNeeded: argument))
    } else if argument <= 0xFF {
      bytes.append(top | 24)
      bytes.append(UInt8(truncatingIfNeeded: argument))
    } else if argument <= 0xFFFF {
      bytes.append(top | 25)
      bigEndian(UInt16(truncatingIfNeeded: argument))
    } else if argument <= 0xFFFF_FFFF {
      bytes.append(top | 26)
      bigEndian(UInt32(truncatingIfNeeded: argument))
    } else {
      bytes.append(top | 27)
      bigEndian(argument)
    }
  }

  /// A non-negative integer.
  public mutating func unsigned(_ value: UInt64) { head(0, value) }

  /// The negative integer -1 - `complement`.
  public mutating func negative(_ complement: UInt64) { head(1, complement) }

  /// A signed integer.
  public mutating func integer(_ value: Int64) {
    if value >= 0 { head(0, UInt64(value)) } else { head(1, UInt64(bitPattern: ~value)) }
  }

  /// A byte string.
  public mutating func byteString(_ value: some Collection<UInt8>) {
    head(2, UInt64(value.count))
    guard expect(value.count) else { return }
    bytes.append(contentsOf: value)
  }

  /// A text, as the UTF-8 bytes that the string holds (no normalisation).
  public mutating func text(_ value: String) { text(utf8: value.utf8) }

  /// The head of an array of `count` items, which the next calls write.
  public mutating func array(_ count: Int) {
    head(4, UInt64(count))
    _ = expect(count)
  }

  /// The head of a map of `count` entries, whose keys and values the next calls write.
  public mutating func map(_ count: Int) {
    head(5, UInt64(count))
    _ = expect(2 * count)
  }

  /// A tag number; the next item is what it tags.
  public mutating func tag(_ number: UInt64) { head(6, number) }

  /// `true` or `false`.
  public mutating func bool(_ value: Bool) { bytes.append(value ? 0xF5 : 0xF4) }

  /// `null`.
  public mutating func null() { bytes.append(0xF6) }

  /// A float, in the shortest of 16, 32 and 64 bits that gives the same bits back.
  public mutating func float(_ value: Double) {
    if let half = ShortFloat.half(value) {
      bytes.append(0xF9)
      bigEndian(half)
    } else if let single = ShortFloat.single(value) {
      bytes.append(0xFA)
      bigEndian(single)
    } else {
      bytes.append(0xFB)
      bigEndian(value.bitPattern)
    }
  }

  /// An item that is already encoded; the caller answers for its form.
  public mutating func encoded(_ item: some Collection<UInt8>) { bytes.append(contentsOf: item) }

  /// A text that is already UTF-8; the caller answers for its form.
  mutating func text(utf8: some Collection<UInt8>) {
    head(3, UInt64(utf8.count))
    guard expect(utf8.count) else { return }
    let appended: Void? = utf8.withContiguousStorageIfAvailable { bytes.append(contentsOf: $0) }
    if appended == nil { bytes.append(contentsOf: utf8) }
  }

  /// A long text, block by block.
  mutating func text(_ rope: Rope) {
    head(3, UInt64(rope.count))
    guard expect(rope.count) else { return }
    rope.forEachBlock { bytes.append(contentsOf: $0) }
  }

  private mutating func bigEndian<Integer: FixedWidthInteger>(_ value: Integer) {
    var shift = Integer.bitWidth - 8
    while shift >= 0 {
      bytes.append(UInt8(truncatingIfNeeded: value >> Integer(shift)))
      shift -= 8
    }
  }
}
