/// What one driver measured.
struct Figures {
  var p50: Double
  var p99: Double
  var perSecond: Double

  /// One line that `init(line:)` reads again: microseconds, microseconds, actions a second.
  var line: String { "\(p50) \(p99) \(perSecond)" }

  init(p50: Double, p99: Double, perSecond: Double) {
    self.p50 = p50
    self.p99 = p99
    self.perSecond = perSecond
  }

  init?(line: String) {
    let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard numbers.count == 3 else { return nil }
    self.init(p50: numbers[0], p99: numbers[1], perSecond: numbers[2])
  }
}

/// The middle one.
func median(_ values: [Double]) -> Double {
  values.isEmpty ? .nan : values.sorted()[values.count / 2]
}
