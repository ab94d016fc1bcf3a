/// Whether a loop lets others have the processor once before it sleeps.
///
/// What a loop has just heard is often followed by more, which libzmq's thread is about to bring: it
/// may wait for this very processor. To sleep and to be woken costs more than to step aside for it:
/// with ten mirrors in one process, a loop slept three times for each publication, and now once.
/// But where programs that compute want the processor, stepping aside lasts as long as the slice of
/// time that they are given. So it is not done for a while after it took long.
struct Courtesy {
  /// Nanoseconds after which somebody else than libzmq's threads must have had the processor.
  static let tooLong: Int64 = 500_000
  /// For how many nanoseconds it is not tried again then: at most a thirtieth of the time is lost.
  static let pause: Int64 = 100_000_000

  private var notBefore = Int64.min

  /// Whether to step aside at that time of the monotonic clock.
  func isDue(at now: Int64) -> Bool { now >= notBefore }

  /// How long it took.
  mutating func took(from start: Int64, to end: Int64) {
    if end - start > Self.tooLong { notBefore = end + Self.pause }
  }
}
