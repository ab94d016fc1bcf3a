package import ZeroMQ

/// A bad link between clients and a daemon: they connect to it as if it were the daemon.
///
/// It works on messages, not bytes, so that a fault hits one message and nothing else; what it does
/// comes from a seed. One loop's thread owns all of its sockets.
package actor FaultProxy {
  private nonisolated let loop: EventLoop
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    loop.asUnownedSerialExecutor()
  }
  /// Where clients connect to.
  package nonisolated let endpoints: DaemonEndpoints
  private let daemon: DaemonEndpoints
  private let context: Context
  private var link: ProxyLink?
  private var dice: FaultDice
  private var rates: [Direction: FaultRates] = [:]
  private var rules: [Rule] = []
  private var isSilent = false
  /// What was done to messages so far.
  package private(set) var tally: [Direction: Int] = [:]

  /// Messages that are dropped by choice, not by chance.
  private struct Rule {
    var direction: Direction
    var left: Int
    var isMeant: @Sendable ([[UInt8]]) -> Bool
  }

  /// Begins to forward between `folder`'s endpoints and the daemon's.
  package static func start(
    to daemon: DaemonEndpoints, in folder: ScratchFolder, name: String = "link", seed: UInt64 = 0
  ) async throws -> FaultProxy {
    let front = DaemonEndpoints(
      requests: "ipc://" + folder.file("\(name).requests"),
      publications: "ipc://" + folder.file("\(name).publications"))
    // Not in `init`: it would wait for a loop that it has not yet started.
    let loop = try EventLoop(name: "fault proxy", stackBytes: 1 << 20)
    loop.start()
    let proxy = FaultProxy(
      front, daemon, try Context(), FaultDice(seed: seed), loop)
    try await proxy.connect()
    return proxy
  }

  private init(
    _ front: DaemonEndpoints, _ daemon: DaemonEndpoints, _ context: Context, _ dice: FaultDice,
    _ loop: EventLoop
  ) {
    endpoints = front
    self.daemon = daemon
    self.context = context
    self.dice = dice
    self.loop = loop
  }

  /// Ends the link for good.
  package func stop() async {
    close()
    await loop.stop()
    context.terminate()
  }

  /// From now on faults happen so often.
  package func set(_ rates: FaultRates, for directions: Direction...) {
    for direction in directions { self.rates[direction] = rates }
  }

  /// Drops the next `count` messages that are meant.
  package func dropNext(
    _ count: Int = 1, _ direction: Direction,
    where isMeant: @escaping @Sendable ([[UInt8]]) -> Bool = { _ in true }
  ) {
    rules.append(Rule(direction: direction, left: count, isMeant: isMeant))
  }

  /// Whether everything is swallowed both ways while the connections stand: a half-open link.
  package func setSilent(_ isSilent: Bool) { self.isSilent = isSilent }

  /// Whether nothing moves: what arrives waits, and comes all at once afterwards.
  package func setFrozen(_ isFrozen: Bool) {
    link?.unwatch(on: loop)
    if !isFrozen { watch() }
  }

  /// Breaks all connections, and takes new ones.
  package func cut() throws {
    close()
    try connect()
  }

  private func connect() throws {
    link = try ProxyLink(front: endpoints, back: daemon, in: context)
    watch()
  }

  private func close() {
    link?.unwatch(on: loop)
    link = nil
  }

  private func watch() {
    link?.watch(on: loop) { [unowned self] in assumeIsolated { $0.drain() } }
  }

  private func drain() {
    for (frames, destination) in link?.receive() ?? [] { pass(frames, to: destination) }
  }

  // MARK: Each message

  private func pass(_ frames: [[UInt8]], to destination: ProxyLink.Destination) {
    guard let direction = destination.direction else {
      link?.send(frames, to: destination)
      return
    }
    if isSilent { return count(direction) }
    if let index = rules.firstIndex(where: { $0.direction == direction && $0.isMeant(frames) }) {
      rules[index].left -= 1
      if rules[index].left == 0 { rules.remove(at: index) }
      return count(direction)
    }
    guard let fault = dice.fault(rates[direction] ?? FaultRates()) else {
      link?.send(frames, to: destination)
      return
    }
    count(direction)
    switch fault {
    case .drop: return
    case .double:
      link?.send(frames, to: destination)
      link?.send(frames, to: destination)
    case .delay(let milliseconds):
      let at = EventLoop.monotonicNow() + Int64(milliseconds) * 1_000_000
      _ = loop.schedule(at: at) { [unowned self] in
        assumeIsolated { $0.link?.send(frames, to: destination) }
      }
    case .truncate, .corrupt: link?.send(dice.spoil(frames, fault), to: destination)
    }
  }

  private func count(_ direction: Direction) { tally[direction, default: 0] += 1 }
}
