import Foundation

/// What a person at the attached terminal means by a line.
///
/// What the shell takes is taken here, too, where the app has no action of that name: `set
/// counter.step 5` and `counter.step = 5` are the same.
enum AttachLine: Equatable {
  case nothing
  case leave
  case help
  case answer(Int)
  case set(field: String, text: String)
  case action(String, payload: String?)
  /// One of the tool's commands that is for the shell only.
  case shell(String)

  /// - Parameter actions: the app's actions, `case.case`.
  init(_ line: String, actions: [String] = []) {
    let line = line.trimmingCharacters(in: .whitespaces)
    guard let (first, rest) = Self.parted(line) else {
      self = .nothing
      return
    }
    // An action of the app's own goes before a word of this tool.
    let isAction = actions.contains { $0 == first || $0.hasPrefix(first + ".") }
    switch first {
    case "?", "help": self = .help
    case "quit", "exit": self = .leave
    case _ where Int(first) != nil && rest == nil: self = .answer(Int(first) ?? 0)
    default:
      self =
        Self.setting(line) ?? (isAction ? nil : Self.command(first, rest))
        ?? .action(first, payload: rest)
    }
  }

  /// The first word and what stands behind it.
  private static func parted(_ line: String) -> (first: String, rest: String?)? {
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard let first = words.first else { return nil }
    return (first, words.dropFirst().first.map { $0.trimmingCharacters(in: .whitespaces) })
  }

  /// `settings.volume=7`, with spaces or without; an equals sign in a payload has more before it.
  private static func setting(_ line: String) -> AttachLine? {
    guard let equals = line.firstIndex(of: "=") else { return nil }
    let field = line[..<equals].trimmingCharacters(in: .whitespaces)
    guard isField(field) else { return nil }
    return .set(
      field: field,
      text: line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces))
  }

  private static func isField(_ text: String) -> Bool {
    !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
  }

  /// A line as the shell takes it: `send counter.incrementButtonTapped`, `set counter.step 5`,
  /// `answer 1`.
  private static func command(_ name: String, _ rest: String?) -> AttachLine? {
    guard Command.all.contains(where: { $0.name == name }) else { return nil }
    let words = rest.flatMap(parted)
    switch (name, words?.first, words?.rest) {
    case ("send", let action?, let payload):
      return .action(unquoted(action), payload: payload.map(unquoted))
    case ("set", let field?, let text):
      if let setting = rest.flatMap(setting) { return setting }
      return text.map { .set(field: field, text: unquoted($0)) } ?? .shell(name)
    case ("answer", let number?, nil): return Int(number).map { .answer($0) } ?? .shell(name)
    default: return .shell(name)
    }
  }

  /// Without the quotes that a shell would take away.
  private static func unquoted(_ text: String) -> String {
    guard text.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") else { return text }
    return String(text.dropFirst().dropLast())
  }
}
