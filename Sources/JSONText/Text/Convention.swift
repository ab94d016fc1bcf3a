/// The extended form's objects of one member, for what JSON has no word for.
///
/// | `Value` | extended JSON |
/// | --- | --- |
/// | byte string | `{"@bytes": "00ff"}`, hexadecimal |
/// | tag | `{"@tag": [37, item]}` |
/// | map with a key that is no text | `{"@map": [[key, value], …]}` |
/// | float that is not finite | `{"@float": "inf"}`, `"-inf"`, `"nan"`, `"nan:7ff8000000000001"` |
/// | integer below -2^63 | `{"@integer": "-9223372036854775809"}` |
/// | map whose one key is such a word | the word with one more `@`: `{"@@bytes": …}` |
///
/// The last line makes the form unambiguous: a document that happens to contain `{"@bytes": …}`
/// reads back as the map that it was. Other keys with an `@`, such as JSON-LD's, stay as they are.
public enum Convention: String, CaseIterable, Sendable {
  /// A byte string.
  case bytes = "@bytes"
  /// A tagged item.
  case tag = "@tag"
  /// A map with keys of any kind.
  case map = "@map"
  /// A float that is not finite.
  case float = "@float"
  /// An integer that a reader of JSON would round.
  case integer = "@integer"

  /// Whether an object whose only key this is must be told apart from a convention's: the key is
  /// a convention's word, with or without more `@` before it.
  static func concerns(_ key: String) -> Bool {
    guard key.utf8.first == UInt8(ascii: "@") else { return false }
    return allCases.contains { word in
      key.hasSuffix(word.rawValue)
        && key.utf8.dropLast(word.rawValue.utf8.count).allSatisfy { $0 == UInt8(ascii: "@") }
    }
  }
}
