import Testing

@testable import StateModel

@Suite("Order of bytes, by their first eight as a number")
struct ByteComparisonTests {
  @Test(
    "The number is that of the bytes, and orders as they do", arguments: 0..<20 as Range<UInt64>)
  func firstWord(seed: UInt64) {
    var source = SeededGenerator(seed: seed)
    var runs: [[UInt8]] = [[]]
    for length in 0...12 {
      for _ in 0..<4 {
        // Few values, so that beginnings are alike, zeros among them.
        runs.append((0..<length).map { _ in UInt8.random(in: 0...2, using: &source) })
      }
    }
    for run in runs {
      var expected: UInt64 = 0
      for offset in 0..<8 {
        expected = expected << 8 | UInt64(offset < run.count ? run[offset] : 0)
      }
      #expect(ByteComparison.firstWord(run.span.bytes) == expected, "seed \(seed), \(run)")
    }
    for a in runs {
      for b in runs {
        let hint: Comment = "seed \(seed), \(a) and \(b)"
        #expect(
          ByteComparison.precedes(a.span.bytes, b.span.bytes) == a.lexicographicallyPrecedes(b),
          hint)
        let (first, second) = (
          ByteComparison.firstWord(a.span.bytes), ByteComparison.firstWord(b.span.bytes)
        )
        #expect(ByteComparison.areIdentical(a.span.bytes, b.span.bytes) == (a == b), hint)
        if first != second { #expect((first < second) == a.lexicographicallyPrecedes(b), hint) }
      }
    }
  }
}
