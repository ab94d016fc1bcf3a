internal import Foundation

/// A folder of one test's own, short enough for sockets, removed with its last reference.
public final class ScratchFolder: Sendable {
  /// Its path.
  public let path: String

  /// Makes the folder. Under /tmp, whatever TMPDIR says: a socket's path has at most 107 bytes.
  public init() throws {
    let name = "/tmp/statecast-\(UInt32.random(in: .min ... .max).hexadecimal)"
    try FileManager.default.createDirectory(
      atPath: name, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    path = name
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// A path in the folder.
  public func file(_ name: String) -> String { "\(path)/\(name)" }
}

extension UInt32 {
  fileprivate var hexadecimal: String { String(self, radix: 16) }
}
