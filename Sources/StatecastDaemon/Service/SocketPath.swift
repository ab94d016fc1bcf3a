internal import CSystemd
internal import Glibc

/// The file of an ipc endpoint, kept as libzmq does not keep it: libzmq deletes whatever is in a
/// path's place when it binds, and leaves its own file behind.
package struct SocketPath: Sendable {
  /// The path.
  package let path: String
  /// The file that was bound.
  private var bound: FileIdentity?

  /// What the system takes for a socket's path, without the zero at its end.
  package static let longest = 107

  /// From an `ipc://` endpoint; nil for another transport.
  package init?(endpoint: String) {
    guard endpoint.hasPrefix("ipc://") else { return nil }
    path = String(endpoint.dropFirst("ipc://".count))
  }

  /// Makes the path free to bind: takes away the socket of a daemon that is gone, and nothing else.
  /// Call it with the instance's lock held.
  package func prepare() throws(HostFailure) {
    let length = path.utf8.count
    guard path.hasPrefix("/"), length <= Self.longest else {
      throw HostFailure(
        path.hasPrefix("/")
          ? "the socket's path \(path) has \(length) bytes; \(Self.longest) are the most"
          : "the socket's path \(path) does not begin with /",
        advice: "Name another with --folder, --requests or --publications.")
    }
    var status = stat()
    guard lstat(path, &status) == 0 else {
      let code = errno
      if code == ENOENT { return }
      throw HostFailure(
        "the socket's path \(path) cannot be looked at: \(HostFailure.reason(code))",
        advice: "Look at its folder, or name another with --folder.")
    }
    guard status.st_mode & S_IFMT == S_IFSOCK else {
      throw HostFailure(
        "\(path) is there and is no socket; it is left alone",
        advice: "Move it away, or name another folder with --folder.")
    }
    switch csystemd_probe(path) {
    case 0, EAGAIN:
      throw HostFailure(
        "a program listens on \(path) already",
        advice: "Stop it, or name another folder with --folder.")
    case ECONNREFUSED:
      guard unlink(path) == 0 || errno == ENOENT else {
        throw HostFailure(
          "the old socket \(path) cannot be taken away: \(HostFailure.reason(errno))",
          advice: "Delete it, or name another folder with --folder.")
      }
    case ENOENT: break
    case let code:
      throw HostFailure(
        "whether a program listens on \(path) cannot be told: \(HostFailure.reason(code))",
        advice: "Look at its owner and rights, or name another folder with --folder.")
    }
  }

  /// Remembers the file that was just bound, and lets other users connect if they are to: then the
  /// filter of users says who.
  package mutating func didBind(isForOthers: Bool) {
    bound = FileIdentity(path: path)
    chmod(path, isForOthers ? 0o666 : 0o600)
  }

  /// What happened to the path since: nil while new clients still get here.
  package var alarm: String? {
    guard let bound else { return nil }
    switch FileIdentity(path: path) {
    case bound: return nil
    case nil:
      return "the socket \(path) was deleted: clients that are attached stay, new ones cannot come."
        + " Restart the daemon."
    default:
      return "the socket \(path) was replaced: new clients get to another program."
        + " Find out which, and restart the daemon."
    }
  }

  /// Takes the file away at the end, if it is still the one that was bound.
  package func remove() {
    if let bound, FileIdentity(path: path) == bound { unlink(path) }
  }
}

extension SocketPath {
  /// The folder that it is in.
  package var folder: String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }
}
