internal import Glibc

/// The one daemon of a folder: a lock on a file there, held for life.
///
/// A second bind of an ipc path would steal it silently, so the sockets themselves are no lock. The
/// kernel lets go of it when the process ends, however it ends; the file stays.
package final class InstanceLock: Sendable {
  /// The file.
  package let path: String
  private let descriptor: Int32

  /// How often the lock is tried while its file is being taken away under it.
  private static let attempts = 100

  /// Takes the lock, or says who holds it.
  package init(_ path: String) throws(HostFailure) {
    for _ in 0..<Self.attempts {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else {
        throw HostFailure(
          "the lock file \(path) cannot be opened: \(HostFailure.reason(errno))",
          advice: "Look at its folder's owner and rights, or name another folder with --folder.")
      }
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
        let code = errno
        defer { close(descriptor) }
        if code == EINTR { continue }
        guard code == EWOULDBLOCK else {
          throw HostFailure(
            "the lock file \(path) cannot be locked: \(HostFailure.reason(code))",
            advice: "Name a folder on a local disk with --folder.")
        }
        let pid = Self.holder(of: descriptor)
        let holder = pid.map { "process \($0)" } ?? "another process"
        // Without its sockets it can only be told by a signal.
        let kill = pid.map { " (`kill \($0)` if that finds none)" } ?? ""
        throw HostFailure(
          "a daemon runs here already: \(holder) holds \(path)",
          advice:
            "Use that one, stop it with `\(Self.stop(path))`\(kill), or name another --folder."
        )
      }
      // Somebody may have deleted the file between opening and locking: then this lock is nobody's.
      if FileIdentity(descriptor: descriptor) == FileIdentity(path: path) {
        let pid = Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        // Only for the message to others; the lock holds without it.
        _ = pwrite(descriptor, pid, pid.count, 0)
        self.path = path
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
    throw HostFailure(
      "the lock file \(path) is deleted again and again",
      advice: "Find out which program does that; it must leave the folder alone.")
  }

  /// How the daemon that holds this lock is stopped, whichever app's it is.
  private static func stop(_ path: String) -> String {
    path.hasSuffix("/lock")
      ? "statecast stop --folder \(path.dropLast("/lock".count))" : "statecast stop"
  }

  /// Lets go of the lock, before the end of the process would.
  package func release() {
    // Closing alone would not free it while a program that is just being started holds a copy.
    _ = flock(descriptor, LOCK_UN)
  }

  deinit {
    release()
    close(descriptor)
  }

  /// Whether the file is still the one that was locked. If it was deleted or replaced, another
  /// daemon could start beside this one.
  package var isIntact: Bool {
    FileIdentity(descriptor: descriptor) == FileIdentity(path: path)
  }

  private static func holder(of descriptor: Int32) -> Int32? {
    var text = [UInt8](repeating: 0, count: 32)
    let count = pread(descriptor, &text, text.count, 0)
    guard count > 0 else { return nil }
    return Int32(
      String(decoding: text[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}
