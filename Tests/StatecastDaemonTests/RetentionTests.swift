import Composable
import StateModel
import StatecastDaemon
import SyncProtocol
import Testing

@testable import StatecastDaemon

/// Rows that come, change and go.
private struct Rows: Reducer {
  @Mirrored struct State {
    var rows: [String: Int] = [:]
  }
  @Mirrored enum Action {
    case put(String, Int)
    case remove(String)
  }
  var body: some ReducerOf<Self> {
    Reduce<State, Action> { state, action in
      switch action {
      case .put(let key, let value): state.rows[key] = value
      case .remove(let key): state.rows[key] = nil
      }
      return .none
    }
  }
}

@Suite("Retention of deltas")
struct RetentionTests {
  /// A daemon with one view, which somebody follows.
  private struct Bench {
    var machine: AuthorityMachine<HostedApp<Rows>>
    private var requests: UInt64 = 0
    /// What a mirror held at each number.
    private(set) var held: [(position: Position, value: Value)] = []
    private var value = Value.null

    init(keptPerView: Int) throws {
      var limits = Limits()
      limits.keptPerView = keptPerView
      machine = AuthorityMachine(
        app: HostedApp(
          reducer: Rows(), state: Rows.State(), views: [ViewDefinition("rows") { $0.rows }],
          report: { Issue.record("\($0)") }),
        history: RecoveredHistory(
          lineage: Lineage(Bytes16(high: 1, low: 2)),
          epochs: [EpochRecord(epoch: Epoch(rawValue: 1), after: .zero)], lastRow: 0,
          commit: .zero, oldest: .zero, sessions: SessionTable()),
        limits: limits, durable: false, now: Moment(nanoseconds: 0), seed: 1)
      try handle(.subscribed(topic: Topic(view: "rows")?.bytes ?? []))
      let answer = try #require(try hello(nil))
      guard case .snapshot(let bytes, _) = answer.content else {
        Issue.record("no snapshot")
        return
      }
      value = try Value(encoded: bytes)
      hold(answer.number, answer.digest)
    }

    private mutating func hold(_ number: CommitNumber, _ digest: Digest) {
      let position = Position(
        lineage: Lineage(Bytes16(high: 1, low: 2)), epoch: Epoch(rawValue: 1), number: number,
        digestValue: digest.rawValue)
      held.append((position, value))
    }

    private mutating func handle(_ event: AuthorityEvent) throws {
      machine.handle(event, at: Moment(nanoseconds: 0), date: 0)
      machine.handle(.drained, at: Moment(nanoseconds: 0), date: 0)
    }

    mutating func send(_ action: Rows.Action) throws {
      try handle(.effect(action: action.encoded(), cause: .zero))
      for case .broadcast(.publication(let publication)) in machine.takeOutputs()
      where !publication.delta.isEmpty {
        try value.apply(publication.delta)
        hold(publication.to, publication.digest)
      }
    }

    mutating func hello(_ position: Position?) throws -> ViewAnswer? {
      requests += 1
      let hello = Hello(views: [ViewRequest(name: "rows", position: position)])
      let request = Request(
        id: requests, session: SessionID(Bytes16(high: 3, low: requests)), epoch: nil,
        body: .hello(hello))
      try handle(
        .request(
          request, route: Route(envelope: [[1]]), peer: Peer(identity: "1", role: .act)))
      for case .reply(let reply, _) in machine.takeOutputs() {
        if case .hello(let answer) = reply.body { return answer.views.first }
      }
      return nil
    }
  }

  @Test(
    "wherever it is cut, also exactly at a removal, a mirror comes to the present value",
    arguments: [UInt64(1), 2, 3])
  func cuts(seed: UInt64) throws {
    var resumes = 0
    var snapshots = 0
    for kept in stride(from: 0, through: 500, by: 9) {
      var bench = try Bench(keptPerView: kept)
      var random = SeededGenerator(seed: seed)
      for round in 0..<40 {
        let key = "k\(random.next() % 6)"
        try bench.send(random.next() % 3 == 0 ? .remove(key) : .put(key, round))
      }
      let present = try #require(bench.held.last)
      for (position, value) in bench.held {
        var value = value
        let answer = try #require(try bench.hello(position))
        switch answer.content {
        case .resume(let deltas):
          resumes += 1
          for delta in deltas { try value.apply(delta) }
        case .snapshot(let bytes, _):
          snapshots += 1
          value = try Value(encoded: bytes)
        default: Issue.record("\(answer.content)")
        }
        #expect(value == present.value, "seed \(seed), kept \(kept), from \(position.number)")
        #expect(value.digest == answer.digest)
      }
    }
    #expect(resumes > 100 && snapshots > 100, "both ways are gone")
  }
}
