/// Prime numbers: what the counter asks about.
public enum Primes {
  /// The largest n whose nth prime is looked for: its sieve takes under a megabyte and some
  /// thousandths of a second.
  public static let greatestIndex = 100_000

  /// Whether a number is prime, at once for every `Int`: the Miller-Rabin test with the first twelve
  /// primes as bases, which is exact below 3.3 * 10^24 (Sorenson and Webster, 2015).
  public static func isPrime(_ number: Int) -> Bool {
    guard number > 1 else { return false }
    let number = UInt64(number)
    let bases: [UInt64] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37]
    for base in bases where number.isMultiple(of: base) { return number == base }
    let twos = (number - 1).trailingZeroBitCount
    let odd = (number - 1) >> UInt64(twos)
    return bases.allSatisfy { passes(number, base: $0, odd: odd, twos: twos) }
  }

  private static func passes(_ number: UInt64, base: UInt64, odd: UInt64, twos: Int) -> Bool {
    var power = raise(base, to: odd, modulo: number)
    if power == 1 || power == number - 1 { return true }
    for _ in 1..<twos {
      power = multiply(power, power, modulo: number)
      if power == number - 1 { return true }
    }
    return false
  }

  private static func raise(_ base: UInt64, to exponent: UInt64, modulo: UInt64) -> UInt64 {
    var (result, base, exponent) = (UInt64(1), base % modulo, exponent)
    while exponent > 0 {
      if exponent & 1 == 1 { result = multiply(result, base, modulo: modulo) }
      base = multiply(base, base, modulo: modulo)
      exponent >>= 1
    }
    return result
  }

  private static func multiply(_ one: UInt64, _ other: UInt64, modulo: UInt64) -> UInt64 {
    modulo.dividingFullWidth(one.multipliedFullWidth(by: other)).remainder
  }

  /// The nth prime, counted from 1; nil unless n is 1 to `greatestIndex`.
  ///
  /// Runs beside its caller's actor: the sieve would hold up a daemon's loop. Ends early when it is
  /// cancelled.
  @concurrent public static func nth(_ n: Int) async throws(CancellationError) -> Int? {
    guard (1...greatestIndex).contains(n) else { return nil }
    if n == 1 { return 2 }
    let limit = upperBound(n)
    // Only odd numbers: index i stands for 2i + 1.
    var isComposite = [Bool](repeating: false, count: limit / 2 + 1)
    var found = 1
    for index in 1..<isComposite.count where !isComposite[index] {
      if found.isMultiple(of: checkEvery), Task.isCancelled { throw CancellationError() }
      found += 1
      let prime = 2 * index + 1
      if found == n { return prime }
      guard prime <= limit / prime else { continue }
      for multiple in stride(from: prime * prime / 2, to: isComposite.count, by: prime) {
        isComposite[multiple] = true
      }
    }
    return nil
  }

  /// How many primes are found between two looks at whether the search is cancelled.
  private static let checkEvery = 1_024

  /// A number that the nth prime does not exceed: n (ln n + ln ln n) for n of 6 or more (Rosser and
  /// Schoenfeld, 1962), with the logarithms rounded up from those of 2.
  private static func upperBound(_ n: Int) -> Int {
    guard n >= 6 else { return 13 }
    let bits = Int.bitWidth - n.leadingZeroBitCount
    // ln n < 0.6932 * bits, and ln ln n is at most 2.7 for any n up to `greatestIndex`.
    return n * (bits * 6_932 + 27_000) / 10_000 + 1
  }
}
