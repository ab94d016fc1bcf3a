/// The cases as a person reads them: columns as wide as what stands in them.
struct ResultTable {
  let cases: [BenchCase]

  /// The lines, with a heading; what failed is told below.
  var lines: [String] {
    let rows = [["case", "ours", "beside", "ratio", "bound", "holds"]] + cases.map(row)
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    var lines = rows.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
      var line = cells.joined(separator: "  ")
      while line.last == " " { line.removeLast() }
      return line
    }
    for one in cases {
      if let failure = one.failure { lines.append("\(one.name) does not count: \(failure)") }
    }
    return lines
  }

  private func row(_ one: BenchCase) -> [String] {
    let value = BenchCase.number(one.value).map { "\($0) \(one.unit)" } ?? "-"
    let other = one.beside.map { "\($0.name) \(BenchCase.number($0.value) ?? "-")" } ?? ""
    let ratio = one.ratio.map { ($0 * 100).rounded() / 100 }.map { "\($0)" } ?? ""
    let verdict = one.failure == nil ? one.holds.map { $0 ? "yes" : "no" } ?? "" : "failed"
    return [one.name, value, other, ratio, one.bound.text, verdict]
  }
}
