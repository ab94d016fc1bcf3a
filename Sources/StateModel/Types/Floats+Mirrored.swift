extension Double: Mirrored {
  /// A float of 64 bits.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .float(bits: 64) }

  /// Writes the float in the shortest form that gives the same bits back.
  public func encode(to encoder: inout CBOREncoder) { encoder.float(self) }

  /// Reads a float of any width.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    self = try decoder.float()
  }

  /// Whether both have the same bits: -0 and 0 differ, a NaN is identical to itself.
  public func isIdentical(to other: Double) -> Bool { bitPattern == other.bitPattern }

  /// A leaf's digest.
  public var digest: Digest { .ofFloat(self) }
}

extension Float: Mirrored {
  /// A float of 32 bits.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .float(bits: 32) }

  /// Writes the float in the shortest form that gives the same bits back.
  public func encode(to encoder: inout CBOREncoder) { encoder.float(widened) }

  /// Reads a float that 32 bits hold without loss.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let value = try decoder.float()
    guard let bits = ShortFloat.single(value) else {
      throw DecodingFailure(.outOfRange, "\(value) does not fit a float of 32 bits")
    }
    self.init(bitPattern: bits)
  }

  /// Whether both have the same bits: -0 and 0 differ, a NaN is identical to itself.
  public func isIdentical(to other: Float) -> Bool { bitPattern == other.bitPattern }

  /// A leaf's digest.
  public var digest: Digest { .ofFloat(widened) }

  /// By bit pattern: a conversion would quieten a signalling NaN.
  private var widened: Double { ShortFloat.double(single: bitPattern) }
}
