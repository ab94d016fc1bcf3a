import CAllocations
import Foundation
import StateModel
import StatecastClient
import StatecastDaemon
import SyncProtocol

/// Both machines in one thread, without sockets: what an action costs by itself at either end, from
/// bytes to bytes.
///
/// Counted is the thread's processor time, so that the figures mean something on a busy machine too,
/// and how often it asked for memory.
struct Hot {
  /// Of one action, at either end.
  struct Cost {
    var daemon = Spent()
    var client = Spent()
  }

  /// Nanoseconds of processor time and allocations.
  struct Spent {
    var time = 0.0
    var allocations = 0.0

    /// What was spent between two readings.
    mutating func add(_ start: Spent, _ end: Spent) {
      time += end.time - start.time
      allocations += end.allocations - start.allocations
    }

    /// The calling thread's, as it stands.
    static func now() -> Spent {
      Spent(time: ThreadClock.now(), allocations: Double(allocations_count()))
    }

    /// For each of so many actions, less what reading took.
    func each(of count: Double, _ readings: Double, _ overhead: Double) -> Spent {
      Spent(time: (time - readings * overhead) / count, allocations: allocations / count)
    }
  }

  private var authority: AuthorityMachine<AnyAuthorityApp>
  private var client: ClientMachine
  private let view = ViewToken(rawValue: 1)
  private let limits = Limits()
  private let durable: Bool
  private let route = Route(envelope: [[0, 1, 2, 3, 4], []])
  private let peer = Peer(identity: "uid 0", role: .admin)
  private var now = Moment(nanoseconds: 1_000_000_000)
  private var sent: UInt64 = 0
  private var resolved = 0
  private var requests: [[[UInt8]]] = []
  private var replies: [[[UInt8]]] = []
  private var broadcasts: [[[UInt8]]] = []

  init(durable: Bool) {
    self.durable = durable
    let daemon = BenchDaemon()
    let lineage = Lineage(Bytes16(high: 1, low: 2))
    authority = AuthorityMachine(
      app: AnyAuthorityApp(
        HostedApp(
          reducer: daemon.reducer, state: daemon.initialState, views: daemon.views,
          actionStep: daemon.actionStep, report: { _ in })),
      history: RecoveredHistory(
        lineage: lineage,
        epochs: [EpochRecord(epoch: Epoch(rawValue: 3), after: .zero)], lastRow: 0, commit: .zero,
        oldest: .zero, sessions: SessionTable(floor: .zero, nextPublicNumber: 1)),
      durable: durable, now: now, seed: 4)
    client = ClientMachine(session: SessionID(Bytes16(high: 5, low: 6)), seed: 7)
    client.handle(.open, at: now)
    client.handle(
      .addView(
        view, name: "bench", parameters: [0xF6], replica: TypedReplica(Bench.State.self)), at: now)
  }

  /// Actions in batches of `batch`, for about `seconds`; the mirror is compared at the end.
  mutating func run(batch: Int, seconds: Double) throws -> Cost {
    try join()
    var cost = Cost()
    let overhead = Self.clockOverhead()
    for isWarm in [false, true] {
      let first = sent
      var spent = Cost()
      var readings = (daemon: 0.0, client: 0.0)
      let end = ThreadClock.now() + seconds * 1e9 * (isWarm ? 1 : 0.5)
      while true {
        let start = Spent.now()
        if start.time >= end { break }
        now.nanoseconds += 1000
        for _ in 0..<batch { submit() }
        takeClient()
        var before = Spent.now()
        spent.client.add(start, before)
        readings.client += 1
        while !requests.isEmpty {
          serve()
          let served = Spent.now()
          hear()
          spent.daemon.add(before, served)
          readings.daemon += 1
          before = Spent.now()
          spent.client.add(served, before)
          readings.client += 1
        }
      }
      let count = Double(sent - first)
      cost.daemon = spent.daemon.each(of: count, readings.daemon, overhead)
      cost.client = spent.client.each(of: count, readings.client, overhead)
    }
    guard resolved == Int(sent), let position = client.position(of: view),
      let replica = client.replica(of: view), replica.digest == authority.app.rootDigest,
      position.number == authority.published
    else { throw BenchFailure("the mirror is not the daemon's state") }
    return cost
  }

  /// A number of requests, for tools that count (instructions, allocations) rather than time.
  mutating func steps(batch: Int, count: Int) throws {
    try join()
    for _ in 0..<count {
      now.nanoseconds += 1000
      for _ in 0..<batch { submit() }
      takeClient()
      while !requests.isEmpty {
        serve()
        hear()
      }
    }
  }

  private mutating func join() throws {
    for _ in 0..<20 where client.position(of: view) == nil {
      now.nanoseconds += 1_000_000
      takeClient()
      serve()
      hear()
    }
    guard client.position(of: view) != nil else { throw BenchFailure("the join failed") }
  }

  private mutating func submit() {
    sent += 1
    let action = Bench.Action.bump(
      slot: Int(sent % 1000), payload: "0123456789012345678901234567890123456789")
    client.handle(
      .submit(ActionToken(rawValue: sent), Entry(.perform(action: action.encoded()))), at: now)
  }

  private mutating func takeClient() {
    for output in client.takeOutputs() {
      switch output {
      case .send(let request, _): requests.append(RequestCodec.encode(request))
      case .subscribe(let topic):
        authority.handle(.subscribed(topic: topic), at: now, date: 0)
      case .resolved(_, .done(code: .ok, _, _)): resolved += 1
      default: break
      }
    }
  }

  private mutating func serve() {
    while !requests.isEmpty {
      for frames in requests {
        guard let request = try? RequestCodec.decode(frames, limits: limits) else { continue }
        authority.handle(.request(request, route: route, peer: peer), at: now, date: 1)
      }
      requests.removeAll(keepingCapacity: true)
      authority.handle(.drained, at: now, date: 1)
      takeAuthority()
    }
    takeAuthority()
  }

  private mutating func takeAuthority() {
    var row: UInt64?
    repeat {
      if let written = row { authority.handle(.journaled(row: written), at: now, date: 1) }
      row = nil
      for output in authority.takeOutputs() {
        switch output {
        case .reply(let reply, _): replies.append(ReplyCodec.encode(reply))
        case .broadcast(let broadcast): broadcasts.append(BroadcastCodec.encode(broadcast))
        case .append(let next):
          Hot.written &+= next.encoded().count
          row = next.id
        default: break
        }
      }
    } while row != nil
  }

  private mutating func hear() {
    while !broadcasts.isEmpty || !replies.isEmpty {
      for frames in broadcasts {
        guard let broadcast = try? BroadcastCodec.decode(frames) else { continue }
        client.handle(.broadcast(broadcast), at: now)
        takeClient()
      }
      broadcasts.removeAll(keepingCapacity: true)
      for frames in replies {
        guard let reply = try? ReplyCodec.decode(frames) else { continue }
        client.handle(.reply(reply, .actions), at: now)
        takeClient()
      }
      replies.removeAll(keepingCapacity: true)
    }
  }

  /// Keeps the optimiser from leaving out the rows.
  nonisolated(unsafe) private static var written = 0

  private static func clockOverhead() -> Double {
    let start = ThreadClock.now()
    for _ in 0..<1000 { _ = ThreadClock.now() }
    return (ThreadClock.now() - start) / 1001
  }
}
