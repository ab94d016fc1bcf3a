import FoundationEssentials
import StateModel

/// An alert or a dialog as it stands in a mirrored value: what a person is asked, and how it can be
/// answered. Recognised by its tag, whatever app it is from.
struct ShownAlert: Equatable {
  /// The tag around every alert and dialog.
  private static let tag: UInt64 = 60002

  /// What an answer names: the encoded id.
  var id: [UInt8]
  var title: String
  var message: String
  var buttons: [String]
  /// Who may answer, and what is answered by itself when; empty for everybody, and never.
  var terms: [String] = []

  /// The alert as lines, its buttons numbered.
  var lines: [String] {
    ["== \(title)"] + (message.isEmpty ? [] : ["   \(message)"])
      + terms.map { "   (\($0))" }
      + buttons.enumerated().map { "   \($0.offset + 1)) \($0.element)" } + ["   0) dismiss"]
  }

  /// The first alert anywhere in a value; an alert is not looked for in documents nested deeper
  /// than any view state is.
  static func first(in value: Value, depth: Int = 16) -> ShownAlert? {
    guard depth > 0 else { return nil }
    switch value {
    case .tag(tag, let content): return ShownAlert(content)
    case .tag(_, let content): return first(in: content, depth: depth - 1)
    case .map(let entries):
      return entries.lazy.compactMap { first(in: $0.value, depth: depth - 1) }.first
    case .array(let items):
      return items.lazy.compactMap { first(in: $0, depth: depth - 1) }.first
    default: return nil
    }
  }

  private init?(_ content: Value) {
    guard let id = content["id"], let buttons = content["buttons"]?.elements else { return nil }
    self.id = id.encoded()
    title = content["title"].map(Self.text) ?? ""
    message = content["message"].map(Self.text) ?? ""
    self.buttons = buttons.map { $0["label"].map(Self.text) ?? "" }
    terms = content["terms"].map(Self.terms) ?? []
  }

  private static func terms(_ terms: Value) -> [String] {
    var lines: [String] = []
    if let number = terms["answerers"]?["client"]?.integer {
      lines.append("only client \(number) may answer")
    } else if terms["answerers"]?.string == "admin" {
      lines.append("only an admin may answer")
    }
    if let deadline = terms["deadline"], let date = deadline["date"].flatMap({ try? Date($0) }) {
      let answer = deadline["button"]?.integer.map { "\($0 + 1)" } ?? "0"
      // Beyond these there is no calendar to speak of, and a date that is no number never comes.
      let seconds = date.timeIntervalSinceReferenceDate
      let moment =
        abs(seconds) < 1e11 ? "at \(date.formatted(.iso8601))" : "at a date beyond the calendar"
      lines.append("answered by itself with \(answer) \(moment)")
    }
    return lines
  }

  /// A text: verbatim, a key with its arguments, or several joined.
  private static func text(_ value: Value) -> String {
    switch value {
    case .text(let text): text.string
    case .array(let parts): parts.map(text).joined()
    case .map: value["key"]?.string ?? ValueText.compact(value)
    default: ""
    }
  }
}
