internal import CZeroMQ
internal import Glibc
internal import Synchronization

/// Which of two threads is the loop: one runs it, the other stands by, and goes on with it while the
/// first is blocked.
///
/// Work that blocks for a moment is cheapest on the loop's own thread: handing it to another and
/// waiting to be told takes two wake-ups, each as long as a quick disk's sync. Work that blocks for
/// longer than a moment must not hold up everything else. So it is begun here, and if it is not done
/// in time, the loop leaves the thread that it blocks.
final class LoopSeat: Sendable {
  /// How long work may block the loop before the loop goes on elsewhere.
  private static let patience = 2_000_000

  /// Twice the number of the work that was begun last, and one more while it blocks the loop.
  private let work = Atomic<UInt64>(0)
  /// How many threads stand by.
  private let waiting = Atomic(0)
  private let hasEnded = Atomic(false)
  /// Wakes the one that stands by, if it is not set back in time.
  private let alarm: Int32

  init() throws(ZeroMQError) {
    alarm = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
    guard alarm >= 0 else { throw ZeroMQError(operation: "make a timerfd", errno: Glibc.errno) }
  }

  deinit { Glibc.close(alarm) }

  /// Whether somebody would go on with the loop.
  var isSecured: Bool { waiting.load(ordering: .sequentiallyConsistent) > 0 }

  /// Runs what may block, on the loop's thread with nothing of the loop below it; false if another
  /// thread is the loop now.
  func run(_ body: () -> Void) -> Bool {
    let idle = work.load(ordering: .relaxed) + 2
    work.store(idle + 1, ordering: .sequentiallyConsistent)
    setAlarm(nanoseconds: Self.patience)
    body()
    let isHere = work.compareExchange(
      expected: idle + 1, desired: idle, ordering: .sequentiallyConsistent
    ).exchanged
    // Else it is another one's, for the work that has been begun since.
    if isHere { setAlarm(nanoseconds: 0) }
    return isHere
  }

  /// Stands by until the loop is blocked for too long: true, and the caller is the loop from now on.
  /// False when the loop has ended.
  func standBy() -> Bool {
    waiting.add(1, ordering: .sequentiallyConsistent)
    defer { waiting.subtract(1, ordering: .sequentiallyConsistent) }
    while true {
      waitForAlarm()
      if hasEnded.load(ordering: .sequentiallyConsistent) { return false }
      let now = work.load(ordering: .sequentiallyConsistent)
      let isBlocked = !now.isMultiple(of: 2)
      if isBlocked,
        work.compareExchange(
          expected: now, desired: now - 1, ordering: .sequentiallyConsistent
        ).exchanged
      {
        return true
      }
    }
  }

  /// The loop has ended: nobody need stand by.
  func end() {
    hasEnded.store(true, ordering: .sequentiallyConsistent)
    setAlarm(nanoseconds: 1)
  }

  /// 0 sets it back.
  private func setAlarm(nanoseconds: Int) {
    var time = itimerspec()
    time.it_value.tv_nsec = nanoseconds
    timerfd_settime(alarm, 0, &time, nil)
  }

  private func waitForAlarm() {
    var waiting = pollfd(fd: alarm, events: Int16(POLLIN), revents: 0)
    guard czmq_wait(&waiting, 1, -1) > 0 else { return }
    var count: UInt64 = 0
    _ = read(alarm, &count, MemoryLayout<UInt64>.size)
  }
}
