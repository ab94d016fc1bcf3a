/// How long things took, in buckets whose width grows with the time: no more than a sixty-fourth of
/// it is lost, whatever its size, and a million samples take no more room than ten.
///
/// The idea is HdrHistogram's (http://hdrhistogram.org): below 128 each nanosecond has its bucket;
/// above, each doubling is cut into 64.
struct LatencyHistogram: Equatable {
  private(set) var count = 0
  /// The longest, exactly; 0 of none.
  private(set) var longest: Int64 = 0
  private var buckets: [Int] = []

  private static let bits = 6

  init() {}

  init(_ samples: some Sequence<Int64>) {
    for sample in samples { add(sample) }
  }

  /// Takes a sample of so many nanoseconds; what is negative counts as none.
  mutating func add(_ nanoseconds: Int64) {
    let value = max(0, nanoseconds)
    let bucket = Self.bucket(of: value)
    if bucket >= buckets.count {
      buckets += repeatElement(0, count: bucket + 1 - buckets.count)
    }
    buckets[bucket] += 1
    count += 1
    longest = max(longest, value)
  }

  mutating func add(_ other: LatencyHistogram) {
    if other.buckets.count > buckets.count {
      buckets += repeatElement(0, count: other.buckets.count - buckets.count)
    }
    for (bucket, more) in other.buckets.enumerated() { buckets[bucket] += more }
    count += other.count
    longest = max(longest, other.longest)
  }

  /// The least time that at least this part (0 to 1) of the samples did not exceed, rounded up to
  /// its bucket's end but never above the longest; 0 of none.
  func quantile(_ part: Double) -> Int64 {
    let wanted = max(1, Int((part * Double(count)).rounded(.up)))
    var seen = 0
    for (bucket, more) in buckets.enumerated() {
      seen += more
      if seen >= wanted { return min(longest, Self.last(of: bucket)) }
    }
    return longest
  }

  /// Those that the report tells: 0.5, 0.9, 0.99, 0.999 and the longest, in microseconds.
  var microseconds: [Double] {
    ([0.5, 0.9, 0.99, 0.999].map(quantile) + [longest]).map { Double($0) / 1e3 }
  }

  /// What `microseconds` are called.
  static let names = ["p50", "p90", "p99", "p99.9", "max"]

  static func bucket(of value: Int64) -> Int {
    let shift = max(0, 63 - value.leadingZeroBitCount - bits)
    return shift << bits + Int(value >> Int64(shift))
  }

  /// The largest value of a bucket.
  static func last(of bucket: Int) -> Int64 {
    // From the second doubling on, a bucket's number holds the shift once and a leading one.
    let shift = max(0, bucket >> bits - 1)
    let head = Int64(bucket - shift << bits)
    return (head + 1) << Int64(shift) - 1
  }
}
