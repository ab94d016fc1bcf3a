internal import CProcesses
internal import Glibc

/// A process that this one did not start, to be waited for.
package final class OtherProcess: Sendable {
  private let descriptor: Int32

  /// Nil where there is no process with that number (any more).
  package init?(_ pid: Int32) {
    descriptor = cprocesses_watch(pid)
    if descriptor < 0 { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Waits for its end, and says whether it has come within `limit`.
  package func ends(within limit: Duration) -> Bool {
    let (seconds, attoseconds) = limit.components
    let milliseconds = Int32(clamping: seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000)
    return cprocesses_wait_watched(descriptor, milliseconds) == 1
  }
}
