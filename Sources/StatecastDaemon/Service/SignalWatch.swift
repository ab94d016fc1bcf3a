internal import CSystemd
internal import Glibc

/// The signals that a service gets, as something that can be watched and read: no code ever runs in
/// a handler.
///
/// Made first of all, by the thread that starts the others: they inherit that the signals wait here.
/// SIGPIPE is ignored; writing tells.
package struct SignalWatch: ~Copyable {
  /// What the signals mean.
  package enum Signal: Equatable, Sendable {
    /// SIGTERM or SIGINT: finish and end.
    case stop
    /// SIGHUP: open the log anew.
    case reopen
  }

  /// Readable when one came.
  package let descriptor: Int32

  package init() throws(HostFailure) {
    descriptor = csystemd_open_signals()
    guard descriptor >= 0 else {
      throw HostFailure(
        "signals cannot be received: \(HostFailure.reason(errno))",
        advice: "Raise the limit of open files.")
    }
  }

  /// Lets the signals wait from now on, on this thread and those that it starts.
  package static func holdBack() { _ = csystemd_hold_back_signals() }

  deinit { close(descriptor) }

  /// The next one that came; nil if none did.
  package func next() -> Signal? {
    switch csystemd_next_signal(descriptor) {
    case SIGTERM, SIGINT: .stop
    case SIGHUP: .reopen
    default: nil
    }
  }
}
