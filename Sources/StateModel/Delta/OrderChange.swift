/// Elements that two versions of an array both have, one behind the other in both.
struct KeptRun: Equatable {
  /// Where the run stands in the old array.
  var old: Int
  /// Where it stands in the new one.
  var new: Int
  /// How many elements.
  var count: Int
}

/// How an array of identified elements becomes another one: which runs go, which of those that stay
/// move, which runs come. To be done in this order.
///
/// What stays is given in runs, so that the cost is that of the runs, not of the elements.
struct OrderChange {
  /// The runs of the old array that go, by their old positions.
  let removals: [Range<Int>]
  /// Moves among those that stay, as few as there can be; nil where they are too many.
  let moves: [(from: Int, to: Int)]?
  /// The runs that come, by their positions in the new array.
  let insertions: [Range<Int>]

  /// `kept` are the runs that stay, in the order of the new array.
  init(oldCount: Int, newCount: Int, kept: [KeptRun]) {
    let inOldOrder = kept.sorted { $0.old < $1.old }
    removals = Self.gaps(oldCount, inOldOrder.map { $0.old..<$0.old + $0.count })
    insertions = Self.gaps(newCount, kept.map { $0.new..<$0.new + $0.count })
    moves = Self.moves(to: kept, from: inOldOrder)
  }

  /// Each move is looked for among all runs: beyond this many, setting the array is better.
  static let mostMoves = 512

  /// What ranges, which are in order, leave of the positions up to `count`.
  private static func gaps(_ count: Int, _ ranges: [Range<Int>]) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var end = 0
    for range in ranges {
      if range.lowerBound > end { gaps.append(end..<range.lowerBound) }
      end = range.upperBound
    }
    if end < count { gaps.append(end..<count) }
    return gaps
  }

  /// Brings old positions from rising order into that of `target`: what is in a longest rising
  /// subsequence stays, every other element moves behind its predecessor.
  private static func moves(
    to target: [KeptRun], from inOldOrder: [KeptRun]
  ) -> [(from: Int, to: Int)]? {
    let fixed = LongestRising(target).fixed
    let moved = zip(target, fixed).reduce(0) { $0 + $1.0.count - $1.1 }
    if moved == 0 { return [] }
    if moved > mostMoves { return nil }
    var moves: [(from: Int, to: Int)] = []
    var order = WorkingOrder(inOldOrder.map { $0.old..<$0.old + $0.count })
    var before: Int?
    for (run, fixed) in zip(target, fixed) {
      for element in run.old + fixed..<run.old + run.count {
        let predecessor = element == run.old ? before : element - 1
        let (from, to) = order.move(element, behind: predecessor)
        if from != to { moves.append((from, to)) }
      }
      before = run.old + run.count - 1
    }
    return moves
  }
}

/// The elements that stay, by their old positions, in the order that they have been brought to.
private struct WorkingOrder {
  private var pieces: [Range<Int>]

  init(_ pieces: [Range<Int>]) { self.pieces = pieces }

  /// Moves an element behind another one, or to the beginning; gives where it stood, and where it
  /// stands, counted after the removal.
  mutating func move(_ element: Int, behind predecessor: Int?) -> (from: Int, to: Int) {
    let (piece, from) = find(element)
    let held = pieces[piece]
    let rest = [held.lowerBound..<element, element + 1..<held.upperBound].filter { !$0.isEmpty }
    pieces.replaceSubrange(piece...piece, with: rest)
    guard let predecessor else {
      pieces.insert(element..<element + 1, at: 0)
      return (from, 0)
    }
    let (target, position) = find(predecessor)
    let parts = [
      pieces[target].lowerBound..<predecessor + 1, element..<element + 1,
      predecessor + 1..<pieces[target].upperBound,
    ]
    pieces.replaceSubrange(target...target, with: parts.filter { !$0.isEmpty })
    return (from, position + 1)
  }

  /// The piece that holds an element, and the element's position.
  private func find(_ element: Int) -> (piece: Int, position: Int) {
    var start = 0
    for (index, piece) in pieces.enumerated() {
      if piece.contains(element) { return (index, start + element - piece.lowerBound) }
      start += piece.count
    }
    preconditionFailure("The element \(element) is none of those that stay.")
  }
}
