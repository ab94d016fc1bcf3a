/// Which runs of one sequence are replaced by which runs of another to get from one to the other.
///
/// Exact up to `mostEdits` single insertions and removals (E. W. Myers, "An O(ND) Difference
/// Algorithm and Its Variations", 1986); what differs more is one run from the first difference to
/// the last, because finding the least would cost more than sending it.
struct SequenceDifference {
  /// A run of the old sequence and the run of the new one that takes its place.
  struct Run: Equatable {
    var old: Range<Int>
    var new: Range<Int>
  }

  /// The runs in order; both sequences are identical between them.
  private(set) var runs: [Run] = []

  /// Compares sequences of `old` and `new` elements; `same` compares element `$0` of the old one
  /// with element `$1` of the new one. It is not asked where `shared` runs stand side by side.
  init(old: Int, new: Int, shared: SharedRuns = SharedRuns(), same: (Int, Int) -> Bool) {
    var start = 0
    let shorter = min(old, new)
    while start < shorter {
      let known = shared.length(from: start, start)
      if known == 0 && !same(start, start) { break }
      start += max(1, known)
    }
    var end = 0
    while end < shorter - start {
      let known = shared.length(before: old - end, new - end)
      if known == 0 && !same(old - 1 - end, new - 1 - end) { break }
      end += min(max(1, known), shorter - start - end)
    }
    let oldMiddle = start..<old - end
    let newMiddle = start..<new - end
    if oldMiddle.isEmpty && newMiddle.isEmpty { return }
    if oldMiddle.count <= 1 || newMiddle.isEmpty {
      runs = [Run(old: oldMiddle, new: newMiddle)]
      return
    }
    runs =
      Self.runs(oldMiddle, newMiddle, shared, same) ?? [Run(old: oldMiddle, new: newMiddle)]
  }

  /// More insertions and removals than this are not told apart.
  static let mostEdits = 128

  /// Myers' greedy search: `furthest[k]` is how far into the old sequence a path of `d` edits gets
  /// on diagonal k (old position minus new position); the trace leads back.
  private static func runs(
    _ old: Range<Int>, _ new: Range<Int>, _ shared: SharedRuns, _ same: (Int, Int) -> Bool
  ) -> [Run]? {
    let n = old.count
    let m = new.count
    if abs(n - m) > mostEdits { return nil }
    let most = min(n + m, mostEdits)
    var furthest = [Int](repeating: 0, count: 2 * most + 3)
    let centre = most + 1
    var trace: [[Int]] = []
    for d in 0...most {
      trace.append(Array(furthest[centre - d - 1...centre + d + 1]))
      for k in stride(from: -d, through: d, by: 2) {
        let isInsertion =
          k == -d || k != d && furthest[centre + k - 1] < furthest[centre + k + 1]
        var x = isInsertion ? furthest[centre + k + 1] : furthest[centre + k - 1] + 1
        var y = x - k
        while x < n, y < m {
          let known = shared.length(from: old.lowerBound + x, new.lowerBound + y)
          if known == 0 && !same(old.lowerBound + x, new.lowerBound + y) { break }
          let step = min(max(1, known), n - x, m - y)
          x += step
          y += step
        }
        furthest[centre + k] = x
        if x >= n, y >= m {
          return back(through: trace, n, m).map { run in
            Run(
              old: run.old.lowerBound + old.lowerBound..<run.old.upperBound + old.lowerBound,
              new: run.new.lowerBound + new.lowerBound..<run.new.upperBound + new.lowerBound)
          }
        }
      }
    }
    return nil
  }

  /// Follows the edits from the end to the beginning and joins those that touch.
  private static func back(through trace: [[Int]], _ n: Int, _ m: Int) -> [Run] {
    var runs: [Run] = []
    var x = n
    var y = m
    for d in stride(from: trace.count - 1, to: 0, by: -1) {
      // The row holds the diagonals -d-1...d+1 as they stood before step d.
      let row = trace[d]
      let centre = d + 1
      let k = x - y
      let isInsertion = k == -d || k != d && row[centre + k - 1] < row[centre + k + 1]
      let previousX = isInsertion ? row[centre + k + 1] : row[centre + k - 1]
      let previousY = previousX - (isInsertion ? k + 1 : k - 1)
      let edit = Run(
        old: previousX..<previousX + (isInsertion ? 0 : 1),
        new: previousY..<previousY + (isInsertion ? 1 : 0))
      if let next = runs.last, next.old.lowerBound == edit.old.upperBound,
        next.new.lowerBound == edit.new.upperBound
      {
        runs[runs.count - 1] = Run(
          old: edit.old.lowerBound..<next.old.upperBound,
          new: edit.new.lowerBound..<next.new.upperBound)
      } else {
        runs.append(edit)
      }
      x = previousX
      y = previousY
    }
    return runs.reversed()
  }
}
