/// Finds what was probably meant: the nearest of the words that there are.
enum Likeness {
  /// The most alike, if it is alike enough: one slip for every three letters.
  static func closest(to word: String, among words: [String]) -> String? {
    let length = word.utf8.count
    let allowed = max(1, length / 3)
    // Longer or shorter ones need as many slips at least; to compare a word of a megabyte takes minutes.
    let near = words.filter { abs($0.utf8.count - length) <= allowed }
      .map { (word: $0, distance: distance(word, $0)) }
    guard let best = near.min(by: { $0.distance < $1.distance }), best.distance <= allowed
    else { return nil }
    return best.word
  }

  /// Letters added, left out, changed or swapped with their neighbour.
  static func distance(_ one: String, _ other: String) -> Int {
    let first = Array(one.lowercased().utf8)
    let second = Array(other.lowercased().utf8)
    guard !first.isEmpty, !second.isEmpty else { return max(first.count, second.count) }
    var twoBefore: [Int] = []
    var before = Array(0...second.count)
    for row in 1...first.count {
      var current = [row]
      for column in 1...second.count {
        let isSame = first[row - 1] == second[column - 1]
        var best = min(
          before[column] + 1, current[column - 1] + 1, before[column - 1] + (isSame ? 0 : 1))
        if row > 1, column > 1, first[row - 1] == second[column - 2],
          first[row - 2] == second[column - 1]
        {
          best = min(best, twoBefore[column - 2] + 1)
        }
        current.append(best)
      }
      twoBefore = before
      before = current
    }
    return before[second.count]
  }
}
