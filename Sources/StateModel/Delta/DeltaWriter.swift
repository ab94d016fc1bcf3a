/// Collects the changes of a delta while a value is compared with an older one.
public struct DeltaWriter: Sendable {
  private var body = CBOREncoder()
  private var count = 0
  private var path: [[UInt8]] = []

  /// A writer at the root.
  public init() {}

  /// How many changes have been written.
  public var changeCount: Int { count }

  /// How many bytes the changes take so far.
  public var byteCount: Int { body.bytes.count }

  /// Writes what `body` finds one step further in: `element` is the encoded path element.
  public mutating func at(_ element: [UInt8], _ body: (inout DeltaWriter) -> Void) {
    path.append(element)
    body(&self)
    path.removeLast()
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
    begin(2, 5)
    body.unsigned(UInt64(index))
    body.unsigned(UInt64(removed))
    body.array(items.count)
    for item in items { item.encode(to: &body) }
  }

  /// Moves the element at `from` to `to`, counted after the removal.
  public mutating func move(from: Int, to: Int) {
    begin(3, 4)
    body.unsigned(UInt64(from))
    body.unsigned(UInt64(to))
  }

  /// Replaces `removed` UTF-8 bytes from `offset` on by `inserted`.
  public mutating func text(offset: Int, removed: Int, inserted: String) {
    begin(4, 5)
    body.unsigned(UInt64(offset))
    body.unsigned(UInt64(removed))
    body.text(inserted)
  }

  private mutating func begin(_ kind: UInt64, _ elements: Int) {
    count += 1
    body.array(elements)
    body.unsigned(kind)
    body.array(path.count)
    for element in path { body.encoded(element) }
  }

  /// The finished delta. Where it would be larger than `value`, it sets `value` as a whole.
  public func finish(value: some Mirrored) -> Delta {
    if body.bytes.count > Self.alwaysSmall {
      let whole = value.encoded()
      if whole.count < body.bytes.count { return Self.whole(encoded: whole) }
    }
    var encoder = CBOREncoder()
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

  /// Deltas up to this size, in bytes, are sent without encoding the whole value to compare sizes:
  /// the comparison would cost more than it could save.
  static let alwaysSmall = 256
}
