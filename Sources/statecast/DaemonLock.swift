import Foundation
import ZeroMQ

/// Which process is the daemon of a folder, whether it can be reached or not: the one that holds the
/// lock there.
enum DaemonLock {
  /// The process that holds the lock in `folder`; nil where none does.
  ///
  /// The kernel's list is read: whoever tried to take the lock would turn away a daemon that starts at
  /// that moment.
  static func holder(in folder: String) -> Int32? {
    var status = stat()
    guard stat(folder + "/lock", &status) == 0,
      let locks = try? String(contentsOfFile: "/proc/locks", encoding: .utf8)
    else { return nil }
    return holder(ofInode: UInt64(status.st_ino), locks: locks)
  }

  /// A line is `2: FLOCK  ADVISORY  WRITE 2106 fe:00:16220677 0 EOF`; who waits has `->` in it.
  static func holder(ofInode inode: UInt64, locks: String) -> Int32? {
    for line in locks.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] == "FLOCK", words[3] == "WRITE",
        let file = words[5].split(separator: ":").last, UInt64(file) == inode,
        let pid = Int32(words[4]), pid > 0
      else { continue }
      return pid
    }
    return nil
  }
}

extension Session {
  /// The folder of the daemon's lock; nil where it cannot be told.
  var lockFolder: String? {
    let requests = endpoints.requests
    guard requests.hasPrefix("ipc://") else { return folder }
    return (String(requests.dropFirst("ipc://".count)) as NSString).deletingLastPathComponent
  }

  /// Of a daemon that does not answer: which process it is, if it runs, and how it is ended.
  func explained(_ failure: ToolFailure) -> ToolFailure {
    guard failure.code == .unreachable, let folder = lockFolder,
      let pid = DaemonLock.holder(in: folder)
    else { return failure }
    var failure = failure
    failure.advice =
      endpoints.isThere
      ? "Its process is \(pid), and does not answer: look at its log; `kill \(pid)` ends it."
      : "A daemon runs there, process \(pid), and does not listen: while it reads a large journal it "
        + "will before long (its log says \"ready\"); if its sockets were removed, end it with "
        + "`kill \(pid)`, and start it again."
    return failure
  }
}
