import StateModel
import Testing

@testable import SyncProtocol

/// Sessions over restarts and histories, and which of them are kept.
extension AuthoritySessionTests {
  // MARK: Histories

  @Test("a first hello gives the base, every later one and every act repeats it")
  func bases() {
    var bench = Self.ready()
    bench.act(1, "inc", "a")
    bench.drain()
    bench.hello(session: 2)
    bench.drain()
    #expect(bench.helloAnswer?.base == 1)
    #expect(bench.helloAnswer?.publicNumber == 2)
    bench.hello(session: 2, base: 1)
    bench.drain()
    #expect(bench.helloAnswer?.base == 1)
    #expect(bench.helloAnswer?.publicNumber == 2)
    bench.act([(1, "inc", "b")], session: 2, base: 1)
    bench.drain()
    #expect(bench.codes.last == .ok)
    for wrong in [CommitNumber.zero, 2] {
      bench.hello(session: 2, base: wrong)
      bench.drain()
      #expect(bench.refusal?.code == .malformed)
    }
    bench.act([(2, "inc", "c")], session: 2, base: 0)
    bench.drain()
    #expect(bench.refusal?.code == .malformed)
    bench.act([(2, "inc", "c")], session: 2, base: 1)
    bench.drain()
    #expect(bench.codes.last == .ok)
  }

  @Test("a base that this history never gave is of another history")
  func futureBase() {
    var bench = AuthorityBench()
    bench.hello(base: 5)
    bench.drain()
    #expect(bench.code == .rewritten)
    bench.act([(1, "inc", "a")], base: 5)
    bench.drain()
    #expect(bench.refusal?.code == .rewritten)
    #expect(bench.refusal?.text == AuthorityMachine<FlipApp>.rewrittenText)
  }

  /// Epochs 1 (commits 0 to 10), 2 (10 to 20) and this one (20 to 30).
  static func old(floor: CommitNumber = 0) -> RecoveredHistory {
    var table = SessionTable(floor: floor, nextPublicNumber: 8)
    table.records[AuthorityBench.session(1)] = SessionTable.Record(
      base: 2, owner: "1000", publicNumber: 7, last: 3, acked: 1,
      outcomes: [
        SessionTable.Kept(
          outcome: Outcome(number: 2, code: .rejected, text: "no"),
          payloadHash: Bytes16(high: 1, low: 1)),
        SessionTable.Kept(
          outcome: Outcome(number: 3, code: .cancelled), payloadHash: .burnt),
      ])
    return RecoveredHistory(
      lineage: AuthorityBench.lineage,
      epochs: [
        EpochRecord(epoch: Epoch(rawValue: 1), after: 0),
        EpochRecord(epoch: Epoch(rawValue: 2), after: 10),
        EpochRecord(epoch: AuthorityBench.epoch, after: 20),
      ],
      lastRow: 5, commit: 30, oldest: 3, sessions: table)
  }

  @Test("a recovered session goes on where it was")
  func recovered() {
    var bench = AuthorityBench(durable: true, history: Self.old())
    bench.hello(base: 2, acked: 2)
    bench.drain()
    #expect(bench.helloAnswer?.last == 3)
    #expect(bench.helloAnswer?.publicNumber == 7)
    bench.act([(3, "inc", "x"), (4, "inc", "y")], base: 2)
    bench.drain()
    #expect(bench.rows.first?.id == 6)
    #expect(bench.rows.first?.base == 30)
    bench.journaled()
    #expect(bench.codes == [.cancelled, .ok])
    #expect(bench.outcomes.last?.commit == 31)
    #expect(bench.replies.last?.header.oldest == 3)
  }

  @Test(
    "what a client has seen is on the history only in its epoch's range",
    arguments: [
      (1, 10, true), (1, 11, false), (2, 9, false), (2, 20, true), (9, 30, true), (9, 31, false),
      (9, 19, false), (5, 5, false),
    ])
  func seen(epoch: UInt64, durable: UInt64, isOurs: Bool) {
    var bench = AuthorityBench(history: Self.old())
    bench.hello(
      base: 2, acked: 1,
      seen: Hello.Seen(
        lineage: AuthorityBench.lineage, epoch: Epoch(rawValue: epoch),
        durable: CommitNumber(rawValue: durable)))
    bench.drain()
    #expect(bench.code == (isOurs ? .ok : .rewritten))
  }

  @Test(
    "a rewritten history: another lineage, or fewer actions than were acknowledged; told up to which"
  )
  func rewritten() {
    var bench = AuthorityBench(history: Self.old())
    bench.hello(
      base: 2,
      seen: Hello.Seen(
        lineage: WireSamples.lineage, epoch: AuthorityBench.epoch, durable: 25))
    bench.drain()
    #expect(bench.code == .rewritten)
    #expect(bench.helloAnswer?.last == 3)
    bench.hello(base: 2, acked: 4)
    bench.drain()
    #expect(bench.code == .rewritten)
    #expect(bench.helloAnswer?.last == 3)
    bench.hello(session: 2, base: 20, acked: 1)
    bench.drain()
    #expect(bench.code == .rewritten)
    #expect(bench.helloAnswer?.last == 0)
  }

  @Test("an unknown session is new at or above the floor, expired below it")
  func floor() {
    var bench = AuthorityBench(history: Self.old(floor: 12))
    bench.hello(session: 2, base: 11, acked: 3)
    bench.drain()
    #expect(bench.refusal?.code == .expired)
    #expect(bench.refusal?.text == AuthorityMachine<FlipApp>.expiredText)
    bench.act([(4, "inc", "a")], session: 2, base: 11)
    bench.drain()
    #expect(bench.refusal?.code == .expired)
    bench.act([(1, "inc", "a")], session: 2, base: 12)
    bench.drain()
    #expect(bench.codes == [.ok])
  }

  // MARK: Retention

  @Test("a session is dropped in the row that raises the floor above its base; attached ones stay")
  func retention() throws {
    var limits = Limits()
    limits.sessions = 3
    var bench = AuthorityBench(durable: true, limits: limits)
    var base: CommitNumber = 0
    for session in UInt64(1)...3 {
      bench.hello(session: session)
      bench.drain()
      base = try #require(bench.helloAnswer).base
      bench.act([(1, "inc", "a\(session)")], session: session, base: base)
      bench.drain()
      bench.journaled()
    }
    // 1 has the lowest base, but it is at work; 2 and 3 have gone.
    bench.request(.bye, session: 2)
    bench.request(.bye, session: 3)
    bench.take()
    bench.hello(session: 4)
    bench.drain()
    let row = try #require(bench.rows.first)
    #expect(row.entries.isEmpty)
    #expect(row.droppedSessions == [AuthorityBench.session(2)])
    #expect(row.floor == 2)
    #expect(bench.replies.isEmpty)
    bench.journaled()
    #expect(bench.helloAnswer?.base == 3)
    bench.act([(1, "inc", "a2")], session: 2, base: 1)
    bench.drain()
    #expect(bench.refusal?.code == .expired)
    bench.act([(1, "inc", "a3")], session: 3, base: 2)
    bench.drain()
    #expect(bench.codes.last == .ok)
    #expect(bench.machine.app.state.applied.values.allSatisfy { $0 == 1 })
  }

  @Test("a session that did nothing is dropped first and needs no row")
  func blankFirst() {
    var limits = Limits()
    limits.sessions = 2
    var bench = AuthorityBench(durable: true, limits: limits)
    bench.hello(session: 1)
    bench.drain()
    bench.act(1, "inc", "a")
    bench.hello(session: 2)
    bench.drain()
    bench.journaled()
    bench.request(.bye, session: 1)
    bench.request(.bye, session: 2)
    bench.take()
    bench.hello(session: 3)
    bench.drain()
    #expect(bench.rows.isEmpty)
    #expect(bench.helloAnswer != nil)
    #expect(bench.machine.sessions.floor == 0)
  }

  @Test("where every session is at work a new one is refused as busy")
  func allInUse() {
    var limits = Limits()
    limits.sessions = 1
    var bench = Self.ready(limits: limits)
    bench.hello(session: 2)
    bench.drain()
    #expect(bench.refusal?.code == .busy)
    #expect(
      bench.refusal?.text
        == "all 1 sessions are in use: end one, or try again in a moment")
  }
}
