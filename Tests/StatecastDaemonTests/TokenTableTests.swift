import StateModel
import Testing

@testable import StatecastClient

@Suite("Observers by token")
struct TokenTableTests {
  @Test(
    "The table agrees with a dictionary, whatever is removed, and gives room back",
    arguments: 0..<20 as Range<UInt64>)
  func agrees(seed: UInt64) {
    var source = SeededGenerator(seed: seed)
    var model: [UInt64: Int] = [:]
    var table = TokenTable<Int>()
    var last: UInt64 = 0
    for step in 0..<2_000 {
      let hint: Comment = "seed \(seed), step \(step)"
      if Int.random(in: 0..<5, using: &source) < 3 {
        // Some tokens are of something else.
        last += UInt64.random(in: 1...3, using: &source)
        table.insert(step, last)
        model[last] = step
      } else {
        // Mostly one of the first, sometimes one that never was or is gone.
        let first = model.keys.min() ?? last
        let token = first &+ UInt64.random(in: 0...4, using: &source)
        #expect(table[token] == model[token], hint)
        #expect(table.remove(token) == model.removeValue(forKey: token), hint)
      }
      #expect(table.count == model.count, hint)
      #expect(table.isEmpty == model.isEmpty, hint)
    }
    for token in model.keys.sorted() { #expect(table.remove(token) == model[token]) }
    #expect(table.isEmpty)
    #expect(table[last] == nil)
    table.insert(7, last + 1_000_000)
    #expect(table[last + 1_000_000] == 7)
  }
}
