/// The sum over a sequence from which its digest is made: element by element for arrays, byte by
/// byte for long texts (protocol, section 3).
///
/// Sums of adjoining sequences combine, and parts can be cut off again, so that a container can
/// bring its sum up to date at the cost of a change.
struct SequenceSum: Equatable, Sendable {
  /// How many terms.
  var count = 0
  /// The terms times falling powers of the base, modulo 2^61 - 1.
  var sum: UInt64 = 0

  /// Adds a term behind the others.
  @inline(__always)
  mutating func append(_ term: UInt64) {
    sum = Mersenne61.add(Mersenne61.multiply(sum, Mersenne61.base), Mersenne61.reduce(term))
    count += 1
  }

  /// Adds a whole sequence behind this one.
  mutating func append(_ other: SequenceSum) {
    sum = Mersenne61.add(Mersenne61.multiply(sum, Mersenne61.power(other.count)), other.sum)
    count += other.count
  }

  /// Takes away the last part, given its sum.
  mutating func removeSuffix(_ suffix: SequenceSum) {
    count -= suffix.count
    sum = Mersenne61.multiply(
      Mersenne61.subtract(sum, suffix.sum),
      Mersenne61.power(suffix.count, of: Mersenne61.inverseBase))
  }

  /// Takes away the first part, given its sum.
  mutating func removePrefix(_ prefix: SequenceSum) {
    count -= prefix.count
    sum = Mersenne61.subtract(
      sum, Mersenne61.multiply(prefix.sum, Mersenne61.power(count)))
  }

  /// Puts `inserted` for the part `removed`, which begins behind `offset` terms.
  ///
  /// `sumOf` gives the sum of a range as it was before the splice; it is asked for the shorter one
  /// of what lies before and what lies behind.
  mutating func splice(
    at offset: Int, _ removed: SequenceSum, by inserted: SequenceSum,
    sumOf: (Range<Int>) -> SequenceSum
  ) {
    let end = offset + removed.count
    if offset <= count - end {
      let prefix = sumOf(0..<offset)
      var suffix = self
      suffix.removePrefix(prefix)
      suffix.removePrefix(removed)
      self = prefix
      append(inserted)
      append(suffix)
    } else {
      let suffix = sumOf(end..<count)
      removeSuffix(suffix)
      removeSuffix(removed)
      append(inserted)
      append(suffix)
    }
  }

  /// A part has another sum and as many terms as before; `behind` is how many stand behind it.
  mutating func change(_ old: SequenceSum, to new: SequenceSum, behind: Int) {
    if old.sum == new.sum { return }
    sum = Mersenne61.add(
      sum,
      Mersenne61.multiply(
        Mersenne61.subtract(new.sum, old.sum), Mersenne61.power(behind)))
  }

  /// Puts `new` for the term `old` at `index`.
  mutating func replace(at index: Int, _ old: UInt64, by new: UInt64) {
    let change = Mersenne61.subtract(Mersenne61.reduce(new), Mersenne61.reduce(old))
    sum = Mersenne61.add(
      sum, Mersenne61.multiply(change, Mersenne61.power(count - 1 - index)))
  }
}

extension SequenceSum {
  /// The sum over the digests of elements.
  init(digestsOf elements: some Sequence<some Mirrored>) {
    for element in elements { append(element.digest.rawValue) }
  }

  /// The sum over the bytes of a text, each plus one.
  init(text utf8: some Collection<UInt8>) {
    let counted: Void? = utf8.withContiguousStorageIfAvailable { append(text: $0) }
    if counted == nil { append(text: Array(utf8)) }
  }

  /// Eight bytes a step: their products do not wait for one another, only the steps do.
  private mutating func append(text: some RandomAccessCollection<UInt8>) {
    var position = text.startIndex
    let powers = Self.powers
    var left = text.count
    while left >= 8 {
      var low: UInt64 = 0
      var high: UInt64 = 0
      for lane in 0..<8 {
        let term = UInt64(text[text.index(position, offsetBy: lane)]) + 1
        let product = term.multipliedFullWidth(by: powers[lane])
        let (partial, carry) = low.addingReportingOverflow(product.low)
        low = partial
        high += product.high + (carry ? 1 : 0)
      }
      sum = Mersenne61.add(
        Mersenne61.multiply(sum, Self.eighthPower), Mersenne61.fold(high: high, low: low))
      position = text.index(position, offsetBy: 8)
      left -= 8
    }
    count += text.count - left
    while left > 0 {
      append(UInt64(text[position]) + 1)
      position = text.index(after: position)
      left -= 1
    }
  }

  private static let eighthPower = Mersenne61.power(8)
  private static let powers: InlineArray<8, UInt64> = InlineArray { Mersenne61.power(7 - $0) }
}
