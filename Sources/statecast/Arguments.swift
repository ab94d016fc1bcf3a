/// The words of a command line, sorted: options wherever they stand, the rest in order.
///
/// `--name value` and `--name=value` are the same; `--` ends the options; a word like `-5` is not
/// an option.
struct Arguments: Equatable {
  /// What an option takes.
  enum Kind {
    case flag
    case value
  }

  private(set) var words: [String] = []
  private(set) var options: [String: String] = [:]
  private(set) var flags: Set<String> = []

  init(_ line: [String], known: [String: Kind]) throws(ToolFailure) {
    var rest = line[...]
    var optionsAreOver = false
    while let word = rest.popFirst() {
      if !optionsAreOver, word == "-h", known["help"] == .flag {
        flags.insert("help")
      } else if !optionsAreOver, Self.isShortOption(word) {
        throw .usage("there is no option \(word); a word that begins with - goes behind --")
      } else if optionsAreOver || !word.hasPrefix("--") {
        words.append(word)
      } else if word == "--" {
        optionsAreOver = true
      } else {
        try take(word, &rest, known)
      }
    }
  }

  private mutating func take(
    _ word: String, _ rest: inout ArraySlice<String>, _ known: [String: Kind]
  ) throws(ToolFailure) {
    let parts = word.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    switch known[name] {
    case .flag where parts.count == 1: flags.insert(name)
    case .flag: throw .usage("--\(name) takes no value")
    case .value:
      if parts.count == 2 {
        options[name] = String(parts[1])
      } else if let value = rest.first, !Self.isOption(value, known) {
        options[name] = value
        rest.removeFirst()
      } else {
        // One that is written like an option of this tool's is given as --name=--value.
        let next = rest.first.map { ", and \($0) is an option" } ?? ""
        throw .usage("--\(name) needs a value\(next)")
      }
    case nil:
      throw .usage(
        "there is no option --\(name)" + Self.near("--\(name)", known.keys.map { "--\($0)" }))
    }
  }

  /// Whether a word is one of the options, with or without a value.
  private static func isOption(_ word: String, _ known: [String: Kind]) -> Bool {
    guard word.hasPrefix("--") else { return false }
    return known[String(word.dropFirst(2).prefix { $0 != "=" })] != nil
  }

  /// `-x`: no number, and no `-` for standard input.
  private static func isShortOption(_ word: String) -> Bool {
    word.hasPrefix("-") && word.dropFirst().first?.isLetter == true
  }

  /// The word that was probably meant: the only one that begins with it, the only one that it is the
  /// end of (`counter.step` for `step`), or the nearest.
  static func near(_ word: String, _ candidates: [String]) -> String {
    let candidates = Array(Set(candidates)).sorted()
    let longer = candidates.filter { word.count > 1 && $0.hasPrefix(word) }
    let whole = candidates.filter { $0.hasSuffix(".\(word)") }
    // Of a short word two other letters leave nothing.
    let allowed = word.drop { $0 == "-" }.count > 3 ? 2 : 1
    let length = word.count
    let nearest =
      candidates.filter { abs($0.count - length) <= allowed }
      .map { ($0, distance(word, $0)) }.min { $0.1 < $1.1 }
    let best =
      (longer.count == 1 ? longer.first : nil) ?? (whole.count == 1 ? whole.first : nil)
      ?? nearest.flatMap { $0.1 <= allowed && $0.1 < word.count ? $0.0 : nil }
    return best.map { "; did you mean \($0)?" } ?? ""
  }

  /// How many letters differ (Levenshtein).
  private static func distance(_ a: String, _ b: String) -> Int {
    var row = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var last = row[0]
      row[0] = i + 1
      for (j, y) in b.enumerated() {
        let next = min(row[j] + 1, row[j + 1] + 1, last + (x == y ? 0 : 1))
        last = row[j + 1]
        row[j + 1] = next
      }
    }
    return row[b.count]
  }
}
