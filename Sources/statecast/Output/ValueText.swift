import FoundationEssentials
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

  /// What a person reads in place of tags: an alert as its question and its buttons, a date as
  /// ISO 8601 has it, an id and a URL as their text. Not for scripts, which get every value whole.
  static func readable(_ value: Value, depth: Int = 16) -> Value {
    guard depth > 0 else { return value }
    switch value {
    case .tag(1, .float(let seconds)):
      // Beyond these there is no calendar to speak of.
      guard seconds.isFinite, abs(seconds) < 1e11 else { return value }
      return .text(Date(timeIntervalSince1970: seconds).formatted(.iso8601))
    case .tag(37, .bytes(let bytes)) where bytes.count == 16:
      return .text(identifier(bytes))
    case .tag(32, .text(let url)): return .text(url)
    case .tag(_, let content):
      guard let alert = ShownAlert.first(in: value, depth: 1) else {
        return content.entries == nil ? value : readable(content, depth: depth - 1)
      }
      let buttons = alert.buttons.enumerated().map { "\($0.offset + 1) \($0.element)" }
      return .text("alert: \(alert.title) [\(buttons.joined(separator: ", "))]")
    case .array(let items): return .array(items.map { readable($0, depth: depth - 1) })
    case .map(let entries):
      return .map(ValueMap(entries.map { ($0.key, readable($0.value, depth: depth - 1)) }))
    default: return value
    }
  }

  /// The 16 bytes of an id in their usual groups.
  private static func identifier(_ bytes: [UInt8]) -> String {
    let ends = [4, 6, 8, 10, 16]
    return zip([0] + ends, ends).map { start, end in
      bytes[start..<end].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }.joined(separator: "-")
  }

  /// The longest value shown within a line, in characters.
  private static let longest = 120

  /// The longest whole value shown in a terminal, in characters.
  static let longestWhole = 1000

  static func shortened(_ value: Value, to longest: Int = longest) -> String {
    let text = compact(readable(value))
    return text.count <= longest ? text : text.prefix(longest - 1) + "…"
  }
}
