import Foundation

/// One figure of the benchmark, with what it is measured against.
struct BenchCase {
  /// What has to hold.
  enum Bound {
    case atMost(Double)
    case atLeast(Double)
    case none

    func holds(_ value: Double) -> Bool? {
      switch self {
      case .atMost(let limit): value <= limit
      case .atLeast(let limit): value >= limit
      case .none: nil
      }
    }

    var text: String {
      switch self {
      case .atMost(let limit): String(format: "<= %g", limit)
      case .atLeast(let limit): String(format: ">= %g", limit)
      case .none: ""
      }
    }
  }

  var name: String
  var value: Double
  var unit: String
  /// What ran beside it, and its figure; nil for what is measured by itself.
  var beside: (name: String, value: Double)?
  /// The median of the pairs' ratios, ours to what ran beside it.
  var ratio: Double?
  /// Of the ratio where there is one, else of the value.
  var bound: Bound

  var holds: Bool? { bound.holds(ratio ?? value) }

  /// One line of JSON: `case`, `value`, `unit`, `beside`, `ratio`, `bound`, `holds`.
  var json: String {
    var fields = [
      "\"case\":\"\(name)\"", "\"value\":\(Self.number(value))", "\"unit\":\"\(unit)\"",
    ]
    let other = beside.map { "{\"name\":\"\($0.name)\",\"value\":\(Self.number($0.value))}" }
    fields.append("\"beside\":\(other ?? "null")")
    fields.append("\"ratio\":\(ratio.map { String(format: "%.3f", $0) } ?? "null")")
    fields.append("\"bound\":\(bound.text.isEmpty ? "null" : "\"\(bound.text)\"")")
    fields.append("\"holds\":\(holds.map { "\($0)" } ?? "null")")
    return "{" + fields.joined(separator: ",") + "}"
  }

  /// One line of the table.
  var row: String {
    let figure = Self.number(value) + " " + unit
    let other = beside.map { "\($0.name) " + Self.number($0.value) } ?? ""
    let verdict = holds.map { $0 ? "yes" : "no" } ?? ""
    return [
      name.padded(to: 40), figure.padded(to: 22), other.padded(to: 20),
      (ratio.map { String(format: "%.2f", $0) } ?? "").padded(to: 7), bound.text.padded(to: 9),
      verdict,
    ].joined()
  }

  static let header =
    "case".padded(to: 40) + "ours".padded(to: 22) + "beside".padded(to: 20) + "ratio".padded(to: 7)
    + "bound".padded(to: 9) + "holds"

  private static func number(_ value: Double) -> String {
    value >= 1000 ? String(format: "%.0f", value) : String(format: "%.4g", value)
  }
}

extension String {
  /// Filled up with spaces.
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }
}
