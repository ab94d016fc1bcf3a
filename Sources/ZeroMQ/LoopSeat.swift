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
  /// How often the thread that stands by looks: work that takes longer than one to two of these is
  /// left alone with its thread.
  private static let patience: Int64 = 2_000_000
  /// After so many looks without any such work it does not look any more until there is some.
  private static let quietLooks = 16

  /// Twice the number of the work that was begun last, and one more while it blocks the loop.
  private let work = Atomic<UInt64>(0)
  /// How many threads stand by.
  private let waiting = Atomic(0)
  private let isAsleep = Atomic(false)
  private let hasEnded = Atomic(false)
  private let bell: Int32

  init() throws(ZeroMQError) {
    bell = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard bell >= 0 else { throw ZeroMQError(operation: "make an eventfd", errno: Glibc.errno) }
  }

  deinit { Glibc.close(bell) }

  /// Whether somebody would go on with the loop.
  var isSecured: Bool { waiting.load(ordering: .sequentiallyConsistent) > 0 }

  /// Runs what may block, on the loop's thread with nothing of the loop below it; false if another
  /// thread is the loop now.
  func run(_ body: () -> Void) -> Bool {
    let idle = work.load(ordering: .relaxed) + 2
    work.store(idle + 1, ordering: .sequentiallyConsistent)
    // Asleep first, then a look, on the other side: one of both sees the other.
    if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { ring() }
    body()
    return work.compareExchange(
      expected: idle + 1, desired: idle, ordering: .sequentiallyConsistent
    ).exchanged
  }

  /// Stands by until the loop is blocked for too long: true, and the caller is the loop from now on.
  /// False when the loop has ended.
  func standBy() -> Bool {
    waiting.add(1, ordering: .sequentiallyConsistent)
    defer { waiting.subtract(1, ordering: .sequentiallyConsistent) }
    var seen = work.load(ordering: .sequentiallyConsistent)
    var quiet = 0
    while !hasEnded.load(ordering: .sequentiallyConsistent) {
      if quiet >= Self.quietLooks {
        isAsleep.store(true, ordering: .sequentiallyConsistent)
        if work.load(ordering: .sequentiallyConsistent) == seen { wait(nanoseconds: -1) }
        isAsleep.store(false, ordering: .sequentiallyConsistent)
        quiet = 0
      } else {
        wait(nanoseconds: Self.patience)
      }
      let now = work.load(ordering: .sequentiallyConsistent)
      let isBlocked = now % 2 == 1
      if isBlocked, now == seen,
        work.compareExchange(
          expected: now, desired: now - 1, ordering: .sequentiallyConsistent
        ).exchanged
      {
        return true
      }
      quiet = now == seen && !isBlocked ? quiet + 1 : 0
      seen = now
    }
    return false
  }

  /// The loop has ended: nobody need stand by.
  func end() {
    hasEnded.store(true, ordering: .sequentiallyConsistent)
    ring()
  }

  private func ring() {
    var one: UInt64 = 1
    // It fails only if the counter is full, and then it has been rung.
    _ = write(bell, &one, MemoryLayout<UInt64>.size)
  }

  private func wait(nanoseconds: Int64) {
    var waiting = pollfd(fd: bell, events: Int16(POLLIN), revents: 0)
    guard czmq_wait(&waiting, 1, nanoseconds) > 0 else { return }
    var count: UInt64 = 0
    _ = read(bell, &count, MemoryLayout<UInt64>.size)
  }
}
