public import FoundationEssentials

/// Tag 4 with `[exponent, mantissa]` (RFC 8949, 3.4.4), the mantissa without trailing zeros, so that
/// equal numbers have one form. Zero is `[0, 0]`. The RFC has no NaN: it is `[0, null]`.
extension Decimal: Mirrored {
  /// A decimal number.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .standard("Decimal")
  }

  /// Writes exponent and mantissa.
  public func encode(to encoder: inout CBOREncoder) {
    encoder.tag(Self.tag)
    encoder.array(2)
    guard let form = wireForm else {
      encoder.unsigned(0)
      encoder.null()
      return
    }
    encoder.integer(Int64(form.exponent))
    form.mantissa.encode(to: &encoder)
  }

  /// Reads a number that `Decimal` holds, in its one form.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let tag = try decoder.tag()
    guard tag == Self.tag else {
      throw DecodingFailure(.wrongType, "a decimal number has tag 4, not \(tag)")
    }
    try decoder.enter()
    guard try decoder.array() == 2 else {
      throw DecodingFailure(.wrongType, "a decimal number is [exponent, mantissa]")
    }
    try decoder.enter()
    let exponent = try decoder.integer()
    if exponent == 0, decoder.nextIsNull {
      try decoder.null()
      self = .nan
    } else {
      let mantissa = try DecimalMantissa(from: &decoder)
      guard let number = Self.number(exponent, mantissa),
        let form = number.wireForm, form.exponent == exponent, form.mantissa == mantissa
      else {
        throw DecodingFailure(
          .outOfRange, "a decimal number outside of Decimal's range, or not in its one form")
      }
      self = number
    }
    decoder.leave()
    decoder.leave()
  }

  /// Whether both are the same number; NaN is identical to itself.
  public func isIdentical(to other: Decimal) -> Bool {
    isNaN || other.isNaN ? isNaN && other.isNaN : self == other
  }

  /// The digest of the tagged array.
  public var digest: Digest {
    var array = ArrayDigest()
    if let form = wireForm {
      array.append(.ofInteger(Int64(form.exponent)))
      array.append(form.mantissa.digest)
    } else {
      array.append(.ofUnsigned(0))
      array.append(.ofNull)
    }
    return .tagged(Self.tag, array.digest)
  }

  private static let tag: UInt64 = 4

  /// Nil for NaN.
  private var wireForm: (exponent: Int, mantissa: DecimalMantissa)? {
    if isNaN { return nil }
    // Foundation gives the digits of a decimal in no other form than text.
    guard var digits = UInt128("\(significand.magnitude)"), digits != 0 else {
      return (0, DecimalMantissa(isNegative: false, magnitude: 0))
    }
    var exponent = self.exponent
    while digits.isMultiple(of: 10) {
      digits /= 10
      exponent += 1
    }
    return (exponent, DecimalMantissa(isNegative: isSignMinus, magnitude: digits))
  }

  private static func number(_ exponent: Int64, _ mantissa: DecimalMantissa) -> Decimal? {
    var magnitude = mantissa.magnitude
    var exponent = exponent
    // Trailing zeros are dropped on the wire also where the exponent that results is out of range.
    while exponent > 127, exponent < 127 + 39 {
      let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      if overflow { return nil }
      magnitude = product
      exponent -= 1
    }
    guard -128...127 ~= exponent, let significand = Decimal(string: "\(magnitude)") else {
      return nil
    }
    return Decimal(
      sign: mantissa.isNegative ? .minus : .plus, exponent: Int(exponent),
      significand: significand)
  }
}

/// An integer of up to 128 bits with its sign: beyond 64 bits it is tag 2, or 3 when negative, with
/// the bytes of its magnitude (less one when negative).
private struct DecimalMantissa: Equatable {
  var isNegative: Bool
  var magnitude: UInt128

  init(isNegative: Bool, magnitude: UInt128) {
    self.isNegative = isNegative
    self.magnitude = magnitude
  }

  /// What CBOR writes: n, or for a negative number the n of -1 - n.
  private var argument: UInt128 { isNegative ? magnitude - 1 : magnitude }

  func encode(to encoder: inout CBOREncoder) {
    if let small = UInt64(exactly: argument) {
      if isNegative { encoder.negative(small) } else { encoder.unsigned(small) }
    } else {
      encoder.tag(isNegative ? 3 : 2)
      encoder.byteString(bytes)
    }
  }

  var digest: Digest {
    if let small = UInt64(exactly: argument) {
      return isNegative ? .ofNegative(small) : .ofUnsigned(small)
    }
    return .tagged(isNegative ? 3 : 2, .ofBytes(bytes))
  }

  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let head = try decoder.head()
    let argument: UInt128
    switch (head.major, head.argument) {
    case (0, let value), (1, let value):
      isNegative = head.major == 1
      argument = UInt128(value)
    case (6, 2), (6, 3):
      isNegative = head.argument == 3
      try decoder.enter()
      let bytes = try decoder.byteString()
      decoder.leave()
      guard 9...16 ~= bytes.count, bytes.first != 0 else {
        throw DecodingFailure(
          .notDeterministic, "a large mantissa has 9 to 16 bytes without leading zeros")
      }
      argument = bytes.reduce(0) { $0 << 8 | UInt128($1) }
    default: throw CBORDecoder.mismatch("a mantissa", head)
    }
    let (magnitude, overflow) = argument.addingReportingOverflow(isNegative ? 1 : 0)
    if overflow { throw DecodingFailure(.outOfRange, "a mantissa beyond 128 bits") }
    self.magnitude = magnitude
  }

  private var bytes: [UInt8] {
    let count = (128 - argument.leadingZeroBitCount + 7) / 8
    return (0..<count).reversed().map { UInt8(truncatingIfNeeded: argument >> UInt128(8 * $0)) }
  }
}
