public import FoundationEssentials

/// Tag 1 with the seconds since 1970 as a float, where the stored bits come back from that; else
/// tag 60001 with the seconds since 2001 as stored. A mirror must not lose a bit of a date.
extension Date: Mirrored {
  /// A date.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .standard("Date") }

  /// Writes the tag and its float.
  public func encode(to encoder: inout CBOREncoder) {
    let (tag, seconds) = wireForm
    encoder.tag(tag)
    encoder.float(seconds)
  }

  /// Reads a date in the one form that its bits have.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let tag = try decoder.tag()
    guard tag == Self.epochTag || tag == Self.storedTag else {
      throw DecodingFailure(.wrongType, "a date has tag 1 or 60001, not \(tag)")
    }
    try decoder.enter()
    let seconds = try decoder.float()
    decoder.leave()
    self.init(
      timeIntervalSinceReferenceDate: tag == Self.epochTag
        ? seconds - Self.timeIntervalBetween1970AndReferenceDate : seconds)
    let form = wireForm
    guard form.tag == tag, form.seconds.bitPattern == seconds.bitPattern else {
      throw DecodingFailure(.notDeterministic, "the date is not in its one form")
    }
  }

  /// Whether both store the same bits.
  public func isIdentical(to other: Date) -> Bool {
    timeIntervalSinceReferenceDate.isIdentical(to: other.timeIntervalSinceReferenceDate)
  }

  /// The digest of the tagged float.
  public var digest: Digest {
    let (tag, seconds) = wireForm
    return .tagged(tag, .ofFloat(seconds))
  }

  private static let epochTag: UInt64 = 1
  private static let storedTag: UInt64 = 60_001

  private var wireForm: (tag: UInt64, seconds: Double) {
    let stored = timeIntervalSinceReferenceDate
    let sinceEpoch = stored + Self.timeIntervalBetween1970AndReferenceDate
    let back = sinceEpoch - Self.timeIntervalBetween1970AndReferenceDate
    // What becomes of a NaN's bits in an addition is the processor's affair.
    return !stored.isNaN && back.bitPattern == stored.bitPattern
      ? (Self.epochTag, sinceEpoch) : (Self.storedTag, stored)
  }
}
