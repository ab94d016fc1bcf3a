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
}
