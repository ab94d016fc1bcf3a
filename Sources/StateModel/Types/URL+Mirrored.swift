public import FoundationEssentials

/// Tag 32 with the text; of a relative URL with a base, `[text, base]`.
extension URL: Mirrored {
  /// A URL.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .standard("URL") }

  /// Writes the tag and the text or both texts.
  public func encode(to encoder: inout CBOREncoder) {
    let (text, base) = parts
    encoder.tag(Self.tag)
    if let base {
      encoder.array(2)
      encoder.text(text)
      encoder.text(base)
    } else {
      encoder.text(text)
    }
  }

  /// Reads a URL that Foundation reads without changing a byte of it.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let tag = try decoder.tag()
    guard tag == Self.tag else {
      throw DecodingFailure(.wrongType, "a URL has tag 32, not \(tag)")
    }
    try decoder.enter()
    let text: String
    var base: String?
    if try decoder.peek().major == 4 {
      guard try decoder.array() == 2 else {
        throw DecodingFailure(.wrongType, "a relative URL is [text, base]")
      }
      try decoder.enter()
      text = try decoder.text()
      base = try decoder.text()
      decoder.leave()
    } else {
      text = try decoder.text()
    }
    decoder.leave()
    guard let url = Self.url(text, base), url.isIdentical(to: (text, base)) else {
      throw DecodingFailure(.outOfRange, "\"\(text)\" is not a URL")
    }
    self = url
  }

  /// Whether both have the same bytes, and so have their bases.
  public func isIdentical(to other: URL) -> Bool { isIdentical(to: other.parts) }

  /// The digest of the tagged text or array.
  public var digest: Digest {
    let (text, base) = parts
    guard let base else { return .tagged(Self.tag, .ofText(text)) }
    var array = ArrayDigest()
    array.append(.ofText(text))
    array.append(.ofText(base))
    return .tagged(Self.tag, array.digest)
  }

  private static let tag: UInt64 = 32

  private var parts: (text: String, base: String?) {
    guard let baseURL else { return (absoluteString, nil) }
    return (relativeString, baseURL.absoluteString)
  }

  private static func url(_ text: String, _ base: String?) -> URL? {
    guard let base else { return URL(string: text) }
    guard let baseURL = URL(string: base) else { return nil }
    return URL(string: text, relativeTo: baseURL)
  }

  private func isIdentical(to other: (text: String, base: String?)) -> Bool {
    let own = parts
    return own.text.isIdentical(to: other.text) && own.base.isIdentical(to: other.base)
  }
}
