import Foundation
import Synchronization

/// Sockets and files of one server, removed with the last reference. On a real disk: an fdatasync
/// must mean something.
final class BenchFolder {
  let path: String

  private static let made = Atomic(0)

  init() throws {
    let number = Self.made.add(1, ordering: .relaxed).newValue
    path = "/var/tmp/statecast-bench-\(getpid())-\(number)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
