internal import Glibc

/// The folder of the daemon's sockets: the user's own, and nobody else's to change.
///
/// In /tmp anybody could have made it before, to answer in the daemon's place: its owner is checked,
/// and that others cannot write there.
package enum SocketFolder {
  /// Makes it where it is missing, and refuses one that others own or may change.
  ///
  /// - Parameter isForOthers: whether other users are to reach the sockets in it.
  package static func prepare(_ path: String, isForOthers: Bool) throws(HostFailure) {
    try makeParents(of: path)
    let mode: mode_t = isForOthers ? 0o711 : 0o700
    if mkdir(path, mode) == 0 {
      // The umask may have taken more.
      chmod(path, mode)
    } else if errno != EEXIST {
      throw HostFailure(
        "the folder \(path) cannot be made: \(HostFailure.reason(errno))",
        advice: "Name another with --folder.")
    }
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw HostFailure(
        "the folder \(path) cannot be looked at: \(HostFailure.reason(errno))",
        advice: "Name another with --folder.")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw HostFailure(
        "\(path) is there and is no folder", advice: "Move it away, or name another with --folder.")
    }
    guard status.st_uid == geteuid() else {
      throw HostFailure(
        "the folder \(path) belongs to user \(status.st_uid), not to you (\(geteuid()))",
        advice: "Do not use it: name a folder of your own with --folder.")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw HostFailure(
        "others may write in the folder \(path), and could take the sockets' place",
        advice: "Take that right away: chmod go-w \(path)")
    }
    if isForOthers, status.st_mode & 0o001 == 0 {
      throw HostFailure(
        "users are allowed by --allowed-uids, and the folder \(path) lets nobody in",
        advice: "Let them through: chmod go+x \(path)")
    }
  }

  /// The folders above it, as `mkdir -p`.
  private static func makeParents(of path: String) throws(HostFailure) {
    var parent = ""
    for name in path.split(separator: "/").dropLast() {
      parent += "/\(name)"
      guard mkdir(parent, 0o700) != 0, errno != EEXIST, access(parent, F_OK) != 0 else { continue }
      throw HostFailure(
        "the folder \(parent) cannot be made: \(HostFailure.reason(errno))",
        advice: "Name another with --folder.")
    }
  }
}
