internal import Glibc

extension ConfigurationFile {
  /// No configuration is longer: what is, was named by mistake.
  private static let longest = 1 << 20

  /// How long a pipe may stay silent.
  private static let patience = Duration.seconds(5)

  /// A file's bytes, or what comes through a pipe (`--config <(…)`): one that nobody writes to must not
  /// hold up the start for ever.
  static func read(_ path: String) -> Result<[UInt8], ConfigurationLoader.FileFailure> {
    read(path, patience: patience)
  }

  static func read(
    _ path: String, patience: Duration
  ) -> Result<[UInt8], ConfigurationLoader.FileFailure> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return .failure(failure(errno)) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      // A plain file is always ready.
      var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&item, 1, Int32(patience / .milliseconds(1)))
      if ready < 0, errno == EINTR { continue }
      guard ready != 0 else {
        return .failure(
          ConfigurationLoader.FileFailure(
            isMissing: false, text: "nobody writes to it: it is a pipe"))
      }
      let count = Glibc.read(descriptor, &piece, piece.count)
      if count < 0, errno == EAGAIN { continue }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return .failure(failure(errno)) }
      if count == 0 { return .success(bytes) }
      bytes += piece[..<count]
      guard bytes.count <= longest else {
        return .failure(
          ConfigurationLoader.FileFailure(
            isMissing: false, text: "longer than 1 MiB: no configuration file"))
      }
    }
  }

  private static func failure(_ code: Int32) -> ConfigurationLoader.FileFailure {
    ConfigurationLoader.FileFailure(
      isMissing: code == ENOENT || code == ENOTDIR, text: HostFailure.reason(code))
  }
}
