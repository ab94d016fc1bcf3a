/// How an array of identified elements becomes another one: which runs go, which of those that stay
/// move, which runs come. To be done in this order.
struct OrderChange {
  /// The runs of the old array that go, by their old positions.
  let removals: [Range<Int>]
  /// Moves among those that stay, as few as there can be; nil where they are too many.
  let moves: [(from: Int, to: Int)]?
  /// The runs that come, by their positions in the new array.
  let insertions: [Range<Int>]

  /// `origins` gives, for each element of the new array, its position in the old one.
  init(oldCount: Int, origins: [Int?]) {
    var stays = [Bool](repeating: false, count: oldCount)
    for origin in origins { if let origin { stays[origin] = true } }
    removals = Self.runs(oldCount) { !stays[$0] }
    insertions = Self.runs(origins.count) { origins[$0] == nil }
    moves = Self.moves(to: origins.compactMap { $0 })
  }

  /// Each move is looked for in the whole array: beyond this many, setting the array is better.
  static let mostMoves = 512

  private static func runs(_ count: Int, _ isIn: (Int) -> Bool) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in 0..<count where isIn(index) {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index + 1
      } else {
        runs.append(index..<index + 1)
      }
    }
    return runs
  }

  /// Brings old positions from rising order into the order of `target`: what is in a longest rising
  /// subsequence stays, every other one moves behind its predecessor.
  private static func moves(to target: [Int]) -> [(from: Int, to: Int)]? {
    let fixed = longestRising(target)
    let moved = target.count - fixed.count
    if moved == 0 { return [] }
    if moved > mostMoves { return nil }
    var moves: [(from: Int, to: Int)] = []
    var working = target.sorted()
    var nextFixed = 0
    for (index, element) in target.enumerated() {
      if nextFixed < fixed.count, fixed[nextFixed] == index {
        nextFixed += 1
        continue
      }
      guard let from = working.firstIndex(of: element) else { continue }
      working.remove(at: from)
      var to = 0
      if index > 0, let before = working.firstIndex(of: target[index - 1]) { to = before + 1 }
      working.insert(element, at: to)
      if from != to { moves.append((from, to)) }
    }
    return moves
  }

  /// The positions of a longest rising subsequence (patience sorting: `ends[k]` is where the least
  /// last element of a rising subsequence of k + 1 elements stands).
  private static func longestRising(_ values: [Int]) -> [Int] {
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: values.count)
    for (index, value) in values.enumerated() {
      var low = 0
      var high = ends.count
      while low < high {
        let middle = (low + high) / 2
        if values[ends[middle]] < value { low = middle + 1 } else { high = middle }
      }
      if low > 0 { previous[index] = ends[low - 1] }
      if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    var positions: [Int] = []
    var index = ends.last ?? -1
    while index >= 0 {
      positions.append(index)
      index = previous[index]
    }
    return positions.reversed()
  }
}
