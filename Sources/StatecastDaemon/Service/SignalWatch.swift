internal import CSystemd
internal import Glibc

/// The signals that a service gets, as something that can be watched and read: in the handler
/// itself nothing runs but a write to a pipe.
///
/// One for the life of the process. SIGPIPE is ignored; writing tells.
package final class SignalWatch: Sendable {
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

  /// The next one that came; nil if none did.
  package func next() -> Signal? {
    switch csystemd_next_signal(descriptor) {
    case SIGTERM, SIGINT: .stop
    case SIGHUP: .reopen
    default: nil
    }
  }
}
