import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import ZeroMQ

/// The slow joiner's loop: a client starts, one action is sent at a random moment while it joins,
/// then nothing more: it must become exact without another action.
struct JoinersCase {
  let options: BenchOptions

  /// Within which the action is sent.
  private static let window: ClosedRange<Int64> = 0...50_000_000
  /// How long it may take until the newcomer is exact.
  private static let patience = Duration.seconds(10)

  func run() async throws -> [BenchCase] {
    let folder = try BenchFolder()
    let server = try Contender.ours.serve(in: folder, durable: false)
    defer { server.stop() }
    let connection = DaemonConnection.Options(endpoints: DaemonEndpoints(folder: folder.path))
    let acting = try await DaemonConnection(connection)
    var late = 0
    var longest = Duration.zero
    for round in 0..<options.rounds {
      async let receipt = act(round, by: acting)
      let newcomer = try await DaemonConnection(connection)
      let mirror = await MirrorProbe.of("bench", on: newcomer)
      let (commit, acted) = try await receipt
      let isThere = await wait(for: commit, in: mirror)
      longest = max(longest, ContinuousClock.now - acted)
      let digest = await mirror.digest
      if !isThere || digest != Bench.State.after(round + 1).digest { late += 1 }
      await mirror.end()
      await newcomer.close()
    }
    await acting.close()
    let name = "\(options.rounds) clients start while an action is sent"
    return [
      BenchCase(
        name: "\(name), not exact", value: Double(late), unit: "clients", bound: .atMost(0)),
      BenchCase(
        name: "\(name), longest until exact", value: longest / .milliseconds(1), unit: "ms",
        bound: .none),
    ]
  }

  /// Sends an action at a random moment: its commit, and when it was known.
  private func act(
    _ number: Int, by client: DaemonConnection
  ) async throws -> (CommitNumber, ContinuousClock.Instant) {
    try await Task.sleep(for: .nanoseconds(Int64.random(in: Self.window)))
    let entry = Entry(.perform(action: Bench.Action.number(number).encoded()))
    return (try await client.perform(entry).commit, .now)
  }

  private func wait(for commit: CommitNumber, in mirror: MirrorProbe) async -> Bool {
    await withTaskGroup(of: Bool.self) { group in
      group.addTask { (try? await mirror.wait(for: commit)) != nil }
      group.addTask {
        try? await Task.sleep(for: Self.patience)
        return false
      }
      defer { group.cancelAll() }
      return await group.next() ?? false
    }
  }
}
