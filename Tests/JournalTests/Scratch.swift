import Glibc
import Testing

@testable import Journal

/// A folder of its own for one test, removed with it.
final class Scratch: Sendable {
  let path: String

  init() {
    // In memory where there is such a place: what is tested is what is written, not the disk.
    let memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? memory
    var template = Array("\(base)/statecast-journal-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? "/nonexistent"
  }

  deinit { Self.remove(path) }

  var journal: String { path + "/store" }
  var database: String { journal + "/journal.db" }
  var log: String { database + "-wal" }
  var mark: String { journal + "/journal.mark" }

  static func remove(_ path: String) {
    for name in names(in: path) { remove("\(path)/\(name)") }
    if unlink(path) != 0 { rmdir(path) }
  }

  static func names(in path: String) -> [String] { JournalFolder.names(in: path) }

  static func bytes(_ path: String) throws -> [UInt8] {
    let file = try JournalFile(path, .read)
    return try file.read(try file.size, at: 0)
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    unlink(path)
    try JournalFile(path, .create).write(bytes, at: 0)
  }

  /// Flips one bit.
  static func flip(_ path: String, at offset: Int) throws {
    let file = try JournalFile(path, .write)
    var byte = try file.read(1, at: offset)
    try #require(byte.count == 1)
    byte[0] ^= 0x10
    try file.write(byte, at: offset)
  }

  /// Copies the journal as a kill at this moment would leave it.
  func copyJournal(to other: Scratch) throws {
    mkdir(other.journal, 0o700)
    for name in Self.names(in: journal) where !name.hasSuffix("-shm") && name != "copies" {
      try JournalFile.copy("\(journal)/\(name)", to: "\(other.journal)/\(name)")
    }
  }
}
