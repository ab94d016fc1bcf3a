internal import Foundation

/// A small filesystem for the journal, that fills and is freed.
final class TortureDisk: Sendable {
  private let place: String
  private var filler: String { place + "/filler" }

  init(_ bytes: Int, at place: String) async throws {
    self.place = place
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try await Self.run("/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(bytes)", "tmpfs", place])
  }

  private static func run(_ tool: String, _ arguments: [String]) async throws {
    let process = try ChildProcess(tool, arguments, name: "mount", in: ScratchFolder())
    guard await process.waitUntilEnded() == .exited(0) else {
      throw Torture.Failure(
        description: "a filesystem cannot be mounted, which needs root: \(process.errors)")
    }
  }

  /// Takes all the room that there is.
  func fill() {
    guard FileManager.default.createFile(atPath: filler, contents: nil),
      let handle = FileHandle(forWritingAtPath: filler)
    else { return }
    defer { try? handle.close() }
    for size in [1 << 20, 1 << 16, 1 << 12] {
      let block = Data(repeating: 1, count: size)
      while (try? handle.write(contentsOf: block)) != nil {}
    }
  }

  /// Gives it back.
  func free() { try? FileManager.default.removeItem(atPath: filler) }

  func unmount() async throws { try await Self.run("/usr/bin/umount", [place]) }
}
