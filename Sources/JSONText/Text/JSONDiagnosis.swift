/// Reads a text that the parser refused once more, to say where it is wrong and why: the parser
/// itself knows the place of few faults, and of none the path.
///
/// A plain recursive reader of RFC 8259. It runs only for refused texts and builds nothing, so its
/// pace does not matter; a test holds it to the parser's verdict for thousands of mutated texts.
struct JSONDiagnosis {
  private let text: [UInt8]
  private var position = 0
  private var depth = 0
  private let maximumDepth: Int
  private var path: [String] = []

  init(_ text: [UInt8], depth: Int = JSONText.maximumDepth) {
    self.text = text
    maximumDepth = depth
  }

  /// Why the text is refused.
  mutating func failure() -> JSONFailure {
    fault() ?? JSONFailure(.syntax, "the parser refuses this text", at: 0, of: text, path: .root)
  }

  /// The first fault, or nil where there is none.
  mutating func fault() -> JSONFailure? {
    do throws(JSONFailure) {
      skipSpace()
      guard position < text.count else {
        throw here(.empty, "there is no JSON value, only white space: null is one")
      }
      if text.starts(with: [0xEF, 0xBB, 0xBF]) {
        throw here(.syntax, "a byte order mark stands before the JSON value: remove it")
      }
      try value()
      skipSpace()
      if let found {
        throw here(.trailing, "\(found) follows the JSON value: give one value at a time")
      }
      return nil
    } catch {
      return error
    }
  }

  private func here(_ code: JSONFailure.Code, _ message: String) -> JSONFailure {
    at(position, code, message)
  }

  private func at(_ offset: Int, _ code: JSONFailure.Code, _ message: String) -> JSONFailure {
    JSONFailure(code, message, at: offset, of: text, path: JSONPointer(path))
  }

  private var next: UInt8? { position < text.count ? text[position] : nil }

  /// What stands here, for a message; nil at the end.
  private var found: String? {
    guard let next else { return nil }
    guard let length = scalarLength else { return "the byte 0x" + String(next, radix: 16) }
    if next < 0x20 || next == 0x7F { return "the control character 0x" + String(next, radix: 16) }
    return "“" + String(decoding: text[position..<position + length], as: UTF8.self) + "”"
  }

  /// How many bytes the UTF-8 sequence here has; nil where there is none.
  private var scalarLength: Int? {
    var bytes = text[position...].prefix(4).makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    if case .valid(let scalar) = parser.parseScalar(from: &bytes) { return scalar.count }
    return nil
  }

  private func expected(_ what: String) -> JSONFailure {
    here(.syntax, (found.map { "\($0) stands" } ?? "the text ends") + " where \(what) is expected")
  }

  private mutating func skipSpace() {
    while let next, [0x20, 0x09, 0x0A, 0x0D].contains(next) { position += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func value() throws(JSONFailure) {
    switch next {
    case UInt8(ascii: "["): try array()
    case UInt8(ascii: "{"): try object()
    case UInt8(ascii: "\""): _ = try string()
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): try number()
    default: try literal()
    }
  }

  private mutating func literal() throws(JSONFailure) {
    for word in ["true", "false", "null"] where text[position...].starts(with: word.utf8) {
      let end = position + word.utf8.count
      guard end == text.count || !Self.continuesWord(text[end]) else { continue }
      position = end
      return
    }
    throw expected("a value")
  }

  private static func continuesWord(_ byte: UInt8) -> Bool {
    ![0x20, 0x09, 0x0A, 0x0D].contains(byte) && !"[]{},:".utf8.contains(byte)
  }

  private mutating func enter(_ open: Int) throws(JSONFailure) {
    guard depth < maximumDepth else {
      throw at(open, .tooDeep, "nested deeper than \(maximumDepth): flatten the value")
    }
    depth += 1
    position += 1
    skipSpace()
  }

  private mutating func array() throws(JSONFailure) {
    try enter(position)
    path.append("0")
    var count = 0
    if !take("]") {
      while true {
        path[path.count - 1] = String(count)
        try value()
        count += 1
        skipSpace()
        if take("]") { break }
        guard take(",") else { throw expected(", or ]") }
        skipSpace()
      }
    }
    path.removeLast()
    depth -= 1
  }

  private mutating func object() throws(JSONFailure) {
    try enter(position)
    if !take("}") {
      while true {
        guard next == UInt8(ascii: "\"") else { throw expected("a key in quotation marks") }
        path.append(try string())
        skipSpace()
        guard take(":") else { throw expected(":") }
        skipSpace()
        try value()
        path.removeLast()
        skipSpace()
        if take("}") { break }
        guard take(",") else { throw expected(", or }") }
        skipSpace()
      }
    }
    depth -= 1
  }

  private mutating func number() throws(JSONFailure) {
    let start = position
    func isDigit(_ byte: UInt8?) -> Bool {
      byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }
    func digits() throws(JSONFailure) {
      guard isDigit(next) else { throw expected("a digit") }
      while isDigit(next) { position += 1 }
    }
    _ = take("-")
    if take("0") {
      guard !isDigit(next) else {
        throw at(start, .syntax, "a number does not begin with 0 but for 0 itself: leave it out")
      }
    } else {
      try digits()
    }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
    if let next, Self.continuesWord(next) { throw expected("the number's end") }
    let digitsRead = String(decoding: text[start..<position], as: UTF8.self)
    guard Double(digitsRead).map(\.isFinite) ?? false else {
      throw at(
        start, .outOfRange,
        "\(digitsRead.prefix(24)) is beyond what a number can hold (1.8e308): write it as a text")
    }
  }

  /// Reads a text, and gives its content for the path.
  private mutating func string() throws(JSONFailure) -> String {
    let start = position
    position += 1
    var content: [UInt8] = []
    while let next {
      switch next {
      case UInt8(ascii: "\""):
        position += 1
        return String(decoding: content, as: UTF8.self)
      case UInt8(ascii: "\\"): content += String(try escape()).utf8
      case 0..<0x20:
        throw here(
          .controlCharacter,
          "a control character stands in a text: write it as \\n, \\t or \\u00"
            + (next < 16 ? "0" : "") + String(next, radix: 16))
      default:
        guard let length = scalarLength else {
          throw here(
            .notUTF8, "the byte 0x\(String(next, radix: 16)) is not UTF-8 here: JSON is UTF-8")
        }
        content += text[position..<position + length]
        position += length
      }
    }
    throw at(start, .unclosedText, "the text that begins here does not end: close it with \"")
  }

  private mutating func escape() throws(JSONFailure) -> Unicode.Scalar {
    let start = position
    position += 1
    defer { position += 1 }
    switch next {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default:
      throw at(start, .badEscape, "JSON has no such escape: write \\\\ for a backslash")
    }
    let first = try codeUnit(start)
    if let scalar = Unicode.Scalar(first) { return scalar }
    let half = at(
      start, .badEscape,
      "half a surrogate pair is no character: write both halves, or the character")
    guard first < 0xDC00, text[(position + 1)...].starts(with: "\\u".utf8) else { throw half }
    position += 2
    let second = try codeUnit(position - 1)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(
        0x1_0000 + (UInt32(first) - 0xD800) << 10 + (UInt32(second) - 0xDC00))
    else { throw half }
    return scalar
  }

  /// The four hexadecimal digits behind the `u` here; leaves the position on the last of them.
  private mutating func codeUnit(_ start: Int) throws(JSONFailure) -> UInt16 {
    let digits = text[(position + 1)...].prefix(4)
    guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else {
      throw at(start, .badEscape, "\\u wants four hexadecimal digits")
    }
    position += 4
    return unit
  }
}
