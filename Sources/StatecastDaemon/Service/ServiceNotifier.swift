internal import CSystemd
internal import Glibc

/// Tells whoever started the daemon how far it is: systemd, or the reader of a ready line.
package struct ServiceNotifier: Sendable {
  /// Whether a service manager listens.
  package let isManaged: Bool
  /// How often it wants to hear that the daemon lives; nil: never.
  package let watchdog: Duration?
  private let readyDescriptor: Int32

  /// - Parameter readyDescriptor: where the ready line goes if no service manager listens.
  package init(environment: [String: String], readyDescriptor: Int32) {
    isManaged = environment["NOTIFY_SOCKET"]?.isEmpty == false
    self.readyDescriptor = readyDescriptor
    var microseconds: UInt64 = 0
    let isWatched = sd_watchdog_enabled(0, &microseconds) > 0
    // Twice in the time that is allowed, as sd_watchdog_enabled(3) recommends.
    watchdog = isWatched ? .microseconds(Int64(clamping: microseconds / 2)) : nil
  }

  /// Refuses a descriptor that is not open: the first file that is opened would get its number, and
  /// the ready line. Call it before anything is opened.
  static func checkReadyDescriptor(_ descriptor: Int) throws(HostFailure) {
    guard fcntl(Int32(clamping: descriptor), F_GETFD) == -1 else { return }
    throw HostFailure(
      "descriptor \(descriptor), which the ready line is to be written to, is not open",
      advice: "Open it for the daemon (`\(descriptor)>FILE` in a shell), or leave out "
        + "--ready-descriptor.")
  }

  /// Requests are taken from now on: after the recovery, with the sockets bound.
  package func ready(_ status: String) {
    if isManaged {
      send("READY=1\nSTATUS=\(Self.oneLine(status))\nMAINPID=\(getpid())")
    } else {
      let line = Array("ready: \(Self.oneLine(status))\n".utf8)
      // Where nobody reads it any more there is nobody to tell.
      _ = write(readyDescriptor, line, line.count)
    }
  }

  /// No more requests are taken.
  package func stopping() { send("STOPPING=1") }

  /// A start or a stop takes longer: the manager is to wait this long from now.
  package func extendTimeout(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    send("EXTEND_TIMEOUT_USEC=\(seconds * 1_000_000 + attoseconds / 1_000_000_000_000)")
  }

  /// The daemon lives. Sent from its loop, so that one that hangs is silent.
  package func alive() { send("WATCHDOG=1") }

  /// What it is doing, for `systemctl status`.
  package func status(_ text: String) { send("STATUS=\(Self.oneLine(text))") }

  private func send(_ state: String) {
    if isManaged { sd_notify(0, state) }
  }

  /// A line more would be another field.
  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
