import Foundation
import Glibc
import Synchronization

/// What this process has to do when it is told to end: end what a demonstration has started, since
/// nobody would know of the daemon that it leaves behind; say goodbye, since who is listed, or offers
/// something, would stay so for seconds.
///
/// The handler only rings; a thread does what a handler must not do, and lets the signal have its
/// usual effect.
enum LastMoment {
  /// SIGHUP, too: the terminal of a `make run | less` is closed.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  private nonisolated(unsafe) static var bell: Int32 = -1
  private static let isUnderWay = Atomic(false)

  /// Waits for the end, if this process was told to end: what fails from then on is no failure.
  static func waitIfUnderWay() {
    while isUnderWay.load(ordering: .relaxed) { pause() }
  }

  /// Calls `cleanUp` before one of the signals ends this process.
  static func prepare(_ cleanUp: @escaping @Sendable () -> Void) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    bell = ends[1]
    // Made here: making it is not for a handler.
    isUnderWay.store(false, ordering: .relaxed)
    let heard = ends[0]
    Thread.detachNewThread {
      var number: UInt8 = 0
      while read(heard, &number, 1) < 0, errno == EINTR {}
      cleanUp()
      signal(Int32(number), SIG_DFL)
      kill(getpid(), Int32(number))
    }
    for number in signals {
      // What `nohup` ignores stays ignored. A handler, unlike that, is not what children inherit.
      var before = sigaction()
      sigaction(number, nil, &before)
      if before.__sigaction_handler.sa_handler == nil { ring(at: number) }
    }
  }

  private static func ring(at number: Int32) {
    signal(number) { number in
      LastMoment.isUnderWay.store(true, ordering: .relaxed)
      var number = UInt8(truncatingIfNeeded: number)
      write(LastMoment.bell, &number, 1)
    }
  }
}
