internal import StateModel
internal import StatecastClient
internal import SyncProtocol

/// kill -9 of the daemon under four writing clients, again and again: what `make torture` and the
/// integration tests run.
///
/// After each round every action has been resolved, so each client's counter must be exactly the
/// number of its acknowledged actions (none lost, none applied twice), and all mirrors must agree
/// by digest with what is fetched anew.
package struct Torture {
  private static let writers = 4
  /// Actions that each client keeps open.
  private static let window = 8
  /// Acknowledged actions before a kill, at most.
  private static let longestRound = 600

  /// What did not hold.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  private let executable: String
  private let report: (String) -> Void
  private var daemon: DaemonProcess
  private let folder: ScratchFolder
  private var clients: [DaemonConnection] = []
  private var mirrors: [MirrorProbe] = []
  private let tally = TortureTally(writers: writers)
  private var generator: any RandomNumberGenerator

  /// Runs so many rounds; what it did is reported every ten of them.
  package static func run(
    _ executable: String, rounds: Int,
    generator: any RandomNumberGenerator = SystemRandomNumberGenerator(),
    report: @escaping (String) -> Void
  ) async throws {
    var torture = try await Torture(executable, generator, report)
    for round in 1...rounds { try await torture.play(round, of: rounds) }
    try await torture.end()
    report("\(rounds) rounds passed, 0 failed")
  }

  private init(
    _ executable: String, _ generator: any RandomNumberGenerator,
    _ report: @escaping (String) -> Void
  ) async throws {
    self.executable = executable
    self.generator = generator
    self.report = report
    folder = try ScratchFolder()
    daemon = try await DaemonProcess.start(executable, in: folder)
    for _ in 0..<Self.writers {
      let client = try await daemon.connect()
      clients.append(client)
      mirrors.append(
        await MirrorProbe.of("workspace", parameters: .text("/torture"), on: client))
    }
    let zeros = (0..<Self.writers).map { ("\($0)", Value.unsigned(0)) }
    _ = try await clients[0].perform(
      WorkspaceEntry.load("torture", .map(Dictionary(uniqueKeysWithValues: zeros))))
  }

  private mutating func play(_ round: Int, of rounds: Int) async throws {
    tally.begin(killAfter: Int.random(in: 1...Self.longestRound, using: &generator))
    let (daemon, executable, folder, tally) = (daemon, executable, folder, tally)
    let clients = clients
    self.daemon = try await withThrowingTaskGroup(of: Void.self) { group in
      // Whatever fails, the others are to end.
      defer { tally.end() }
      for (index, client) in clients.enumerated() {
        for _ in 0..<Self.window {
          group.addTask { try await Self.write(index, client, tally) }
        }
      }
      await tally.waitForKill()
      await daemon.process.kill()
      let restarted = try await DaemonProcess.start(executable, in: folder)
      tally.end()
      try await group.waitForAll()
      return restarted
    }
    try await check(round)
    if round.isMultiple(of: 10) || round == rounds {
      let actions = tally.acknowledged.reduce(0, +)
      report("\(round) rounds, \(actions) actions, all exactly once")
    }
  }

  private static func write(
    _ index: Int, _ client: DaemonConnection, _ tally: TortureTally
  ) async throws {
    // One that fails ends the round for all.
    defer { tally.end() }
    while !tally.isOver {
      let receipt = try await client.perform(WorkspaceEntry.increment("/torture/\(index)"))
      tally.acknowledge(index, receipt.commit)
    }
  }

  private func check(_ round: Int) async throws {
    let (value, _) = try await clients[0].fetch("workspace", parameters: .text("/torture"))
    for (index, acknowledged) in tally.acknowledged.enumerated()
    where value["\(index)"]?.integer != acknowledged {
      throw Failure(
        description: "round \(round): client \(index) has \(acknowledged) acknowledged actions, "
          + "and the daemon applied \(value["\(index)"]?.integer ?? -1)")
    }
    for mirror in mirrors {
      try await mirror.wait(for: tally.lastCommit)
      try await mirror.wait { $0.isFresh }
      let digest = await mirror.digest
      guard digest == value.digest else {
        throw Failure(
          description: "round \(round): a mirror has digest \(digest), not \(value.digest)")
      }
    }
  }

  private func end() async throws {
    for client in clients { await client.close() }
    guard await daemon.process.terminate() == .exited(0) else {
      throw Failure(description: "the daemon did not end well:\n\(daemon.process.errors)")
    }
  }
}
