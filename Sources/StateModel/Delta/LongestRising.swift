/// A longest rising subsequence of old positions that are given in rising runs: what need not move
/// when an order is changed.
///
/// Patience sorting (pile k holds the least last element of a rising subsequence of k + 1 elements),
/// a run at a time: the elements of a run come on neighbouring piles, since no other run has a
/// position between theirs.
struct LongestRising {
  /// How many elements of each run, from its beginning on, are in the subsequence.
  let fixed: [Int]

  /// Neighbouring piles whose last elements are of one run.
  private struct Piles {
    /// The number of the first pile.
    var first: Int
    var count: Int
    var run: Int
    /// Which element of the run the first pile ends with.
    var offset: Int
  }

  init(_ runs: [KeptRun]) {
    var piles: [Piles] = []
    // The element of another run that comes before a run's first one in a longest subsequence.
    var previous: [(run: Int, offset: Int)?] = []
    previous.reserveCapacity(runs.count)
    for (number, run) in runs.enumerated() {
      var low = 0
      var high = piles.count
      while low < high {
        let middle = (low + high) / 2
        if runs[piles[middle].run].old < run.old { low = middle + 1 } else { high = middle }
      }
      let before = low > 0 ? piles[low - 1] : nil
      previous.append(before.map { ($0.run, $0.offset + $0.count - 1) })
      let new = Piles(
        first: before.map { $0.first + $0.count } ?? 0, count: run.count, run: number, offset: 0)
      var end = low
      var rest: [Piles] = []
      while end < piles.count, piles[end].first < new.first + new.count {
        let covered = new.first + new.count - piles[end].first
        if covered < piles[end].count {
          var left = piles[end]
          left.first += covered
          left.count -= covered
          left.offset += covered
          rest.append(left)
        }
        end += 1
      }
      piles.replaceSubrange(low..<end, with: [new] + rest)
    }
    var fixed = [Int](repeating: 0, count: runs.count)
    var last = piles.last.map { (run: $0.run, offset: $0.offset + $0.count - 1) }
    while let element = last {
      fixed[element.run] = element.offset + 1
      last = previous[element.run]
    }
    self.fixed = fixed
  }
}
