/// Collects the changes of a delta while a value is compared with an older one.
public struct DeltaWriter: Sendable {
  private var body = CBOREncoder()
  private var count = 0
  /// The encoded elements of the present path, one behind the other.
  private var path = CBOREncoder()
  private var pathCount = 0

  /// A writer at the root.
  public init() {}

  /// How many changes have been written.
  public var changeCount: Int { count }

  /// How many bytes the changes take so far.
  public var byteCount: Int { body.bytes.count }

  /// Writes what `body` finds one step further in: `element` is the encoded path element.
  public mutating func at(
    _ element: some Collection<UInt8>, _ body: (inout DeltaWriter) -> Void
  ) {
    let outer = path.bytes.count
    path.encoded(element)
    step(body, backTo: outer)
  }

  /// Writes what `body` finds in the element at `index`.
  public mutating func at(index: Int, _ body: (inout DeltaWriter) -> Void) {
    let outer = path.bytes.count
    path.unsigned(UInt64(index))
    step(body, backTo: outer)
  }

  /// Writes what `body` finds under the text key `field`, a field's or a case's wire name.
  public mutating func at(field: String, _ body: (inout DeltaWriter) -> Void) {
    let outer = path.bytes.count
    path.text(field)
    step(body, backTo: outer)
  }

  /// Goes one step further in, to the field or case `name`; gives what `leave` needs.
  @usableFromInline mutating func enter(_ name: FieldName) -> Int {
    let outer = path.bytes.count
    path.name(name)
    pathCount += 1
    return outer
  }

  /// Comes back from where `enter` went.
  @usableFromInline mutating func leave(backTo outer: Int) {
    pathCount -= 1
    path.truncate(to: outer)
  }

  private mutating func step(_ body: (inout DeltaWriter) -> Void, backTo outer: Int) {
    pathCount += 1
    body(&self)
    pathCount -= 1
    path.truncate(to: outer)
  }

  /// Writes the changes that `body` finds in `value`, which stands at the present path; where they
  /// come out larger than the value itself, sets the value instead.
  public mutating func changes(to value: some Mirrored, _ body: (inout DeltaWriter) -> Void) {
    let start = byteCount
    let changesBefore = count
    body(&self)
    let written = byteCount - start
    guard written > Self.alwaysSmall,
      let whole = value.encoded(atMost: written - path.bytes.count - 4)
    else { return }
    self.body.truncate(to: start)
    count = changesBefore
    begin(0, 3)
    self.body.encoded(whole)
  }

  /// Sets the value at the present path.
  public mutating func set(_ value: some Mirrored) {
    begin(0, 3)
    value.encode(to: &body)
  }

  /// Removes the entry at the present path.
  public mutating func remove() { begin(1, 2) }

  /// Replaces `removed` elements from `index` on by `items`.
  public mutating func splice(index: Int, removed: Int, items: some Collection<some Mirrored>) {
    splice(index: index, removed: removed, count: items.count)
    for item in items { item.encode(to: &body) }
  }

  /// Replaces `removed` elements from `index` on by items that are encoded already.
  mutating func splice(index: Int, removed: Int, encoded items: some Collection<[UInt8]>) {
    splice(index: index, removed: removed, count: items.count)
    for item in items { body.encoded(item) }
  }

  private mutating func splice(index: Int, removed: Int, count: Int) {
    begin(2, 5)
    body.unsigned(UInt64(index))
    body.unsigned(UInt64(removed))
    body.array(count)
  }

  /// Moves the element at `from` to `to`, counted after the removal.
  public mutating func move(from: Int, to: Int) {
    begin(3, 4)
    body.unsigned(UInt64(from))
    body.unsigned(UInt64(to))
  }

  /// Replaces `removed` UTF-8 bytes from `offset` on by `inserted`.
  public mutating func text(offset: Int, removed: Int, inserted: String) {
    text(offset: offset, removed: removed, utf8: inserted.utf8)
  }

  /// Replaces `removed` UTF-8 bytes from `offset` on by bytes that are whole scalars.
  mutating func text(offset: Int, removed: Int, utf8: some Collection<UInt8>) {
    begin(4, 5)
    body.unsigned(UInt64(offset))
    body.unsigned(UInt64(removed))
    body.text(utf8: utf8)
  }

  private mutating func begin(_ kind: UInt64, _ elements: Int) {
    count += 1
    body.array(elements)
    body.unsigned(kind)
    body.array(pathCount)
    body.encoded(path.bytes)
  }

  /// The finished delta. Where it would be larger than `value`, it sets `value` as a whole.
  public func finish(value: some Mirrored) -> Delta {
    // The head of a change that sets the root takes three bytes.
    if byteCount > Self.alwaysSmall, let whole = value.encoded(atMost: byteCount - 4) {
      return Self.whole(encoded: whole)
    }
    var encoder = CBOREncoder()
    encoder.reserve(byteCount + 9)
    encoder.array(count)
    encoder.encoded(body.bytes)
    return Delta(bytes: encoder.bytes)
  }

  /// The delta that sets the root to an encoded value.
  public static func whole(encoded value: [UInt8]) -> Delta {
    var encoder = CBOREncoder()
    encoder.array(1)
    encoder.array(3)
    encoder.unsigned(0)
    encoder.array(0)
    encoder.encoded(value)
    return Delta(bytes: encoder.bytes)
  }

  /// Changes up to this size, in bytes, are sent without comparing sizes: that would cost more than
  /// it could save.
  static let alwaysSmall = 16
}

extension Mirrored {
  /// The value's encoding where it is no longer than `limit` bytes; nil where it is. Looks at little
  /// more of the value than that, so that asking costs what the shorter of the two does.
  package func encoded(atMost limit: Int) -> [UInt8]? {
    encodedPieces(of: .max, atMost: limit)?.bytes
  }

  /// The same in pieces of `length` bytes.
  package func encodedPieces(of length: Int, atMost limit: Int) -> EncodedPieces? {
    guard limit > 0 else { return nil }
    var encoder = CBOREncoder(limit: limit, pieceLength: length)
    encode(to: &encoder)
    return encoder.takePieces()
  }
}
