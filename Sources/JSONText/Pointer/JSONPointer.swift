/// A place within a JSON value (RFC 6901): keys and indices from the root on.
///
/// Equality goes by the keys' bytes: `==` of texts would merge composed and decomposed forms.
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
  /// The unescaped reference tokens.
  public var tokens: [String]

  /// The root.
  public static let root = JSONPointer([])

  /// A pointer from its unescaped tokens.
  public init(_ tokens: [String]) { self.tokens = tokens }

  /// Reads a pointer's text: empty for the root, else each token behind a `/`, with `~0` for `~`
  /// and `~1` for `/`.
  public init(parsing text: String) throws(JSONPointerFailure) {
    tokens = []
    guard !text.isEmpty else { return }
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts[0].isEmpty else {
      throw JSONPointerFailure(
        message: "the path “\(text)” does not begin with /: write /\(text), or nothing for the root"
      )
    }
    for part in parts.dropFirst() { tokens.append(try Self.unescape(part, of: text)) }
  }

  private static func unescape(
    _ part: Substring.UTF8View, of text: String
  ) throws(JSONPointerFailure) -> String {
    guard part.contains(UInt8(ascii: "~")) else { return String(Substring(part)) }
    var bytes: [UInt8] = []
    var rest = part.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "~") else {
        bytes.append(byte)
        continue
      }
      switch rest.next() {
      case UInt8(ascii: "0"): bytes.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1"): bytes.append(UInt8(ascii: "/"))
      default:
        throw JSONPointerFailure(
          message: "the path “\(text)” has a ~ that neither 0 nor 1 follows: write ~0 for ~")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The pointer's text.
  public var description: String {
    var text = ""
    for token in tokens {
      text.unicodeScalars.append("/")
      for scalar in token.unicodeScalars {
        switch scalar {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }

  /// The pointer of a part of this one's value.
  public func appending(_ token: String) -> JSONPointer { JSONPointer(tokens + [token]) }

  /// Whether this place is within `other`'s value, and not that value itself.
  public func isWithin(_ other: JSONPointer) -> Bool {
    tokens.count > other.tokens.count
      && zip(tokens, other.tokens).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }

  /// An array's index: digits without a leading zero. Nil for anything else.
  public static func index(_ token: String) -> Int? {
    let digits = token.utf8
    guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
      digits.count == 1 || digits.first != UInt8(ascii: "0")
    else { return nil }
    return Int(token)
  }

  /// Whether both have the same tokens, byte by byte.
  public static func == (one: JSONPointer, other: JSONPointer) -> Bool {
    one.tokens.count == other.tokens.count
      && zip(one.tokens, other.tokens).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
  }

  /// Hashes the tokens' bytes.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(tokens.count)
    for token in tokens {
      hasher.combine(token.utf8.count)
      for byte in token.utf8 { hasher.combine(byte) }
    }
  }
}

/// A text that is no JSON pointer.
public struct JSONPointerFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong with it, and what to do.
  public var message: String

  /// The message.
  public var description: String { message }
}
