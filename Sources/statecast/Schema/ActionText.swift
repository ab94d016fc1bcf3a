import JSONText
import StateModel

/// An action as a person types it: JSON, or the path of its cases and the last one's payload.
///
///     counter.incrementButtonTapped
///     primes.remove 7
///     workspace.set '{"path": "/a", "value": 1}'
///     '{"counter": "incrementButtonTapped"}'
enum ActionText {
  /// The action's value.
  ///
  /// - Parameter type: what the last case takes, where that is known.
  static func parse(
    _ text: String, payload: String?, for type: SchemaNode? = nil
  ) throws(ToolFailure) -> Value {
    if text.hasPrefix("{") || text.hasPrefix("\"") {
      guard payload == nil else { throw .usage("an action in JSON takes no further word") }
      return try json(text)
    }
    let cases = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let last = cases.last, !cases.contains("") else {
      throw .usage("\(text) is no action: write JSON, or cases joined by dots")
    }
    var value: Value = .text(last)
    if let payload { value = .map([last: try json(payload, for: type, within: cases.count)]) }
    for name in cases.dropLast().reversed() { value = .map([name: value]) }
    return value
  }

  /// What is typed for a place of a known type: where a text belongs, every word is one, unless it is
  /// written as JSON's text (and `null`, where nothing may stand). Elsewhere JSON or a bare word.
  ///
  /// - Parameter levels: how deep the place is nested in what is sent.
  static func json(
    _ text: String, for type: SchemaNode?, within levels: Int = 0
  ) throws(ToolFailure) -> Value {
    let isNullable = if case .optional = type { true } else { false }
    guard let type, isText(type), !(isNullable && text == "null") else {
      return try json(text, within: levels)
    }
    if text.hasPrefix("\""), let quoted = try? JSONText.parse(text), quoted.string != nil {
      return quoted
    }
    return .text(text)
  }

  private static func isText(_ type: SchemaNode) -> Bool {
    switch type {
    case .text, .standard, .editedText: true
    case .optional(let wrapped): isText(wrapped)
    default: false
    }
  }

  /// Whether it is written as a word or several: nothing in it that JSON or a shell minds.
  static func isWord(_ text: String) -> Bool {
    text.allSatisfy { $0.isLetter || $0.isNumber || " _-./:".contains($0) }
  }

  /// JSON; a bare word is the text it is.
  static func json(_ text: String, within levels: Int = 0) throws(ToolFailure) -> Value {
    // The whole is what the wire takes so deep and no deeper.
    let depth = max(0, JSONText.maximumDepth - levels)
    do { return try JSONText.parse(Array(text.utf8), form: .extended, depth: depth) } catch {
      if error.code == .tooDeep {
        throw ToolFailure(
          .usage, "what is to be sent is too deep: \(error)", advice: "Send its parts one by one.")
      }
      // A path or a JSON pointer, whatever is in it.
      if text.hasPrefix("/") { return .text(text) }
      if isWord(text), let first = text.first, first.isLetter { return .text(text) }
      throw ToolFailure(
        .usage, "\(TerminalText.quoted(text)) is not JSON: \(error)",
        advice: "Quote it for the shell: '{\"name\": 1}', '\"text\"', 5.")
    }
  }
}
