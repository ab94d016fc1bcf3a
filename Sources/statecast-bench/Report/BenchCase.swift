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
  /// Why there is no figure that counts; nil where there is one.
  var failure: String?

  /// Whether it is as it should be: never where the run failed, whatever the figure; nil where
  /// nothing is asked of it.
  var holds: Bool? { failure == nil ? bound.holds(ratio ?? value) : false }

  /// A case whose run failed: a mirror was not exact, an action was lost, a process ended.
  static func failed(_ name: String, _ failure: String) -> BenchCase {
    BenchCase(name: name, value: .nan, unit: "", bound: .none, failure: failure)
  }

  /// One line of JSON: `case`, `value`, `unit`, `beside`, `ratio`, `bound`, `holds`; and `failure`
  /// where there is no figure that counts.
  var json: String {
    var fields = [
      "\"case\":\(Self.quoted(name))", "\"value\":\(Self.number(value) ?? "null")",
      "\"unit\":\(Self.quoted(unit))",
    ]
    let other = beside.map {
      "{\"name\":\(Self.quoted($0.name)),\"value\":\(Self.number($0.value) ?? "null")}"
    }
    fields.append("\"beside\":\(other ?? "null")")
    let ratio = ratio.flatMap { $0.isFinite ? String(format: "%.3f", $0) : nil }
    fields.append("\"ratio\":\(ratio ?? "null")")
    fields.append("\"bound\":\(bound.text.isEmpty ? "null" : Self.quoted(bound.text))")
    fields.append("\"holds\":\(holds.map { "\($0)" } ?? "null")")
    if let failure { fields.append("\"failure\":\(Self.quoted(failure))") }
    return "{" + fields.joined(separator: ",") + "}"
  }

  /// As it stands in the table and in JSON; nil for what is no number.
  static func number(_ value: Double) -> String? {
    if !value.isFinite { return nil }
    return abs(value) >= 1000 ? String(format: "%.0f", value) : String(format: "%.4g", value)
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case _ where scalar.value < 0x20: quoted += String(format: "\\u%04x", scalar.value)
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
