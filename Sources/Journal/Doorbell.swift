internal import Glibc

/// Wakes one waiting thread: what is rung while nobody waits is not lost.
///
/// A pipe, because waiting for it can end at a monotonic time, and because what is in it stays.
final class Doorbell: Sendable {
  private let exit: Int32
  private let entrance: Int32

  init() throws(JournalError) {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw JournalFile.failure("make a pipe for", "the journal's thread")
    }
    exit = ends[0]
    entrance = ends[1]
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
  }

  deinit {
    close(exit)
    close(entrance)
  }

  /// Wakes the thread, or lets its next wait return at once.
  func ring() {
    // A full pipe is rung often enough.
    var byte: UInt8 = 0
    _ = write(entrance, &byte, 1)
  }

  /// Waits until somebody rings, at most for `limit`; false when nobody did.
  @discardableResult
  func wait(atMost limit: Duration? = nil) -> Bool {
    var waiting = pollfd(fd: exit, events: Int16(POLLIN), revents: 0)
    let result = poll(&waiting, 1, limit.map(Self.milliseconds) ?? -1)
    guard result > 0 else { return false }
    var bytes = [UInt8](repeating: 0, count: 64)
    _ = read(exit, &bytes, bytes.count)
    return true
  }

  /// Rounded up: a wait that ends too early would be begun again at once.
  private static func milliseconds(_ limit: Duration) -> Int32 {
    let (seconds, attoseconds) = limit.components
    let millisecond: Int64 = 1_000_000_000_000_000
    return Int32(clamping: seconds &* 1000 &+ (attoseconds &+ millisecond - 1) / millisecond)
  }
}
