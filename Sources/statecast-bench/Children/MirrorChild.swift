import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import ZeroMQ

/// A mirror of the whole workspace in a process of its own, which has joined: once it sees the
/// document `end`, which is loaded last, it writes down what it holds.
struct MirrorChild {
  let process: Child
  private let number: Int
  var name: String { "mirror \(number)" }
  private let folder: ScratchFolder

  init(_ number: Int, in folder: ScratchFolder) throws {
    self.number = number
    self.folder = folder
    process = try Child(["mirror-client", folder.path, "\(number)"])
    try process.words(after: "joined")
  }

  /// How it ended.
  struct End {
    /// When it saw the last document, on the machine's monotonic clock.
    var at: Int64
    /// How often it had to resynchronise.
    var resyncs: Int
    var bytes: [UInt8]
    var digest: Digest
  }

  /// Waits until it has seen the last document, and compares what it holds.
  func finish(_ whole: Value) throws -> End {
    let words = try process.words(after: "saw")
    let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("mirror-\(number).cbor")))
    guard words.count == 3, let at = Int64(words[0]), let digest = UInt64(words[1], radix: 16),
      let resyncs = Int(words[2])
    else { throw BenchFailure("mirror \(number) said \(words)") }
    let end = End(
      at: at, resyncs: resyncs, bytes: Array(data), digest: Digest(rawValue: digest))
    try DemoData.compare("mirror \(number)", end.bytes, end.digest, with: whole)
    return end
  }

  /// The child's side.
  static func run(folder: String, number: String) async throws {
    let connection = try await DaemonConnection(
      DaemonConnection.Options(endpoints: DaemonEndpoints(folder: folder)))
    let mirror = await MirrorProbe.of("workspace", parameters: .text(""), on: connection)
    try await mirror.wait { $0.updates > 0 }
    Parent.tell("joined")
    try await mirror.wait { $0.value["end"] != nil && $0.isFresh }
    let at = EventLoop.monotonicNow()
    let value = await mirror.value
    try Data(value.encoded()).write(to: URL(fileURLWithPath: "\(folder)/mirror-\(number).cbor"))
    Parent.tell("saw \(at) \(await mirror.digest) \(await mirror.resyncs)")
    exit(0)
  }
}
