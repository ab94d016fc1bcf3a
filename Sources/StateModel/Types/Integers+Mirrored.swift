/// What all integers share: one encoding whatever the width, so that a field may be widened later,
/// and a range check on the way in.
extension Mirrored where Self: FixedWidthInteger {
  /// An integer with the type's bounds.
  @inlinable
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .integer(least: Int64(min), greatest: UInt64(max))
  }

  /// Writes the integer.
  @inlinable
  public func encode(to encoder: inout CBOREncoder) {
    if self >= 0 { encoder.unsigned(UInt64(self)) } else { encoder.integer(Int64(self)) }
  }

  /// Reads an integer within the type's bounds.
  @inlinable
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let head = try decoder.head()
    let value: Self?
    switch head.major {
    case 0: value = Self(exactly: head.argument)
    case 1:
      value =
        head.argument <= UInt64(Int64.max)
        ? Self(exactly: ~Int64(bitPattern: head.argument)) : nil
    default: throw CBORDecoder.mismatch("an integer", head)
    }
    guard let value else {
      throw DecodingFailure(
        .outOfRange,
        "\(head.major == 0 ? "" : "-1 - ")\(head.argument) is not within \(Self.min)...\(Self.max)")
    }
    self = value
  }

  /// Whether both are the same number.
  @inlinable
  public func isIdentical(to other: Self) -> Bool { self == other }

  /// A leaf's digest.
  @inlinable
  public var digest: Digest {
    self >= 0 ? .ofUnsigned(UInt64(self)) : .ofInteger(Int64(self))
  }
}

extension Int: Mirrored {}
extension Int8: Mirrored {}
extension Int16: Mirrored {}
extension Int32: Mirrored {}
extension Int64: Mirrored {}
extension UInt: Mirrored {}
extension UInt8: Mirrored {}
extension UInt16: Mirrored {}
extension UInt32: Mirrored {}
extension UInt64: Mirrored {}
