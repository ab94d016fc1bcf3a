import Foundation
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import ZeroMQ

/// A mirror of the whole workspace in a process of its own: once it sees the document `end`, which
/// is loaded last, it writes down what it holds.
struct MirrorChild {
  let process: ChildProcess
  private let number: Int
  private let folder: ScratchFolder

  init(_ number: Int, in folder: ScratchFolder) throws {
    self.number = number
    self.folder = folder
    process = try ChildProcess(
      Products.path("statecast-bench"), ["mirror-child", folder.path, "\(number)"],
      name: "mirror-\(number)", in: folder)
  }

  /// Waits for its end, and compares; gives how often it had to resynchronise.
  func finish(_ whole: Value) async throws -> Int {
    guard await process.waitUntilEnded() == .exited(0) else {
      throw BenchFailure("mirror \(number) ended with \(process.ending as Any): \(process.errors)")
    }
    let data = try Data(contentsOf: URL(fileURLWithPath: folder.file("mirror-\(number).cbor")))
    let words = process.output.split(whereSeparator: \.isWhitespace)
    guard words.count == 2, let digest = UInt64(words[0], radix: 16),
      let resyncs = Int(words[1])
    else { throw BenchFailure("mirror \(number) said \(process.output)") }
    try DemoData.compare(
      "mirror \(number)", Array(data), Digest(rawValue: digest), with: whole)
    return resyncs
  }

  /// The child's side.
  static func run(folder: String, number: String) async throws {
    let connection = try await DaemonConnection(
      DaemonConnection.Options(endpoints: DaemonEndpoints(folder: folder)))
    let mirror = await MirrorProbe.of("workspace", parameters: .text(""), on: connection)
    try await mirror.wait { $0.value["end"] != nil && $0.isFresh }
    let value = await mirror.value
    try Data(value.encoded()).write(to: URL(fileURLWithPath: "\(folder)/mirror-\(number).cbor"))
    print(await mirror.digest, await mirror.resyncs)
    exit(0)
  }
}
