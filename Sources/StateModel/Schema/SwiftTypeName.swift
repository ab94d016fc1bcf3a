/// A type's name as it is written in Swift, stable from run to run: the runtime names a private or
/// local type with an address, which is left out here.
struct SwiftTypeName {
  /// `App.Box<Swift.Int>`.
  let withModules: String
  /// `Box<Int>`.
  let withoutModules: String

  init(_ type: (some Any).Type) {
    withModules = Self.dropContexts(String(reflecting: type))
    withoutModules = Self.dropModules(withModules)
  }

  /// Leaves out each `(unknown context at $7f…).`.
  static func dropContexts(_ name: String) -> String {
    var rest = Substring(name)
    var result = ""
    while let start = rest.firstRange(of: "(unknown context at ") {
      result += rest[..<start.lowerBound]
      rest = rest[start.upperBound...]
      guard let end = rest.firstRange(of: ").") else { break }
      rest = rest[end.upperBound...]
    }
    return result + rest
  }

  /// Leaves out the first part of each dotted name.
  static func dropModules(_ name: String) -> String {
    var result = ""
    var word = ""
    func shortened(_ word: String) -> String {
      guard let dot = word.firstIndex(of: ".") else { return word }
      return String(word[word.index(after: dot)...])
    }
    for character in name {
      if "<>,()[]& ?:".contains(character) {
        result += shortened(word)
        word = ""
        result.append(character)
      } else {
        word.append(character)
      }
    }
    return result + shortened(word)
  }
}
