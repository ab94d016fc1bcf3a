import Foundation
import JSONText
import Journal
import Showcase
import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol

/// `make demo-data`: real documents and a real editing session go through a daemon that is killed
/// half-way, to three mirrors of which one is killed half-way; in the end all hold, byte for byte,
/// what they should.
enum DemoData {
  static func run() async throws {
    let documents = try isoCodes()
    let trace = try EditingTrace.load()
    let folder = try ScratchFolder()
    let executable = Products.path("statecastd")
    var daemon = try await DaemonProcess.start(executable, in: folder)
    let client = try await daemon.connect()
    let clock = ContinuousClock()

    var mirrors = try (1...3).map { try MirrorChild($0, in: folder) }
    let loads = try documents.flatMap { name, document in
      try Showcase.Workspace.Action.loading(document, as: name).map {
        WorkspaceEntry.entry(Value(of: $0))
      }
    }
    let loading = try await clock.measure {
      for load in loads + [WorkspaceEntry.load("trace", .text(trace.start))] {
        _ = try await client.perform(load)
      }
    }
    print("loaded \(documents.count) documents in \(loads.count) actions, \(loading)")

    var published = UInt64(0)
    let half = trace.edits.count / 2
    var elapsed = try await clock.measure { try await replay(trace.edits[..<half], on: client) }
    published += try await publishedBytes(client)
    print("half of the edits are in: kill -9 of a mirror and of the daemon")
    mirrors[0].process.end(SIGKILL)
    await daemon.process.kill()
    daemon = try await DaemonProcess.start(executable, in: folder)
    mirrors[0] = try MirrorChild(4, in: folder)
    elapsed += try await clock.measure { try await replay(trace.edits[half...], on: client) }
    published += try await publishedBytes(client)
    _ = try await client.perform(WorkspaceEntry.load("end", .bool(true)))

    var expected = documents
    expected["trace"] = .text(trace.end)
    expected["end"] = .bool(true)
    let whole = Value.map(expected)
    let (value, _) = try await client.fetch("workspace", parameters: .text(""))
    for (name, document) in expected where value[name]?.isIdentical(to: document) != true {
      let found = value[name]
      print(
        "  \(name) differs: \(found?.encoded().count ?? 0) bytes for \(document.encoded().count)")
    }
    try compare("the daemon", value.encoded(), value.digest, with: whole)
    say("the daemon", value.encoded(), value.digest)
    var resyncs = 0
    for mirror in mirrors {
      let end = try mirror.finish(whole)
      say(mirror.name, end.bytes, end.digest)
      resyncs += end.resyncs
    }
    await client.close()
    await daemon.process.terminate()
    try compare("the journal", with: whole, in: folder)

    let actions = trace.edits.count
    print("\(actions) edits, each an action: \(Int(Double(actions) / seconds(elapsed))) a second")
    print("\(published / UInt64(actions)) bytes published an action, \(resyncs) resyncs")
    print("daemon, journal and 3 mirrors hold the same, digest \(whole.digest)")
  }

  private static func seconds(_ duration: Duration) -> Double { duration / .seconds(1) }

  static func compare(
    _ who: String, _ bytes: [UInt8], _ digest: Digest, with whole: Value
  ) throws {
    guard digest == whole.digest, bytes == whole.encoded() else {
      throw BenchFailure(
        "\(who) holds \(bytes.count) bytes with digest \(digest), expected "
          + "\(whole.encoded().count) bytes with digest \(whole.digest)")
    }
  }

  private static func say(_ who: String, _ bytes: [UInt8], _ digest: Digest) {
    print("\(who): \(bytes.count) bytes, digest \(digest), as expected")
  }

  private static func compare(
    _ who: String, with whole: Value, in folder: ScratchFolder
  ) throws {
    var generator = SystemRandomNumberGenerator()
    let (journal, recovery) = try SQLiteJournal.open(folder.file("state"), using: &generator)
    journal.close()
    guard let documents = recovery.state?["workspace"]?["documents"] else {
      throw BenchFailure("the journal holds no workspace")
    }
    try compare(who, documents.encoded(), documents.digest, with: whole)
    say(who, documents.encoded(), documents.digest)
  }

  private static func publishedBytes(_ client: DaemonConnection) async throws -> UInt64 {
    guard case .value(let figures) = try await client.ask(.stats).body,
      let bytes = figures["published-bytes"]?.integer
    else { throw BenchFailure("the daemon tells no figures") }
    return UInt64(bytes)
  }

  /// Sends the edits in order, 64 open at a time.
  static func replay(
    _ edits: ArraySlice<EditingTrace.Edit>, on client: DaemonConnection
  ) async throws {
    let replay = OrderedSender(client.engine, window: 64)
    for edit in edits {
      try await replay.send(
        WorkspaceEntry.edit(
          "/trace", offset: edit.position, removed: edit.removed, inserted: edit.inserted))
    }
    try await replay.finish()
  }

  /// Debian's iso-codes, by file name.
  private static func isoCodes() throws -> [String: Value] {
    let folder = "/usr/share/iso-codes/json"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0.hasSuffix(".json") && !$0.hasPrefix("schema") }
    guard files.contains("iso_639-3.json") else {
      throw BenchFailure("\(folder) has no iso_639-3.json; install Debian's iso-codes")
    }
    var documents: [String: Value] = [:]
    for file in files.sorted() {
      let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(file)"))
      documents[String(file.dropLast(5))] = try JSONText.parse(Array(data))
    }
    return documents
  }
}
