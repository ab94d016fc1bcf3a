extension Int: Mirrored {
  /// An integer of 64 signed bits.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .integer(least: Int64(Int.min), greatest: UInt64(Int.max))
  }

  /// Writes the integer.
  public func encode(to encoder: inout CBOREncoder) { encoder.integer(Int64(self)) }

  /// Reads an integer.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    self = Int(try decoder.integer())
  }

  /// Whether both are the same number.
  public func isIdentical(to other: Int) -> Bool { self == other }

  /// A leaf's digest.
  public var digest: Digest { Digest(leaf: encoded()) }

  /// Sets the whole number when it differs.
  public func writeDelta(from old: Int, to writer: inout DeltaWriter) {
    if self != old { writer.set(self) }
  }

  /// Only a `set` of the whole number fits.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    guard depth == change.path.count, case .set(let item) = change.operation else {
      throw DeltaFailure("an integer has no parts to change")
    }
    do { self = try Int(encoded: item) } catch { throw DeltaFailure(error) }
  }
}
