/// Why a text is not read as JSON, and where: what happened, the line and column, and the path of
/// the value that was being read.
public struct JSONFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kind of fault.
  public enum Code: String, Sendable {
    /// There is nothing but white space.
    case empty
    /// A sequence of bytes is not UTF-8.
    case notUTF8 = "not-utf8"
    /// Something stands where JSON allows something else.
    case syntax
    /// A text does not end.
    case unclosedText = "unclosed-text"
    /// A control character stands unescaped in a text.
    case controlCharacter = "control-character"
    /// An escape sequence that JSON does not have, or half a surrogate pair.
    case badEscape = "bad-escape"
    /// A number that no double holds.
    case outOfRange = "out-of-range"
    /// A key stands twice in one object.
    case duplicateKey = "duplicate-key"
    /// Nested deeper than the limit.
    case tooDeep = "too-deep"
    /// Something follows the value.
    case trailing
    /// More text than the parser can hold.
    case tooLarge = "too-large"
    /// An object of the extended form that does not follow its convention.
    case convention
  }

  /// The kind of fault.
  public var code: Code
  /// What happened and what to do, without the place.
  public var message: String
  /// How many bytes stand before the fault.
  public var offset: Int
  /// The line, from 1.
  public var line: Int
  /// The column, from 1, counted in Unicode scalars.
  public var column: Int
  /// The value that was being read.
  public var path: JSONPointer

  /// A fault at a byte of `text`.
  init(_ code: Code, _ message: String, at offset: Int, of text: [UInt8], path: JSONPointer) {
    self.code = code
    self.message = message
    self.offset = offset
    self.path = path
    let before = text.prefix(offset)
    line = 1 + before.count { $0 == UInt8(ascii: "\n") }
    let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    // Every byte but the continuation bytes begins a scalar.
    column = 1 + before[lineStart...].count { $0 & 0xC0 != 0x80 }
  }

  /// The place and the message.
  public var description: String {
    let place = "line \(line), column \(column) (byte \(offset))"
    return path.tokens.isEmpty ? "\(place): \(message)" : "\(place), at \(path): \(message)"
  }
}

/// What JSON has no word for, met when a value is written in the strict form.
public struct JSONWritingFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// What it is, and what to do.
  public var message: String
  /// Where it stands in the value.
  public var path: JSONPointer

  /// The place and the message.
  public var description: String { path.tokens.isEmpty ? message : "at \(path): \(message)" }
}
