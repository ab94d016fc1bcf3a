/// Text for a person's terminal: what others have written (the title of a question, the key of a
/// document, a client's name) must not move the cursor, set the window's title or forge a line.
enum TerminalText {
  /// Control characters as their code points; lines stay where the text is made of lines of ours.
  static func safe(_ text: String, keepsLines: Bool) -> String {
    guard text.unicodeScalars.contains(where: { isControl($0) }) else { return text }
    var safe = ""
    for scalar in text.unicodeScalars {
      if !isControl(scalar) || scalar == "\t" || (keepsLines && scalar == "\n") {
        safe.unicodeScalars.append(scalar)
      } else {
        safe += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return safe
  }

  /// What somebody has typed, cut where it would fill the screen.
  static func quoted(_ text: String) -> String {
    text.utf8.count <= longestQuote ? text : text.prefix(longestQuote) + "…"
  }

  private static let longestQuote = 200

  /// Also what turns the direction of writing, and with it what a line seems to say.
  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x20, 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
