/// The diagnostic notation of RFC 8949, section 8: for logs, messages and tests, not to be parsed.
extension Value: CustomStringConvertible {
  /// The value in diagnostic notation, on one line.
  public var description: String {
    var text = ""
    write(to: &text)
    return text
  }

  private func write(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .unsigned(let value): text += "\(value)"
    case .negative(let value): text += "\(-1 - Int128(value))"
    case .float(let value): text += Self.notation(value)
    case .text(let value): Self.write(quoted: value.string, to: &text)
    case .bytes(let bytes): text += "h'\(Self.hexadecimal(bytes))'"
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += ", " }
        element.write(to: &text)
      }
      text += "]"
    case .map(let entries):
      text += "{"
      var isFirst = true
      for (key, value) in entries {
        if !isFirst { text += ", " }
        isFirst = false
        key.write(to: &text)
        text += ": "
        value.write(to: &text)
      }
      text += "}"
    case .tag(let number, let item):
      text += "\(number)("
      item.write(to: &text)
      text += ")"
    }
  }

  private static func notation(_ value: Double) -> String {
    if value.isInfinite { return value < 0 ? "-Infinity" : "Infinity" }
    guard value.isNaN else { return "\(value)" }
    // Only one NaN is meant by `NaN`; the others are told apart by their bits.
    if value.bitPattern == 0x7FF8_0000_0000_0000 { return "NaN" }
    return "float'\(String(value.bitPattern, radix: 16))'"
  }

  private static func write(quoted string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }

  static func hexadecimal(_ bytes: some Collection<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
