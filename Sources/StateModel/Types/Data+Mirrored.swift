public import FoundationEssentials

extension Data: Mirrored {
  /// A byte string.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .bytes }

  /// Writes a byte string.
  public func encode(to encoder: inout CBOREncoder) { encoder.byteString(self) }

  /// Reads a byte string.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    self.init(try decoder.byteString())
  }

  /// Whether both hold the same bytes.
  public func isIdentical(to other: Data) -> Bool { self == other }

  /// A leaf's digest.
  public var digest: Digest { .ofBytes(self) }
}
