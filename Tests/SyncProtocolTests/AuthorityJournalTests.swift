import StateModel
import Testing

@testable import SyncProtocol

@Suite("Authority: the journal refuses, fails, is fenced")
struct AuthorityJournalTests {
  /// A durable machine with one durable action, one row under way, and an open batch behind it.
  static func twoBatches(faults: AuthorityFaults = []) -> AuthorityBench {
    var bench = AuthorityBench(durable: true, faults: faults)
    bench.subscribe("all")
    bench.hello(["all"])
    bench.drain()
    bench.act(1, "inc", "a")
    bench.drain()
    bench.journaled()
    bench.take()
    bench.act([(2, "flip", "b"), (1, "inc", "a")])
    bench.drain()
    bench.act([(3, "work", "c")])
    return bench
  }

  @Test("a full disk: state, sessions and views return, no-space consumes nothing")
  func refused() throws {
    var bench = Self.twoBatches()
    bench.refuse()
    #expect(bench.order == ["append", "reply", "reply"])
    #expect(bench.codes == [.noSpace, .ok, .noSpace])
    #expect(
      bench.outcomes[0].text == "the journal takes nothing (0 bytes free): the action was not "
        + "done; send the same again when it does")
    #expect(bench.publications.isEmpty)
    #expect(bench.machine.published == 1)
    #expect(bench.machine.app.state.applied == ["a": 1])
    // Later numbers wait for the first; then all goes on.
    bench.take()
    bench.act([(3, "work", "c")])
    bench.drain()
    #expect(bench.codes == [.noSpace])
    bench.act([(2, "flip", "b"), (3, "work", "c")])
    bench.drain()
    let row = try #require(bench.rows.last)
    #expect(row.id == 2)
    #expect(row.base == 1)
    #expect(row.last == 3)
    bench.journaled()
    #expect(bench.codes == [.noSpace, .ok, .ok])
    #expect(bench.publications.map(\.from) == [1])
    #expect(bench.publications.map(\.to) == [3])
    #expect(bench.machine.app.state.applied == ["a": 1, "b": 1, "c": 1])
    #expect(bench.started == ["c"])
  }

  @Test("after a full disk reads are answered anew, from what is durable")
  func readsAnew() throws {
    var bench = Self.twoBatches()
    bench.subscribe("bit")
    bench.hello(["bit"], session: 2)
    bench.request(.trial(Entry(.perform(action: FlipApp.action("bad", "x")))), session: 2)
    bench.request(.outcome(OutcomeQuery(base: 0, numbers: [4])))
    bench.drain()
    #expect(bench.replies.isEmpty)
    bench.refuse()
    #expect(bench.machine.inFlight == nil)
    let hello = try #require(
      bench.replies.compactMap { reply -> HelloAnswer? in
        if case .hello(let answer) = reply.body { answer } else { nil }
      }.first)
    #expect(hello.views.first?.content == .snapshot(value: [0], reason: "fresh"))
    #expect(hello.views.first?.number == 1)
    // While the flip was in memory, `bad` would have been rejected.
    #expect(
      bench.replies.contains { reply in
        if case .trial(.ok, _, _) = reply.body { true } else { false }
      })
    #expect(bench.codes == [.noSpace, .ok, .noSpace, .noSpace])
  }

  @Test("what the daemon put in itself goes back to the inbox, and is tried again")
  func ownWork() {
    var app = FlipApp()
    app.wantsStarted = true
    var bench = AuthorityBench(durable: true, app: app)
    bench.send(.effect(action: FlipApp.action("inc", "e"), cause: 1))
    bench.drain()
    bench.refuse()
    #expect(bench.machine.app.state.applied.isEmpty)
    // Not at once: the disk is still full.
    bench.drain()
    #expect(bench.machine.inFlight == nil)
    bench.wait(.seconds(1))
    #expect(bench.machine.inFlight?.entries.count == 2)
    bench.refuse()
    // A client's action is tried at once, behind what was there before.
    bench.act(1, "inc", "a")
    bench.drain()
    bench.journaled()
    #expect(bench.codes == [.ok])
    #expect(bench.outcomes.last?.commit == 3)
    #expect(bench.machine.app.state.applied == ["started": 1, "e": 1, "a": 1])
  }

  @Test("a dropped session is back when the row that dropped it was refused")
  func retention() {
    var limits = Limits()
    limits.sessions = 1
    var bench = AuthorityBench(durable: true, limits: limits)
    bench.hello()
    bench.drain()
    bench.act(1, "inc", "a")
    bench.drain()
    bench.journaled()
    bench.request(.bye)
    bench.hello(session: 2)
    bench.drain()
    #expect(bench.machine.sessions.floor == 1)
    bench.refuse()
    #expect(bench.machine.sessions.floor == 0)
    bench.act(1, "inc", "a")
    bench.drain()
    #expect(bench.codes.last == .ok)
    #expect(bench.machine.app.state.applied == ["a": 1])
  }

  @Test("after a failed fsync nothing is said any more but retry")
  func failed() {
    var bench = Self.twoBatches()
    bench.send(.journalFailed(row: 2, text: "fsync: input/output error"))
    #expect(bench.order == ["append", "reply", "reply", "stopped"])
    #expect(bench.replies.map(\.header.code) == [.retry, .retry])
    #expect(
      bench.refusal?.text == "the journal failed (fsync: input/output error) and the daemon must "
        + "be restarted: it is not known whether the action was done; send the same again after a "
        + "new hello")
    #expect(bench.stopped == .journalFailed("fsync: input/output error"))
    bench.take()
    bench.act(2, "flip", "b")
    bench.request(.alive(Alive()))
    bench.request(.snapshot(AuthorityViewTests.all))
    bench.send(.journaled(row: 2))
    bench.drain()
    bench.wait(.seconds(5))
    #expect(bench.order == ["reply", "reply", "reply"])
    #expect(bench.replies.allSatisfy { $0.header.code == .retry && $0.header.commit == 1 })
  }

  @Test("a daemon that is fenced steps down")
  func fenced() {
    var bench = Self.twoBatches()
    bench.send(.journalFenced(row: 2))
    #expect(bench.stopped == .fenced)
    #expect(bench.replies.map(\.header.code) == [.retry, .retry])
    #expect(
      bench.refusal?.text == "another daemon has taken over this journal: connect to that one and "
        + "send the same again")
  }

  @Test("a snapshot is due after so many rows or bytes, with the sessions as of its row")
  func snapshots() throws {
    var limits = Limits()
    limits.snapshotRows = 2
    var bench = AuthorityBench(durable: true, limits: limits)
    bench.hello()
    bench.drain()
    for number in UInt64(1)...2 {
      bench.act(number, "inc", "a\(number)")
      bench.drain()
      // Already in memory, not yet in the journal.
      bench.act(number + 1, "inc", "a\(number + 1)")
      bench.journaled()
    }
    let table = try #require(bench.snapshots.first)
    #expect(bench.snapshots.count == 1)
    #expect(table.records[AuthorityBench.session(1)]?.last == 2)
    #expect(bench.machine.durableState.applied == ["a1": 1, "a2": 1])
    #expect(bench.machine.app.state.applied.count == 3)
    #expect(bench.machine.lastRow == 2)
    bench.send(.pruned(oldest: 2))
    bench.journaled()
    #expect(bench.replies.last?.header.oldest == 2)
  }

  @Test("the fold of the rows is the machine's own table", arguments: UInt64(1)...20)
  func fold(seed: UInt64) throws {
    var limits = Limits()
    limits.sessions = 4
    limits.window = 3
    var bench = AuthorityBench(durable: true, limits: limits)
    var generator = SeedStream(seed: seed)
    var numbers: [UInt64: ActionNumber] = [:]
    var bases: [UInt64: CommitNumber] = [:]
    for _ in 0..<300 {
      let session = generator.next() % 8
      switch generator.next() % 12 {
      case 0:
        bench.hello(session: session, base: bases[session])
        bench.drain()
      case 1:
        bench.request(.bye, session: session)
      case 2, 3: bench.journaled()
      case 4: bench.refuse()
      case 5: bench.drain()
      default:
        let number = (numbers[session] ?? 0) + 1
        let kind = ["inc", "flip", "bad", "nothing"][Int(generator.next() % 4)]
        bench.act(
          [(number, kind, "\(session).\(number)")], session: session, base: bases[session] ?? 0)
        if generator.next() % 2 == 0 { bench.drain() }
      }
      for reply in bench.replies {
        if case .hello(let answer) = reply.body { bases[session] = answer.base }
      }
      for session in bench.machine.sessions.slots where !session.isVacant {
        numbers[session.id.bytes.low] = session.window.last
      }
      if let answer = bench.helloAnswer { bases[session] = answer.base }
      bench.take()
    }
    while bench.machine.inFlight != nil { bench.journaled() }
    var replay = SessionReplay(window: limits.window)
    for row in bench.journal { replay.apply(try JournalRow(encoded: row.encoded())) }
    var folded = replay.finish()
    var own = bench.machine.durableSessions
    // Public numbers of sessions that never acted are given only in memory.
    folded.nextPublicNumber = 0
    own.nextPublicNumber = 0
    let isSame = folded == own
    #expect(isSame, "seed \(seed)")
    #expect(bench.journal.count > 10)
    for (first, second) in zip(bench.journal, bench.journal.dropFirst()) {
      #expect(second.id == first.id + 1)
      #expect(second.base == first.last)
    }
  }
}
