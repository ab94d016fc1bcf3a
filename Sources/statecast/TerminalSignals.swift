import Glibc
import Synchronization

/// The signals that concern the terminal of an editor, as something that its thread polls and reads.
///
/// libedit can take them itself, but does so in handlers for the whole process: they run on whatever
/// thread the signal comes to, also while another one ends the editor, and use what that has freed.
/// Here a handler only writes the signal's number, and all that touches the editor is done by the
/// thread that edits.
struct TerminalSignals {
  /// What the signals mean to who edits.
  enum Signal: Equatable {
    /// SIGHUP: the terminal is gone, and with it whoever would type.
    case hungUp
    /// SIGWINCH.
    case resized
    /// SIGTSTP, Ctrl-Z: the shell wants its terminal for a while.
    case stop
    /// SIGCONT: it is the editor's again.
    case goesOn
  }

  private static let meanings: [(number: Int32, signal: Signal)] = [
    (SIGHUP, .hungUp), (SIGWINCH, .resized), (SIGTSTP, .stop), (SIGCONT, .goesOn),
  ]
  /// Where the handlers write, and where that is read; made by the first editor, and kept: a handler
  /// that has begun may come to its writing when the editor is gone, and by then a closed number could
  /// be another file's. One editor at a time a process.
  private static let bell = Atomic<Int32>(-1)
  private static let readable = Atomic<Int32>(-1)

  /// Readable when one came.
  let descriptor: Int32
  private var before: [(number: Int32, action: sigaction)] = []

  /// Nil where there are no descriptors left.
  init?() {
    if Self.bell.load(ordering: .relaxed) < 0 {
      var ends: [Int32] = [-1, -1]
      guard pipe(&ends) == 0 else { return nil }
      for end in ends {
        _ = fcntl(end, F_SETFD, FD_CLOEXEC)
        // A handler never waits; a thousand signals that nobody has read are as good as one.
        _ = fcntl(end, F_SETFL, O_NONBLOCK)
      }
      Self.readable.store(ends[0], ordering: .relaxed)
      Self.bell.store(ends[1], ordering: .relaxed)
    }
    descriptor = Self.readable.load(ordering: .relaxed)
    // What came for the last editor is not this one's.
    while next() != nil {}
    for (number, _) in Self.meanings {
      var action = sigaction()
      sigaction(number, nil, &action)
      // What `nohup` ignores stays ignored.
      if number == SIGHUP, Self.isIgnored(action) { continue }
      before.append((number, action))
      Self.ring(at: number)
    }
  }

  /// Gives the signals back to whom they belonged before. All but SIGHUP: a terminal that is gone is
  /// seen by reading it, too, and then the process is leaving already when the signal comes.
  func close() {
    signal(SIGHUP, SIG_IGN)
    for entry in before where entry.number != SIGHUP {
      var action = entry.action
      sigaction(entry.number, &action, nil)
    }
  }

  /// The next one that came; nil if none did.
  func next() -> Signal? {
    var number: UInt8 = 0
    guard read(descriptor, &number, 1) == 1 else { return nil }
    return Self.meanings.first { $0.number == Int32(number) }?.signal
  }

  /// Stops this process, as Ctrl-Z does without an editor; comes back when it goes on.
  func stopProcess() {
    signal(SIGTSTP, SIG_DFL)
    Self.stop(by: SIGTSTP)
    Self.ring(at: SIGTSTP)
  }

  /// Stops this process as long as the terminal is somebody else's, as reading it does without an
  /// editor: a shell that says `bg` would find it changed under its hands. False where nobody can
  /// give it back, since the shell is gone.
  func awaitForeground() -> Bool {
    while true {
      let owner = tcgetpgrp(STDIN_FILENO)
      if owner < 0 || owner == getpgrp() { return true }
      Self.stop(by: SIGTTIN)
      // Who was stopped goes on by a signal; a process without a shell is not stopped at all.
      var bell = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      while poll(&bell, 1, Self.longestBell) < 0, errno == EINTR {}
      if bell.revents == 0 { return false }
      while next() != nil {}
    }
  }

  /// How many milliseconds a signal may take to be heard.
  private static let longestBell: Int32 = 1_000

  /// To this thread: any other would perhaps stop it too late. It holds signals back, since a thread of
  /// Dispatch has made it.
  private static func stop(by number: Int32) {
    var stop = sigset_t()
    var before = sigset_t()
    sigemptyset(&stop)
    sigaddset(&stop, number)
    pthread_sigmask(SIG_UNBLOCK, &stop, &before)
    raise(number)
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func ring(at number: Int32) {
    signal(number) { number in
      let code = errno
      var number = UInt8(truncatingIfNeeded: number)
      _ = write(TerminalSignals.bell.load(ordering: .relaxed), &number, 1)
      errno = code
    }
  }
}
