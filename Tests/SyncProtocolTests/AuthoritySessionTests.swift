import StateModel
import Testing

@testable import SyncProtocol

@Suite("Authority: sessions and outcomes")
struct AuthoritySessionTests {
  static func ready(
    durable: Bool = false, limits: Limits = Limits(), history: RecoveredHistory? = nil
  ) -> AuthorityBench {
    var bench = AuthorityBench(durable: durable, limits: limits, history: history)
    bench.hello()
    bench.drain()
    bench.take()
    return bench
  }

  @Test("numbers follow one another; a higher one is out of order")
  func outOfOrder() {
    var bench = Self.ready()
    bench.act([(1, "inc", "a"), (3, "inc", "c"), (2, "inc", "b")])
    bench.drain()
    #expect(bench.codes == [.ok, .outOfOrder, .ok])
    #expect(bench.outcomes[1].text == "the next number of this session is 2, not 3")
    guard case .act(let answer) = bench.replies.last?.body else { return }
    #expect(answer.last == 2)
  }

  @Test("a repeated number gets the same answer and is applied once")
  func repeated() {
    var bench = Self.ready()
    bench.act([(1, "flip", "a"), (2, "bad", "b")])
    bench.drain()
    let first = bench.outcomes
    bench.take()
    bench.act([(1, "flip", "a"), (2, "bad", "b")])
    bench.drain()
    #expect(bench.outcomes == first)
    #expect(bench.codes == [.ok, .rejected])
    #expect(bench.machine.app.state.applied == ["a": 1])
  }

  @Test("a number with other bytes is an id used twice, and concerns that entry alone")
  func idReused() {
    var bench = Self.ready()
    bench.act([(1, "inc", "a")])
    bench.act([(1, "inc", "other"), (2, "inc", "b")])
    bench.drain()
    #expect(bench.codes == [.ok, .idReused, .ok])
    #expect(
      bench.outcomes[1].text
        == "action 1 was sent before with other content: a number keeps its bytes")
  }

  @Test("outcomes up to acked are dropped, those below the window too: expired")
  func expired() {
    var limits = Limits()
    limits.window = 4
    var bench = Self.ready(limits: limits)
    for number in 1...6 {
      bench.act(ActionNumber(number), "inc", "a\(number)")
      bench.drain()
    }
    bench.take()
    bench.act([(2, "inc", "a2"), (3, "inc", "a3")])
    bench.act([(5, "inc", "a5"), (6, "inc", "a6")], acked: 5)
    bench.drain()
    #expect(bench.codes == [.expired, .ok, .expired, .ok])
    #expect(bench.outcomes[0].text == "the outcome of action 2 is not kept any more")
    #expect(bench.machine.app.state.applied.values.allSatisfy { $0 == 1 })
  }

  @Test("a client that acknowledges more than it can have loses nothing")
  func acknowledgesTooMuch() {
    var bench = Self.ready(durable: true)
    bench.act(1, "inc", "a")
    bench.act([(1, "inc", "a")], acked: 99)
    bench.drain()
    bench.journaled()
    #expect(bench.codes == [.ok, .ok])
  }

  @Test("a refusal of the next number holds back the later ones until it comes again")
  func holdBack() {
    var bench = Self.ready()
    bench.request(
      .act(
        Act(
          base: 0,
          entries: [
            Act.Numbered(number: 1, entry: Entry(.other(kind: "offer"))),
            Act.Numbered(number: 2, entry: Entry(.perform(action: FlipApp.action("inc", "b")))),
          ])))
    bench.act(2, "inc", "b")
    bench.act([(1, "inc", "a"), (2, "inc", "b")])
    bench.drain()
    #expect(bench.codes == [.notOffered, .notOffered, .notOffered, .ok, .ok])
    #expect(
      bench.outcomes[0].text
        == "this daemon does not offer `offer` entries: it may be older than the client")
    #expect(
      bench.outcomes[2].text == "action 1 was refused: this one waits until that one is sent again")
  }

  @Test("an app's own refusal consumes nothing")
  func appRefuses() {
    var bench = Self.ready(durable: true)
    bench.act([(1, "trouble", "a"), (2, "inc", "b")])
    bench.drain()
    #expect(bench.rows.isEmpty)
    #expect(bench.codes == [.internal, .internal])
    bench.take()
    bench.act([(1, "inc", "a"), (2, "inc", "b")])
    bench.drain()
    bench.journaled()
    #expect(bench.codes == [.ok, .ok])
  }

  @Test("an action that changes nothing takes a commit, a rejected one does not")
  func commits() {
    var bench = Self.ready()
    bench.act([(1, "nothing", "a"), (2, "unheard-of", "b"), (3, "inc", "c")])
    bench.drain()
    #expect(bench.codes == [.noChange, .unknownAction, .ok])
    #expect(bench.outcomes.map(\.commit) == [1, nil, 2])
  }

  @Test("a field is set, a condition on the state is kept")
  func conditions() {
    var bench = Self.ready()
    func send(_ number: ActionNumber, _ entry: Entry) {
      bench.request(.act(Act(base: 0, entries: [Act.Numbered(number: number, entry: entry)])))
    }
    let path: [[UInt8]] = [[0x63, 0x62, 0x69, 0x74]]
    send(1, Entry(.set(field: "bit", value: [0x01]), ifCommit: 0))
    send(2, Entry(.set(field: "bit", value: [0x00]), ifCommit: 0))
    send(
      3,
      Entry(
        .set(field: "bit", value: [0x00]),
        expectations: [Entry.Expectation(path: path, digest: Digest(rawValue: 0))]))
    send(4, Entry(.set(field: "secret", value: [0x00])))
    bench.drain()
    #expect(bench.codes == [.ok, .conflict, .conflict, .notSettable])
    #expect(bench.outcomes[1].text == "the state is that of commit 1, not of 0 as expected")
    #expect(bench.outcomes[2].path == path)
    #expect(bench.machine.app.state.bit == 1)
  }

  @Test("asking for a number above the last burns it, durably, to any bytes")
  func burn() throws {
    var bench = Self.ready(durable: true)
    bench.act(1, "inc", "a")
    bench.request(.outcome(OutcomeQuery(base: 0, numbers: [1, 2, 3, 5])))
    bench.drain()
    #expect(bench.replies.isEmpty)
    #expect(
      try #require(bench.rows.first).entries.map(\.outcome.code) == [.ok, .cancelled, .cancelled])
    bench.journaled()
    #expect(bench.codes == [.ok, .ok, .cancelled, .cancelled, .outOfOrder])
    #expect(bench.outcomes[2].text == "given up: it was not done and never will be")
    bench.take()
    // It may have been on its way: whatever bytes it has, it is not done.
    bench.act([(2, "inc", "b"), (3, "flip", "x"), (4, "inc", "d")])
    bench.drain()
    bench.journaled()
    #expect(bench.codes == [.cancelled, .cancelled, .ok])
    #expect(bench.machine.app.state.applied == ["a": 1, "d": 1])
  }

  @Test("burning ends a hold")
  func burnEndsHold() {
    var bench = Self.ready()
    bench.act([(1, "trouble", "a"), (2, "inc", "b")])
    bench.request(.outcome(OutcomeQuery(base: 0, numbers: [1])))
    bench.act(2, "inc", "b")
    bench.drain()
    #expect(bench.codes == [.internal, .internal, .cancelled, .ok])
  }

  // MARK: Atomic requests

  @Test("an atomic request is one commit")
  func atomic() throws {
    var bench = Self.ready(durable: true)
    bench.act([(1, "flip", "a"), (2, "work", "b"), (3, "nothing", "c")], atomic: true)
    bench.drain()
    let row = try #require(bench.rows.first)
    #expect(row.last == 1)
    #expect(row.entries.map(\.outcome.commit) == [1, 1, 1])
    bench.journaled()
    #expect(bench.codes == [.ok, .ok, .noChange])
    #expect(bench.started == ["b"])
    bench.take()
    bench.act([(1, "flip", "a"), (2, "work", "b"), (3, "nothing", "c")], atomic: true)
    bench.drain()
    #expect(bench.codes == [.ok, .ok, .noChange])
    #expect(bench.machine.app.state.applied == ["a": 1, "b": 1])
  }

  @Test("in a refused atomic request every entry consumes its number, none is applied")
  func atomicRefused() {
    var bench = Self.ready()
    bench.act([(1, "flip", "a"), (2, "bad", "b"), (3, "work", "c")], atomic: true)
    bench.drain()
    #expect(bench.codes == [.cancelled, .rejected, .cancelled])
    #expect(
      bench.outcomes[0].text == "not done: action 2 of the same atomic request was refused")
    #expect(bench.machine.app.state == FlipApp.FlipState())
    #expect(bench.machine.published == 0)
    #expect(bench.started.isEmpty)
    bench.act(4, "inc", "d")
    bench.drain()
    #expect(bench.codes.last == .ok)
  }

  @Test("an atomic request with a gap, with a reserved kind or in part sent again does nothing")
  func atomicForms() {
    var bench = Self.ready()
    bench.act([(1, "inc", "a"), (3, "inc", "c")], atomic: true)
    bench.act([(1, "inc", "a"), (2, "trouble", "b")], atomic: true)
    bench.drain()
    #expect(bench.codes == [.malformed, .malformed, .internal, .internal])
    #expect(bench.machine.app.state.applied.isEmpty)
    bench.take()
    bench.act([(1, "inc", "a"), (2, "inc", "b")], atomic: true)
    bench.act([(2, "inc", "b"), (3, "inc", "c")], atomic: true)
    bench.drain()
    #expect(bench.codes == [.ok, .ok, .ok, .malformed])
    #expect(
      bench.outcomes[3].text == "an atomic request is sent again with the entries that it had")
    #expect(bench.machine.app.state.applied == ["a": 1, "b": 1])
  }

  // MARK: Who may

  @Test("a session is bound to who opened it")
  func owner() {
    var bench = Self.ready()
    bench.request(.alive(Alive()), peer: Peer(identity: "1001", role: .admin))
    #expect(bench.refusal?.code == .forbidden)
    #expect(
      bench.refusal?.text == "this session belongs to another user: make one of your own")
  }

  @Test("a reader may not act, and only an admin may stop the daemon")
  func roles() {
    var bench = AuthorityBench()
    let reader = Peer(identity: "1000", role: .read)
    bench.request(.hello(Hello()), epoch: nil, peer: reader)
    bench.drain()
    #expect(bench.helloAnswer != nil)
    bench.request(.act(Act(base: 0, entries: [])), peer: reader)
    #expect(bench.refusal?.code == .forbidden)
    #expect(bench.refusal?.text == "sending actions needs the act role, yours is `read`")
    bench.request(.stop)
    #expect(bench.refusal?.code == .forbidden)
    #expect(bench.refusal?.text == "stopping the daemon needs the admin role, yours is `act`")
    bench.request(.stop, session: 2, peer: Peer(identity: "0", role: .admin))
    #expect(bench.stopped == .asked("asked to by a client"))
  }

  @Test("actions of another epoch are refused unexecuted")
  func otherEpoch() {
    var bench = Self.ready()
    bench.request(
      .act(
        Act(
          base: 0,
          entries: [
            Act.Numbered(number: 1, entry: Entry(.perform(action: FlipApp.action("inc", "a"))))
          ])), epoch: Epoch(rawValue: 8))
    bench.drain()
    #expect(bench.refusal?.code == .retry)
    #expect(
      bench.refusal?.text == "the daemon was restarted since this session's last hello: say hello, "
        + "then send the same again")
    #expect(bench.machine.app.state.applied.isEmpty)
  }

  @Test("kinds that are reserved or unknown are not offered", arguments: ["call", "why", "x"])
  func notOffered(kind: String) {
    var bench = Self.ready()
    bench.request(.other(kind: kind))
    #expect(bench.refusal?.code == .notOffered)
    #expect(
      bench.refusal?.text
        == "this daemon does not offer `\(kind)` requests: it may be older than the client")
  }

  @Test(
    "a client of another protocol version is told which end to renew",
    arguments: [(2...3, Code.tooNew, "a newer daemon"), (0...0, .tooOld, "a newer client")])
  func versions(versions: ClosedRange<UInt64>, code: Code, advice: String) {
    var bench = AuthorityBench()
    bench.request(.hello(Hello(versions: versions)), epoch: nil)
    #expect(bench.refusal?.code == code)
    #expect(bench.refusal?.text.hasSuffix("use \(advice)") == true)
  }

  // MARK: Limits

  @Test("entries a request, numbers a query")
  func entriesLimit() {
    var limits = Limits()
    limits.entries = 1
    var bench = Self.ready(limits: limits)
    bench.act([(1, "inc", "a"), (2, "inc", "b")])
    #expect(bench.refusal?.code == .tooLarge)
    #expect(
      bench.refusal?.text
        == "2 entries in one request, the limit is 1: send them in several requests")
    bench.request(.outcome(OutcomeQuery(base: 0, numbers: [1, 2])))
    #expect(bench.refusal?.code == .tooLarge)
  }

  @Test("bytes and actions under way are bounded: busy, until they are durable")
  func inFlight() {
    var limits = Limits()
    limits.inFlight = 30
    var bench = Self.ready(durable: true, limits: limits)
    bench.act([(1, "inc", "aaaaaaaaaa"), (2, "inc", "bbbbbbbbbb")])
    bench.drain()
    bench.journaled()
    #expect(bench.codes == [.ok, .busy])
    #expect(
      bench.outcomes[1].text == "this session has 19 bytes under way, the limit is 30: send the "
        + "same again in a moment")
    bench.take()
    bench.act(2, "inc", "bbbbbbbbbb")
    bench.drain()
    bench.journaled()
    #expect(bench.codes == [.ok])

    limits = Limits()
    limits.window = 2
    bench = Self.ready(durable: true, limits: limits)
    bench.act([(1, "inc", "a"), (2, "inc", "b"), (3, "inc", "c")])
    bench.drain()
    bench.journaled()
    #expect(bench.codes == [.ok, .ok, .busy])
  }

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
