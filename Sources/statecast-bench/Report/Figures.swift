/// What a driver measured of a closed loop, by how many actions were open: of 1 the median in
/// microseconds, of more the actions a second.
struct Figures: Equatable {
  var values: [Int: Double]

  init(_ values: [Int: Double]) { self.values = values }

  /// One line that `init(line:)` reads again: `1=82.5 64=484000.0`.
  var line: String {
    values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  init?(line: String) {
    values = [:]
    for word in line.split(separator: " ") {
      let parts = word.split(separator: "=")
      guard parts.count == 2, let window = Int(parts[0]), let value = Double(parts[1]) else {
        return nil
      }
      values[window] = value
    }
    if values.isEmpty { return nil }
  }

  subscript(window: Int) -> Double { values[window] ?? .nan }
}

/// The middle one; of an even number the upper of the two.
func median(_ values: [Double]) -> Double {
  values.isEmpty ? .nan : values.sorted()[values.count / 2]
}
