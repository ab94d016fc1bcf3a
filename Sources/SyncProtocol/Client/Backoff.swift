/// Waits that double, with jitter: clients that lost the same daemon at the same moment must not
/// come back in step.
struct Backoff: Sendable {
  /// In nanoseconds, as machines count.
  private let first: Int64
  private let longest: Int64
  private(set) var failures = 0

  init(first: Duration, longest: Duration) {
    self.first = first.nanoseconds
    self.longest = longest.nanoseconds
  }

  /// The wait after one more failure: doubled each time up to the longest, and up to half as much
  /// again at random.
  mutating func next(using random: inout SeedStream) -> Duration {
    var wait = first
    for _ in 0..<min(failures, 16) where wait < longest { wait = min(wait * 2, longest) }
    failures += 1
    return .nanoseconds(wait + wait * Int64(random.next() % 64) / 128)
  }

  /// It went well: the next wait is the first again.
  mutating func reset() { failures = 0 }
}
