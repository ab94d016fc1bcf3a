/// Holds what a change costs in large states against what it costs in a small one.
struct GrowthReport {
  /// How long each case is measured.
  let seconds: Double

  /// Each figure as it is known.
  func run(_ report: (BenchCase) -> Void) throws {
    let growth = Growth(seconds: seconds)
    for (name, measure) in [
      ("task changed", growth.tasks), ("filtered view", growth.filtered),
      ("task added, moved, removed", growth.order),
      ("dictionary's value changed", growth.table), ("document's element changed", growth.document),
    ] as [(String, (Int) throws -> Growth.Cost)] {
      var small: Growth.Cost?
      for size in Growth.sizes {
        let cost = try measure(size)
        for figure in figures(name, size, cost, beside: small) { report(figure) }
        small = small ?? cost
      }
    }
    for figure in text(try growth.text(1_000_000)) { report(figure) }
  }

  /// A million elements may cost half as much again as a thousand, and no more.
  private func figures(
    _ name: String, _ size: Int, _ cost: Growth.Cost, beside small: Growth.Cost?
  ) -> [BenchCase] {
    func figure(_ what: String, _ unit: String, _ value: Double, _ least: Double?) -> BenchCase {
      BenchCase(
        name: "\(name), \(size), \(what)", value: value, unit: unit,
        beside: least.map { ("\(Growth.sizes[0])", $0) }, ratio: least.map { value / $0 },
        bound: size == Growth.sizes.last ? .atMost(1.5) : .none)
    }
    return [
      figure("daemon", "ns", cost.daemon, small?.daemon),
      figure("mirror", "ns", cost.mirror, small?.mirror),
      figure("published", "bytes", cost.bytes, small?.bytes),
    ]
  }

  private func text(_ cost: Growth.Cost) -> [BenchCase] {
    [
      BenchCase(
        name: "keystroke in 1 MB, daemon", value: cost.daemon / 1e3, unit: "us",
        bound: .atMost(20)),
      BenchCase(
        name: "keystroke in 1 MB, mirror", value: cost.mirror / 1e3, unit: "us",
        bound: .atMost(20)),
      BenchCase(
        name: "keystroke in 1 MB, published", value: cost.bytes, unit: "bytes",
        bound: .atMost(128)),
    ]
  }
}
