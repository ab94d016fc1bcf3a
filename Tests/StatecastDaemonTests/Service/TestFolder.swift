import Foundation
import Testing

@testable import StatecastDaemon

/// A test's own folder of short name (an ipc path has 107 bytes), gone with the test.
struct TestFolder: ~Copyable {
  let path: String

  init() throws {
    path = "/tmp/scd-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: file(name), atomically: false, encoding: .utf8)
  }

  func read(_ name: String) throws -> String {
    try String(contentsOfFile: file(name), encoding: .utf8)
  }
}

/// What a body throws, as a person reads it.
func failure(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "nothing"
  } catch {
    return "\(error)"
  }
}
