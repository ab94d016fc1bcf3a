extension Bool: Mirrored {
  /// A boolean.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .bool }

  /// Writes `true` or `false`.
  public func encode(to encoder: inout CBOREncoder) { encoder.bool(self) }

  /// Reads `true` or `false`.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) { self = try decoder.bool() }

  /// Whether both are the same.
  public func isIdentical(to other: Bool) -> Bool { self == other }

  /// A leaf's digest.
  public var digest: Digest { .ofBool(self) }

  /// Sets the value when it differs.
  public func writeDelta(from old: Bool, to writer: inout DeltaWriter) {
    if self != old { writer.set(self) }
  }

  /// Only a `set` fits.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    try applyToLeaf(change, at: depth, "a boolean")
  }
}
