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
            Act.Numbered(number: 1, entry: Entry(.other(kind: "lease"))),
            Act.Numbered(number: 2, entry: Entry(.perform(action: FlipApp.action("inc", "b")))),
          ])))
    bench.act(2, "inc", "b")
    bench.act([(1, "inc", "a"), (2, "inc", "b")])
    bench.drain()
    #expect(bench.codes == [.notOffered, .notOffered, .notOffered, .ok, .ok])
    #expect(
      bench.outcomes[0].text
        == "this daemon does not offer `lease` entries: it may be older than the client")
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
}
