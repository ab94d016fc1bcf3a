/// Reads an enum's case: its name as a text, or a map of one entry from its name to its payload.
///
/// Called by the code that `@Mirrored` writes, which looks at the name, then asks for what the case
/// carries.
public struct CaseReader {
  /// The case's name.
  public let name: PathName
  private let hasPayload: Bool

  /// Reads up to the case's payload.
  public init(_ decoder: inout CBORDecoder) throws(DecodingFailure) {
    let head = try decoder.peek()
    hasPayload = head.major == 5
    if hasPayload {
      guard try decoder.map() == 1 else {
        throw DecodingFailure(.wrongType, "a case is a map of one entry")
      }
      try decoder.enter()
    } else if head.major != 3 {
      throw DecodingFailure(.wrongType, "a case is a text, or a map of one entry")
    }
    name = PathName(bytes: try decoder.textBytes())
  }

  /// Checks that the case came without a payload.
  public func finish() throws(DecodingFailure) {
    guard !hasPayload else {
      throw DecodingFailure(.wrongType, "the case has no payload", path: [name.description])
    }
  }

  /// Reads the one unlabelled value that the case carries.
  public func payload<Payload: Mirrored>(
    from decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Payload {
    try expectPayload()
    do {
      let payload = try Payload(from: &decoder)
      decoder.leave()
      return payload
    } catch { throw error.under(name.description) }
  }

  /// Begins to read the labelled values that the case carries. With `inOrder` false they are asked
  /// for in another order than the wire's.
  public func fields(
    of name: FieldName, inOrder: Bool = true, from decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> FieldReader {
    try expectPayload()
    return try FieldReader(&decoder, caseName: name, inOrder: inOrder)
  }

  /// Ends what `fields` began.
  public func finish(
    _ fields: inout FieldReader, _ decoder: inout CBORDecoder
  ) throws(DecodingFailure) {
    try fields.finish(&decoder)
    decoder.leave()
  }

  /// Reads a case that the enum does not have, for one that has a place for it.
  public func unknown(from decoder: inout CBORDecoder) throws(DecodingFailure) -> UnknownCase {
    guard hasPayload else { return UnknownCase(name: name.description, payload: nil) }
    // Spelled out: an optional would be read as one.
    let payload: Value = try payload(from: &decoder)
    return UnknownCase(name: name.description, payload: payload)
  }

  /// The failure for a name that the enum does not have.
  public var unknown: DecodingFailure {
    DecodingFailure(.unknownCase, "there is no case '\(name)'")
  }

  private func expectPayload() throws(DecodingFailure) {
    guard hasPayload else {
      throw DecodingFailure(.wrongType, "the case's payload is missing", path: [name.description])
    }
  }
}
