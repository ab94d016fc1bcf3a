/// Arithmetic modulo the prime 2^61 - 1, in which the digests of sequences are sums.
///
/// A prime, because modulo 2^64 regular patterns collide; this one, because reducing is a shift and
/// an addition.
enum Mersenne61 {
  /// 2^61 - 1.
  static let modulus: UInt64 = 1 << 61 - 1
  /// The base of all sums, the protocol's P.
  static let base: UInt64 = 0x1E37_79B9_7F4A_7C15
  /// What `base` must be multiplied with to give 1.
  static let inverseBase: UInt64 = 0x1AD8_6A15_24CF_3E94

  /// Any 64 bits modulo the prime.
  @inline(__always)
  static func reduce(_ value: UInt64) -> UInt64 {
    let folded = (value & modulus) + (value >> 61)
    return folded >= modulus ? folded - modulus : folded
  }

  /// The sum of two reduced values.
  @inline(__always)
  static func add(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let sum = a + b
    return sum >= modulus ? sum - modulus : sum
  }

  /// The difference of two reduced values.
  @inline(__always)
  static func subtract(_ a: UInt64, _ b: UInt64) -> UInt64 {
    a >= b ? a - b : a + modulus - b
  }

  /// The product of two reduced values.
  @inline(__always)
  static func multiply(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let (high, low) = a.multipliedFullWidth(by: b)
    return fold(high: high, low: low)
  }

  /// A value of up to 125 bits modulo the prime.
  @inline(__always)
  static func fold(high: UInt64, low: UInt64) -> UInt64 {
    reduce((low & modulus) + (high << 3 | low >> 61))
  }

  /// `base` to a power: one product for each bit that is set.
  static func power(_ exponent: Int) -> UInt64 {
    var result: UInt64 = 1
    var left = UInt64(exponent)
    let squares = baseSquares
    while left > 0 {
      result = multiply(result, squares[left.trailingZeroBitCount & 63])
      left &= left - 1
    }
    return result
  }

  /// `base`, its square, the square of that and so on.
  private static let baseSquares: InlineArray<64, UInt64> = InlineArray(
    first: reduce(base)
  ) { multiply($0, $0) }

  /// Any factor to a power.
  static func power(_ exponent: Int, of factor: UInt64) -> UInt64 {
    var result: UInt64 = 1
    var square = factor
    var left = exponent
    while left > 0 {
      if left & 1 == 1 { result = multiply(result, square) }
      square = multiply(square, square)
      left >>= 1
    }
    return result
  }
}
