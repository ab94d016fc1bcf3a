import Synchronization
import ZeroMQ

/// How long a loop was away from its timers: one comes every half millisecond, and what it is late
/// is what the loop did, or what kept its thread from running, in one piece.
final class LoopWatch: Sendable {
  /// A pause, with how much of it the thread was on a processor.
  struct Pause {
    var end: Int64
    var length: Int64
    var busy: Int64
  }

  private let pauses = Mutex<[Pause]>([])
  private static let interval: Int64 = 500_000
  /// Shorter ones are not kept.
  private static let shortest: Int64 = 500_000

  /// Begins, on a loop that has not started or from its own thread.
  func begin(on loop: EventLoop) {
    wait(on: loop, since: EventLoop.monotonicNow(), ThreadClock.now())
  }

  private func wait(on loop: EventLoop, since last: Int64, _ busy: Double) {
    _ = loop.schedule(at: last + Self.interval) { [self] in
      let now = EventLoop.monotonicNow()
      let ran = ThreadClock.now()
      if now - last - Self.interval > Self.shortest {
        let pause = Pause(end: now, length: now - last - Self.interval, busy: Int64(ran - busy))
        pauses.withLock { $0.append(pause) }
      }
      wait(on: loop, since: now, ran)
    }
  }

  /// The longest that ended in that time, and the one in which the thread itself was busy longest.
  func longest(from: Int64, to: Int64) -> (length: Int64, busy: Int64) {
    pauses.withLock { pauses in
      let those = pauses.filter { $0.end >= from && $0.end - $0.length <= to }
      return (those.map(\.length).max() ?? 0, those.map(\.busy).max() ?? 0)
    }
  }
}
