internal import Glibc

/// How many descriptors the process may have. libzmq aborts the process when none is left for a
/// connection, so the soft limit is raised to the hard one, and too few are refused at the start.
package struct FileLimit: Equatable, Sendable {
  /// Fewer than this are not enough to serve with.
  package static let least = 1024

  /// Descriptors that the process may have.
  package var files: Int

  package init(files: Int) { self.files = files }

  /// Connections that one socket may have, the two together half of all descriptors: the rest is
  /// the journal's, the log's, and for those that come while others are being turned away.
  package var connectionsPerSocket: Int { files / 4 }

  /// Raises the soft limit to the hard one.
  package static func raise() throws(HostFailure) -> FileLimit {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      throw HostFailure(
        "the limit of open files cannot be read: \(HostFailure.reason(errno))",
        advice: "Report this: it never fails on Linux.")
    }
    limit.rlim_cur = limit.rlim_max
    // A hard limit above the kernel's (nr_open) is refused; then the old soft one holds.
    if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 {
      _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
    return try checked(files: Int(clamping: limit.rlim_cur))
  }

  /// Refuses too few.
  static func checked(files: Int) throws(HostFailure) -> FileLimit {
    guard files >= least else {
      throw HostFailure(
        "this process may open \(files) files, and a daemon needs \(least) for its connections",
        advice: "Raise the hard limit: `ulimit -Hn \(least)`, or LimitNOFILE=\(least) in its unit.")
    }
    return FileLimit(files: files)
  }
}
