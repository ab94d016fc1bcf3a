import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import ZeroMQ

/// A real editing session, key by key, through a durable daemon to three mirrors.
struct TraceCase {
  func run() async throws -> [BenchCase] {
    let trace = try EditingTrace.load()
    let folder = try ScratchFolder()
    let daemon = try await DaemonProcess.start("statecastd", in: folder)
    let client = try await daemon.connect()
    _ = try await client.perform(WorkspaceEntry.load("trace", .text(trace.start)))
    let mirrors = try (1...3).map { try MirrorChild($0, in: folder) }
    let start = EventLoop.monotonicNow()
    try await DemoData.replay(trace.edits[...], on: client)
    _ = try await client.perform(WorkspaceEntry.load("end", .bool(true)))
    let whole = Value.map(["trace": .text(trace.end), "end": .bool(true)])
    var last: Int64 = 0
    for mirror in mirrors { last = max(last, try mirror.finish(whole).at) }
    let (value, _) = try await client.fetch("workspace", parameters: .text(""))
    guard value.isIdentical(to: whole) else { throw BenchFailure("the daemon's text is another") }
    await client.close()
    await daemon.stop()
    return [
      BenchCase(
        name: "editing trace of \(trace.edits.count) edits, window 64, durable, 3 mirrors",
        value: Double(last - start) / 1e9, unit: "s", bound: .atMost(3))
    ]
  }
}
