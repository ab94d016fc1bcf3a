import Showcase
import Testing

@Suite("Primes")
struct PrimesTests {
  @Test("the test agrees with a sieve up to a hundred thousand")
  func sieve() {
    var isComposite = [Bool](repeating: false, count: 100_001)
    for number in 2...100_000 {
      #expect(Primes.isPrime(number) == !isComposite[number], "\(number)")
      guard !isComposite[number] else { continue }
      for multiple in stride(from: 2 * number, through: 100_000, by: number) {
        isComposite[multiple] = true
      }
    }
  }

  @Test(
    "large numbers, strong pseudoprimes among them, are told apart at once",
    arguments: [
      (2_147_483_647, true), (2_305_843_009_213_693_951, true), (9_223_372_036_854_775_783, true),
      (Int.max, false), (3_215_031_751, false), (3_825_123_056_546_413_051, false),
      (4_611_686_014_132_420_609, false), (0, false), (1, false), (-7, false), (Int.min, false),
    ])
  func large(number: Int, isPrime: Bool) { #expect(Primes.isPrime(number) == isPrime) }

  @Test(
    "the nth prime is found, and nothing beyond the limits",
    arguments: [
      (1, 2), (2, 3), (5, 11), (6, 13), (7, 17), (100, 541), (10_000, 104_729),
      (100_000, 1_299_709),
      (0, nil), (-1, nil), (100_001, nil), (Int.max, nil),
    ])
  func nth(n: Int, prime: Int?) async throws { #expect(try await Primes.nth(n) == prime) }

  @Test("every index up to three thousand finds the next prime")
  func consecutive() async throws {
    var n = 0
    for number in 0..<27_449 where Primes.isPrime(number) {
      n += 1
      if n.isMultiple(of: 97) || n < 40 { #expect(try await Primes.nth(n) == number) }
    }
  }

  @Test("a search that is cancelled ends")
  func cancellation() async {
    let search = Task { try await Primes.nth(Primes.greatestIndex) }
    search.cancel()
    let result = await search.result
    #expect(throws: CancellationError.self) { try result.get() }
  }
}
