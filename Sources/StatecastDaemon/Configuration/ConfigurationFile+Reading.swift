internal import Glibc

extension ConfigurationFile {
  /// No configuration is longer: what is, was named by mistake.
  private static let longest = 1 << 20

  /// A file's bytes.
  static func read(_ path: String) -> Result<[UInt8], ConfigurationLoader.FileFailure> {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return .failure(failure(errno)) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
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
