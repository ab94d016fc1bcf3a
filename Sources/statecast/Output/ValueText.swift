import JSONText
import StateModel

/// Values and changes as a person or a script reads them.
enum ValueText {
  static func compact(_ value: Value) -> String { JSONText.display(value) }
  static func pretty(_ value: Value) -> String { JSONText.display(value, layout: .pretty) }

  /// What a delta changed, a line each: `/counter/count: 3 → 4`.
  static func changes(_ delta: Delta, from old: Value, to new: Value) -> [String] {
    guard let patch = try? JSONPatch(delta: delta, on: old) else {
      return ["the whole value: \(shortened(new))"]
    }
    return patch.operations.map { line($0, old: old) }
  }

  private static func line(_ operation: JSONPatch.Operation, old: Value) -> String {
    switch operation {
    case .add(let path, let value): "\(name(path)): + \(shortened(value))"
    case .remove(let path): "\(name(path)): - \(old[path].map { shortened($0) } ?? "")"
    case .replace(let path, let value):
      "\(name(path)): \(old[path].map { shortened($0) } ?? "") → \(shortened(value))"
    case .move(let from, let path): "\(name(from)) moved to \(name(path))"
    case .copy(let from, let path): "\(name(path)): copy of \(name(from))"
    case .test(let path, _): "\(name(path)) tested"
    }
  }

  private static func name(_ path: JSONPointer) -> String {
    path.tokens.isEmpty ? "the whole value" : path.description
  }

  /// The longest value shown within a line, in characters.
  private static let longest = 120

  /// The longest whole value shown in a terminal, in characters.
  static let longestWhole = 1000

  static func shortened(_ value: Value, to longest: Int = longest) -> String {
    let text = compact(value)
    return text.count <= longest ? text : text.prefix(longest - 1) + "…"
  }
}
