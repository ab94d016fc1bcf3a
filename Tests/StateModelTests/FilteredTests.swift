import StateModel
import Synchronization
import Testing

@Suite("Filtered elements")
struct FilteredTests {
  typealias Row = SharedCollectionTests.Row

  /// What keeps all, most, few, and none.
  static let conditions: [@Sendable (Row) -> Bool] = [
    { _ in true }, { !$0.number.isMultiple(of: 5) }, { $0.text.hasSuffix("7") }, { _ in false },
  ]

  @Test(
    "hold what a filter over the whole array gives, through random changes",
    arguments: [0, 1, 33, 65, 257, 1_500])
  func agree(size: Int) {
    for (number, isKept) in Self.conditions.enumerated() {
      var source = SeededGenerator(seed: UInt64(size * 10 + number))
      var model = (0..<size).map { Row(number: $0, text: "row \($0)") }
      var array = IdentifiedArray(uniqueElements: model)
      var (next, filtered) = (size, Filtered(where: isKept))
      for step in 0..<(size > 500 ? 30 : 100) {
        filtered.update(array)
        #expect(
          filtered.elements.elements == model.filter(isKept),
          "size \(size), condition \(number), step \(step)")
        // Some updates see several changes, or none.
        for _ in 0..<Int.random(in: 0...3, using: &source) {
          SharedCollectionTests.change(&model, &array, &next, &source)
        }
      }
    }
  }

  @Test("ask about what has changed, not about all")
  func costs() {
    let asked = Mutex(0)
    var filtered = Filtered<Row> { row in
      asked.withLock { $0 += 1 }
      return row.number.isMultiple(of: 2)
    }
    var array = IdentifiedArray(uniqueElements: (0..<20_000).map { Row(number: $0) })
    filtered.update(array)
    #expect(asked.withLock { $0 } == 20_000)
    asked.withLock { $0 = 0 }
    array[10_000].text = "changed"
    array.remove(at: 4_000)
    array.append(Row(number: 20_000))
    filtered.update(array)
    #expect(asked.withLock { $0 } < 400)
    #expect(filtered.elements.count == 10_000)
    #expect(filtered.elements[id: 10_000]?.text == "changed")
    #expect(filtered.elements.last?.number == 20_000)
  }
}
