extension Duration: Mirrored {
  /// A duration, to the attosecond.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .standard("Duration")
  }

  /// Writes `[seconds, attoseconds]`, both with the duration's sign.
  public func encode(to encoder: inout CBOREncoder) {
    let (seconds, attoseconds) = components
    encoder.array(2)
    encoder.integer(seconds)
    encoder.integer(attoseconds)
  }

  /// Reads a duration in the form that `encode` writes.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    guard try decoder.array() == 2 else {
      throw DecodingFailure(.wrongType, "a duration is [seconds, attoseconds]")
    }
    try decoder.enter()
    let seconds = try decoder.integer()
    let attoseconds = try decoder.integer()
    decoder.leave()
    let agree = seconds == 0 || attoseconds == 0 || (seconds < 0) == (attoseconds < 0)
    guard agree, attoseconds.magnitude < 1_000_000_000_000_000_000 else {
      throw DecodingFailure(
        .notDeterministic,
        "the attoseconds of a duration are less than a second and have its sign")
    }
    self.init(secondsComponent: seconds, attosecondsComponent: attoseconds)
  }

  /// Whether both are equally long.
  public func isIdentical(to other: Duration) -> Bool { self == other }

  /// The digest of the array of two.
  public var digest: Digest {
    let (seconds, attoseconds) = components
    var array = ArrayDigest()
    array.append(.ofInteger(seconds))
    array.append(.ofInteger(attoseconds))
    return array.digest
  }
}
