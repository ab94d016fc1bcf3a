internal import Foundation
internal import StateModel
internal import StatecastClient
internal import SyncProtocol

/// kill -9 of the daemon under writing clients, again and again, with whatever else goes wrong in
/// the field: what `make torture` and the integration tests run.
///
/// Of four clients two have links that lose, double and delay messages and are cut; a fifth is a
/// process that is killed in every round; in one round of ten the daemon or that process is stopped
/// for a while. After each round every action has been resolved, so each client's counter must be
/// exactly the number of its acknowledged actions (none lost, none applied twice), and all mirrors
/// must agree by digest with what is fetched anew.
package struct Torture {
  private static let writers = 4
  /// Actions that each client keeps open.
  private static let window = 8
  /// Acknowledged actions before a kill, at most.
  private static let longestRound = 600
  /// A round that takes longer hangs.
  private static let patience = Duration.seconds(240)

  /// What did not hold.
  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  /// How often what happened.
  private struct Counts {
    var clients = 0
    var clientActions = 0
    var stops = 0
    var cuts = 0
    var fills = 0
  }

  private let executable: String
  private let options: TortureOptions
  private let report: (String) -> Void
  private var daemon: DaemonProcess
  private let folder: ScratchFolder
  private var disk: TortureDisk?
  private var proxies: [FaultProxy] = []
  private var clients: [DaemonConnection] = []
  private var mirrors: [MirrorProbe] = []
  private let tally = TortureTally(writers: writers)
  private var generator: SeededGenerator
  private var counts = Counts()

  /// Runs so many rounds; what it did is reported every ten of them.
  package static func run(
    _ executable: String, _ options: TortureOptions, report: @escaping (String) -> Void
  ) async throws {
    var torture = try await Torture(executable, options, report)
    do {
      for round in 1...options.rounds { try await torture.play(round) }
      try await torture.end()
    } catch {
      try? await torture.disk?.unmount()
      throw Failure(description: "\(error) (seed \(options.seed))")
    }
    report("\(options.rounds) rounds passed, 0 failed")
  }

  private init(
    _ executable: String, _ options: TortureOptions, _ report: @escaping (String) -> Void
  ) async throws {
    self.executable = executable
    self.options = options
    self.report = report
    generator = SeededGenerator(seed: options.seed)
    folder = try ScratchFolder()
    if let bytes = options.diskBytes {
      disk = try await TortureDisk(bytes, at: folder.file("state"))
    }
    daemon = try await DaemonProcess.start(
      executable, in: folder, arguments: options.daemonArguments)
    for index in 0..<Self.writers {
      var endpoints = daemon.endpoints
      if index >= Self.writers / 2 {
        let proxy = try await FaultProxy.start(
          to: endpoints, in: folder, name: "link\(index)", seed: options.seed &+ UInt64(index))
        proxies.append(proxy)
        endpoints = proxy.endpoints
      }
      var connecting = DaemonConnection.Options(endpoints: endpoints)
      connecting.timeout = .seconds(120)
      let client = try await DaemonConnection(connecting)
      clients.append(client)
      mirrors.append(
        await MirrorProbe.of("workspace", parameters: .text("/torture"), on: client))
    }
    let zeros = (0..<Self.writers).map { ("\($0)", Value.unsigned(0)) }
    _ = try await clients[0].perform(
      WorkspaceEntry.load("torture", .map(Dictionary(uniqueKeysWithValues: zeros))))
  }

  private mutating func play(_ round: Int) async throws {
    tally.begin(killAfter: Int.random(in: 1...Self.longestRound, using: &generator))
    _ = try await clients[0].perform(WorkspaceEntry.load("client-\(round)", .array([])))
    let victim = try TortureClient(round: round, in: folder)
    let misfortunes = misfortunes(round)
    await setFaults(true)
    let (daemon, executable, folder, tally) = (daemon, executable, folder, tally)
    let (clients, disk, proxies, arguments) = (clients, disk, proxies, options.daemonArguments)
    let complaint = "round \(round) hangs (seed \(options.seed))\n"
    let watch = TimeLimit(Self.patience, on: ContinuousClock()).startTimer {
      FileHandle.standardError.write(Data(complaint.utf8))
    }
    defer { watch.cancel() }
    self.daemon = try await withThrowingTaskGroup(of: Void.self) { group in
      // Whatever fails, the others are to end.
      defer { tally.end() }
      for (index, client) in clients.enumerated() {
        for _ in 0..<Self.window {
          group.addTask { try await Self.write(index, client, tally) }
        }
      }
      await tally.waitForKill()
      for misfortune in misfortunes {
        switch misfortune {
        case .cut(let index): try await proxies[index].cut()
        case .stop(let isDaemon, let duration):
          let process = isDaemon ? daemon.process : victim.process
          process.signal(SIGSTOP)
          try await Task.sleep(for: duration)
          process.signal(SIGCONT)
        case .fill(let duration):
          disk?.fill()
          try await Task.sleep(for: duration)
          disk?.free()
        case .killClient: await victim.process.kill()
        }
      }
      await daemon.process.kill()
      let restarted = try await DaemonProcess.start(executable, in: folder, arguments: arguments)
      tally.end()
      try await group.waitForAll()
      return restarted
    }
    await setFaults(false)
    try await check(round)
    try await check(victim, round)
    if round.isMultiple(of: 10) || round == options.rounds {
      let actions = tally.acknowledged.reduce(0, +) + counts.clientActions
      report(
        "\(round) rounds, \(actions) actions, all exactly once (\(counts.clients) clients killed, "
          + "\(counts.stops) stops, \(counts.cuts) cuts, \(counts.fills) full disks)")
    }
  }

  // MARK: What goes wrong

  private enum Misfortune {
    case cut(Int)
    case stop(isDaemon: Bool, Duration)
    case fill(Duration)
    case killClient
  }

  /// What happens before the kill, in order.
  private mutating func misfortunes(_ round: Int) -> [Misfortune] {
    var all: [Misfortune] = [.killClient]
    counts.clients += 1
    if Bool.random(using: &generator) {
      all.append(.cut(Int.random(in: proxies.indices, using: &generator)))
      counts.cuts += 1
    }
    if round.isMultiple(of: 10) {
      let milliseconds = Int.random(in: 100...15_000, using: &generator)
      all.append(.stop(isDaemon: .random(using: &generator), .milliseconds(milliseconds)))
      counts.stops += 1
    }
    if options.hasMinutes, round.isMultiple(of: max(1, options.rounds / 5)) {
      all.append(.stop(isDaemon: .random(using: &generator), .seconds(60)))
      counts.stops += 1
    }
    if disk != nil {
      let milliseconds = Int.random(in: 50...1_000, using: &generator)
      all.append(.fill(.milliseconds(milliseconds)))
      counts.fills += 1
    }
    return all.shuffled(using: &generator)
  }

  private func setFaults(_ isFaulty: Bool) async {
    let rates = FaultRates.with {
      guard isFaulty else { return }
      $0.drop = 30
      $0.double = 30
      $0.delay = 30
    }
    for proxy in proxies { await proxy.set(rates, for: .request, .reply, .publication) }
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

  // MARK: What is judged

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

  private mutating func check(_ victim: TortureClient, _ round: Int) async throws {
    let (value, _) = try await clients[0].fetch(
      "workspace", parameters: .text("/\(victim.name)"))
    let list = (value.elements ?? []).compactMap(\.integer)
    if let complaint = victim.complaint(about: list) {
      throw Failure(description: "round \(round): \(complaint)")
    }
    counts.clientActions += victim.acknowledged.count
    _ = try await clients[0].perform(WorkspaceEntry.load(victim.name, .null))
  }

  private func end() async throws {
    for client in clients { await client.close() }
    for proxy in proxies { await proxy.stop() }
    guard await daemon.process.terminate() == .exited(0) else {
      throw Failure(description: "the daemon did not end well:\n\(daemon.process.errors)")
    }
    try await disk?.unmount()
  }
}
