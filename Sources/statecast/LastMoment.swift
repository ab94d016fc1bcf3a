import Foundation
import Glibc
import Synchronization

/// What this process has to do when it is told to end: end what a demonstration has started, since
/// nobody would know of the daemon that it leaves behind; say goodbye, since who is listed, or offers
/// something, would stay so for seconds; give a terminal back as it was.
///
/// The handler only rings; a thread does what a handler must not do, and lets the signal have its
/// usual effect.
enum LastMoment {
  /// SIGHUP, too: the terminal of a `make run | less` is closed.
  private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private nonisolated(unsafe) static var bell: Int32 = -1
  private static let isUnderWay = Atomic(false)
  private static let duties = Mutex<[@Sendable () -> Void]>([])

  /// Waits for the end, if this process was told to end: what fails from then on is no failure.
  static func waitIfUnderWay() {
    while isUnderWay.load(ordering: .relaxed) { pause() }
  }

  /// Calls `cleanUp` before one of the signals ends this process; as with `defer`, what was prepared
  /// last is done first.
  static func prepare(_ cleanUp: @escaping @Sendable () -> Void) {
    let isFirst = duties.withLock { duties in
      duties.append(cleanUp)
      return duties.count == 1
    }
    if isFirst { listen() }
  }

  private static func listen() {
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
      for duty in duties.withLock({ $0 }).reversed() { duty() }
      signal(Int32(number), SIG_DFL)
      kill(getpid(), Int32(number))
    }
    for number in signals {
      // What `nohup` ignores stays ignored. A handler, unlike that, is not what children inherit.
      var before = sigaction()
      sigaction(number, nil, &before)
      if isForUs(number, before) { ring(at: number) }
    }
  }

  /// Whether nobody has ignored it. Swift's runtime has a handler of its own for SIGQUIT at a terminal,
  /// which writes a backtrace and asks questions.
  private static func isForUs(_ number: Int32, _ before: sigaction) -> Bool {
    before.__sigaction_handler.sa_handler == nil
      || number == SIGQUIT && unsafeBitCast(before.__sigaction_handler, to: Int.self) != 1
  }

  private static func ring(at number: Int32) {
    signal(number) { number in
      let code = errno
      LastMoment.isUnderWay.store(true, ordering: .relaxed)
      var number = UInt8(truncatingIfNeeded: number)
      write(LastMoment.bell, &number, 1)
      errno = code
    }
  }
}
