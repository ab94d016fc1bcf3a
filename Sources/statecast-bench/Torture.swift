import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import Synchronization

/// `make torture`: kill -9 of the daemon under four writing clients, again and again.
///
/// After each round every action has been resolved, so each client's counter must be exactly the
/// number of its acknowledged actions (none lost, none applied twice), and all mirrors must agree
/// by digest with what is fetched anew.
enum Torture {
  private static let writers = 4
  /// Actions that each client keeps open.
  private static let window = 8

  static func run(rounds: Int) async throws {
    let folder = try ScratchFolder()
    let executable = Products.path("statecastd")
    var daemon = try await DaemonProcess.start(executable, in: folder)
    var clients: [DaemonConnection] = []
    var mirrors: [MirrorProbe] = []
    for _ in 0..<writers {
      let client = try await daemon.connect()
      clients.append(client)
      mirrors.append(
        await MirrorProbe.of("workspace", parameters: .text("/torture"), on: client))
    }
    let zeros = (0..<writers).map { ("\($0)", Value.unsigned(0)) }
    _ = try await clients[0].perform(
      Workspace.load("torture", .map(Dictionary(uniqueKeysWithValues: zeros))))
    let tally = Tally(writers: writers)
    for round in 1...rounds {
      tally.begin(killAfter: Int.random(in: 1...600))
      daemon = try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, client) in clients.enumerated() {
          for _ in 0..<window {
            group.addTask { try await write(index, client, tally) }
          }
        }
        await tally.waitForKill()
        await daemon.process.kill()
        let restarted = try await DaemonProcess.start(executable, in: folder)
        tally.end()
        try await group.waitForAll()
        return restarted
      }
      try await check(round, clients[0], mirrors, tally)
      if round.isMultiple(of: 10) || round == rounds {
        print("\(round) rounds, \(tally.acknowledged.reduce(0, +)) actions, all exactly once")
      }
    }
    for client in clients { await client.close() }
    guard await daemon.process.terminate() == .exited(0) else {
      throw BenchFailure("the daemon did not end well:\n\(daemon.process.errors)")
    }
    print("\(rounds) rounds passed, 0 failed")
  }

  private static func write(
    _ index: Int, _ client: DaemonConnection, _ tally: Tally
  ) async throws {
    while !tally.isOver {
      let receipt = try await client.perform(Workspace.increment("/torture/\(index)"))
      tally.acknowledge(index, receipt.commit)
    }
  }

  private static func check(
    _ round: Int, _ client: DaemonConnection, _ mirrors: [MirrorProbe], _ tally: Tally
  ) async throws {
    let (value, _) = try await client.fetch("workspace", parameters: .text("/torture"))
    for (index, acknowledged) in tally.acknowledged.enumerated()
    where value["\(index)"]?.integer != acknowledged {
      throw BenchFailure(
        "round \(round): client \(index) has \(acknowledged) acknowledged actions, and the daemon "
          + "applied \(value["\(index)"]?.integer ?? -1)")
    }
    for mirror in mirrors {
      await mirror.wait(for: tally.lastCommit)
      await mirror.wait { $0.isFresh }
      let digest = await mirror.digest
      guard digest == value.digest else {
        throw BenchFailure("round \(round): a mirror has digest \(digest), not \(value.digest)")
      }
    }
  }
}

/// How many actions were acknowledged, and when the next kill is due.
private final class Tally: Sendable {
  private struct State {
    var acknowledged: [Int]
    var lastCommit = CommitNumber.zero
    var untilKill = 0
    var isOver = false
    var killer: CheckedContinuation<Void, Never>?
  }
  private let state: Mutex<State>

  init(writers: Int) {
    state = Mutex(State(acknowledged: Array(repeating: 0, count: writers)))
  }

  var acknowledged: [Int] { state.withLock(\.acknowledged) }
  var lastCommit: CommitNumber { state.withLock(\.lastCommit) }
  var isOver: Bool { state.withLock(\.isOver) }

  func begin(killAfter count: Int) {
    state.withLock {
      $0.untilKill = count
      $0.isOver = false
    }
  }

  func end() { state.withLock { $0.isOver = true } }

  func acknowledge(_ writer: Int, _ commit: CommitNumber) {
    let killer = state.withLock { state in
      state.acknowledged[writer] += 1
      state.lastCommit = max(state.lastCommit, commit)
      state.untilKill -= 1
      return state.untilKill <= 0 ? state.killer.take() : nil
    }
    killer?.resume()
  }

  func waitForKill() async {
    await withCheckedContinuation { continuation in
      let isDue = state.withLock { state in
        if state.untilKill > 0 { state.killer = continuation }
        return state.untilKill <= 0
      }
      if isDue { continuation.resume() }
    }
  }
}
