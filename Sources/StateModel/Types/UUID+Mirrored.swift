public import FoundationEssentials

extension UUID: Mirrored {
  /// A UUID.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .standard("UUID") }

  /// Writes tag 37 and the 16 bytes.
  public func encode(to encoder: inout CBOREncoder) {
    encoder.tag(Self.tag)
    encoder.byteString(bytes)
  }

  /// Reads tag 37 and 16 bytes.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let tag = try decoder.tag()
    guard tag == Self.tag else {
      throw DecodingFailure(.wrongType, "a UUID has tag 37, not \(tag)")
    }
    try decoder.enter()
    let bytes = Array(try decoder.byteString())
    decoder.leave()
    guard bytes.count == 16 else {
      throw DecodingFailure(.outOfRange, "a UUID has 16 bytes, not \(bytes.count)")
    }
    self.init(
      uuid: (
        bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
        bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
      ))
  }

  /// Whether both are the same.
  public func isIdentical(to other: UUID) -> Bool { self == other }

  /// The digest of the tagged bytes.
  public var digest: Digest { .tagged(Self.tag, .ofBytes(bytes)) }

  private static let tag: UInt64 = 37

  private var bytes: [UInt8] {
    let b = uuid
    return [
      b.0, b.1, b.2, b.3, b.4, b.5, b.6, b.7, b.8, b.9, b.10, b.11, b.12, b.13, b.14, b.15,
    ]
  }
}
