/// The runs that two versions of a sequence are known to have in common: what lies between the
/// regions in which they differ. They are passed in one step where elements would be compared.
struct SharedRuns {
  private struct Run {
    var old: Int
    var new: Int
    var count: Int
  }

  /// In order, in both versions.
  private var runs: [Run] = []

  /// Nothing is known to be in common.
  init() {}

  /// What lies between `regions`, which are in order, and around them.
  init(between regions: [SharedRegion], newCount: Int) {
    var (old, new) = (0, 0)
    for region in regions {
      let count = region.new.lowerBound - new
      if count > 0 { runs.append(Run(old: old, new: new, count: count)) }
      (old, new) = (region.old.upperBound, region.new.upperBound)
    }
    if new < newCount { runs.append(Run(old: old, new: new, count: newCount - new)) }
  }

  /// How many elements are known to be in common from `old` and `new` on.
  func length(from old: Int, _ new: Int) -> Int {
    guard let run = run(holding: new), old - run.old == new - run.new else { return 0 }
    return run.new + run.count - new
  }

  /// How many elements are known to be in common before `old` and `new`.
  func length(before old: Int, _ new: Int) -> Int {
    guard let run = run(holding: new - 1), old - run.old == new - run.new else { return 0 }
    return new - run.new
  }

  private func run(holding position: Int) -> Run? {
    var low = 0
    var high = runs.count
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].new <= position { low = middle + 1 } else { high = middle }
    }
    guard low > 0, position < runs[low - 1].new + runs[low - 1].count else { return nil }
    return runs[low - 1]
  }
}
