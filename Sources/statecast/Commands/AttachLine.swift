import Foundation

/// What a person at the attached terminal means by a line.
enum AttachLine: Equatable {
  case nothing
  case leave
  case help
  case answer(Int)
  case set(field: String, text: String)
  case action(String, payload: String?)

  init(_ line: String) {
    let line = line.trimmingCharacters(in: .whitespaces)
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    guard let first = words.first else {
      self = .nothing
      return
    }
    switch first {
    case "?", "help": self = .help
    case "quit", "exit": self = .leave
    case _ where Int(first) != nil && words.count == 1: self = .answer(Int(first) ?? 0)
    default:
      self =
        Self.setting(line)
        ?? .action(
          first, payload: words.dropFirst().first.map { $0.trimmingCharacters(in: .whitespaces) })
    }
  }

  /// `settings.volume=7`, with spaces or without; an equals sign in a payload has more before it.
  private static func setting(_ line: String) -> AttachLine? {
    guard let equals = line.firstIndex(of: "=") else { return nil }
    let field = line[..<equals].trimmingCharacters(in: .whitespaces)
    guard !field.isEmpty, field.allSatisfy({ $0.isLetter || $0.isNumber || "._-".contains($0) })
    else { return nil }
    return .set(
      field: field,
      text: line[line.index(after: equals)...].trimmingCharacters(in: .whitespaces))
  }
}
