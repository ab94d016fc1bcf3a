import StateModel
import Testing

@testable import SyncProtocol

@Suite("Authority: batches and the one queue")
struct AuthorityBatchTests {
  /// A durable machine with a row under way, and a view that somebody watches.
  static func underWay() -> AuthorityBench {
    var bench = AuthorityBench(durable: true)
    bench.subscribe("bit")
    bench.hello(["bit"])
    bench.drain()
    bench.act(1, "flip", "a")
    bench.drain()
    bench.take()
    return bench
  }

  @Test("in memory mode an action is answered and published when its batch closes")
  func memoryMode() throws {
    var bench = AuthorityBench()
    bench.subscribe("bit")
    bench.hello(["bit"])
    bench.drain()
    bench.take()
    bench.act(1, "flip", "a")
    #expect(bench.order.isEmpty)
    bench.drain()
    #expect(bench.order == ["publication", "reply"])
    #expect(bench.codes == [.ok])
    #expect(bench.outcomes.first?.commit == 1)
    let publication = try #require(bench.publications.first)
    #expect(publication.from == 0)
    #expect(publication.to == 1)
    #expect(publication.origin == 1)
    #expect(publication.flags == .whole)
    #expect(bench.replies.first?.header.commit == 1)
  }

  @Test("nothing of a batch leaves before its row is durable; then publications, replies, effects")
  func durable() {
    var bench = AuthorityBench(durable: true)
    bench.subscribe("bit")
    bench.hello(["bit"])
    bench.drain()
    bench.take()
    bench.act([(1, "flip", "a"), (2, "work", "b")])
    bench.drain()
    #expect(bench.order == ["append"])
    bench.journaled()
    #expect(bench.order == ["append", "publication", "reply", "start"])
    #expect(bench.started == ["b"])
  }

  @Test("a row tells what was done, rejections included")
  func row() throws {
    var bench = AuthorityBench(durable: true)
    bench.hello()
    bench.drain()
    bench.take()
    bench.act([(1, "flip", "a"), (2, "bad", "b"), (3, "nothing", "c")])
    bench.drain()
    let row = try #require(bench.rows.first)
    #expect(row.id == 1)
    #expect(row.base == 0)
    #expect(row.last == 2)
    #expect(row.schemaHash == 7)
    #expect(row.rootDigest == Digest(leaf: [1]))
    #expect(row.entries.map(\.outcome.code) == [.ok, .rejected, .noChange])
    #expect(row.entries.map(\.outcome.commit) == [1, nil, 2])
    #expect(row.entries.map(\.number) == [1, 2, 3])
    #expect(row.entries[0].session == AuthorityBench.session(1))
    #expect(row.entries[0].origin == 1)
    #expect(row.entries[0].owner == "1000")
    #expect(row.entries[0].date == 800_000_000)
    #expect(row.entries[0].rootDelta == Delta(bytes: [0x81, 0x82, 0x01, 0x80]))
    #expect(row.entries[0].kind == .client(.perform(action: FlipApp.action("flip", "a"))))
  }

  @Test("an action sent again is answered only when its commit is durable")
  func repeatWaits() {
    var bench = Self.underWay()
    bench.act(1, "flip", "a")
    bench.drain()
    #expect(bench.replies.isEmpty)
    bench.journaled()
    #expect(bench.codes == [.ok, .ok])
    #expect(bench.outcomes.map(\.commit) == [1, 1])
  }

  @Test("what read the state leaves with the newest batch it read")
  func readsWait() {
    var bench = Self.underWay()
    // No entries: they leave with the batch before them.
    bench.hello(["bit"], session: 2)
    bench.request(.trial(Entry(.perform(action: FlipApp.action("flip", "x")))))
    bench.request(.outcome(OutcomeQuery(base: 0, numbers: [1])))
    bench.drain()
    #expect(bench.order.isEmpty)
    bench.journaled()
    #expect(bench.order == ["publication", "reply", "reply", "reply", "reply"])
    // With entries of its own they leave with those.
    bench.act(2, "inc", "b")
    bench.drain()
    bench.take()
    bench.act(3, "inc", "c")
    bench.hello(["bit"], session: 3)
    bench.drain()
    bench.journaled()
    #expect(bench.order == ["reply", "append"])
    bench.journaled()
    #expect(bench.order == ["reply", "append", "reply", "reply"])
  }

  @Test("with nothing under way a read leaves when the drain ends")
  func readsAlone() {
    var bench = AuthorityBench(durable: true)
    bench.hello(["bit"])
    #expect(bench.replies.isEmpty)
    bench.drain()
    #expect(bench.order == ["reply"])
    #expect(bench.rows.isEmpty)
  }

  @Test("a new view's snapshot is never ahead of the journal")
  func newViewWaits() throws {
    var bench = Self.underWay()
    bench.subscribe("all")
    bench.hello(["all"], session: 2)
    bench.drain()
    bench.act(2, "inc", "b")
    bench.journaled()
    let view = try #require(bench.views.first)
    #expect(view.number == 1)
    #expect(
      view.content == .snapshot(value: [0x82, 1, 0x81, 0x82, 0x61, 0x61, 1], reason: "fresh"))
  }

  @Test("at most one row is at the journal; the next batch goes when it is free")
  func oneRow() {
    var bench = Self.underWay()
    bench.act(2, "inc", "b")
    bench.drain()
    bench.act(3, "inc", "c")
    bench.drain()
    #expect(bench.rows.isEmpty)
    bench.journaled()
    #expect(bench.rows.map(\.id) == [2])
    #expect(bench.rows.first?.entries.count == 2)
    #expect(bench.rows.first?.base == 1)
    #expect(bench.rows.first?.last == 3)
    bench.take()
    bench.send(.journaled(row: 7))
    #expect(bench.order.isEmpty)
  }

  @Test("what is computed from the published state leaves while an fsync hangs")
  func atOnce() {
    var bench = Self.underWay()
    bench.act(2, "inc", "b")
    bench.request(.alive(Alive(numbers: [WireSamples.counter: 1])))
    bench.request(.snapshot(Topic(view: "bit") ?? Topic(bytes: [])))
    bench.request(.replay(Topic(view: "bit") ?? Topic(bytes: []), from: 0))
    bench.request(.chunk(answer: 1, offset: 0))
    bench.request(.stats)
    bench.request(.views)
    bench.send(.malformed(request: 4, text: "no", route: Route(envelope: [])))
    bench.send(.subscribed(topic: Topic(doorbell: WireSamples.nonce).bytes))
    bench.wait(.seconds(1))
    #expect(bench.replies.count == 7)
    #expect(bench.rings.count == 1)
    #expect(bench.beats.count >= 3)
    for reply in bench.replies { #expect(reply.header.commit == 0) }
    #expect(bench.machine.published == 0)
  }

  @Test("a dry run says what would be, changes nothing and takes no number")
  func trial() {
    var bench = AuthorityBench()
    bench.hello()
    bench.drain()
    bench.request(.trial(Entry(.perform(action: FlipApp.action("flip", "x")))))
    bench.drain()
    guard case .trial(let code, _, let delta) = bench.replies.last?.body else {
      Issue.record("no answer")
      return
    }
    #expect(code == .ok)
    #expect(!delta.isEmpty)
    #expect(bench.machine.app.state == FlipApp.FlipState())
    bench.act(1, "flip", "x")
    bench.drain()
    #expect(bench.codes == [.ok])
    #expect(bench.outcomes.first?.commit == 1)
  }

  @Test("a full batch takes no more: busy, and the later numbers wait")
  func fullBatch() {
    var limits = Limits()
    limits.batchEntries = 2
    var bench = AuthorityBench(durable: true, limits: limits)
    bench.hello()
    bench.drain()
    bench.take()
    bench.act([(1, "inc", "a"), (2, "inc", "b"), (3, "inc", "c")])
    // The journal was free: the first two went at once.
    #expect(bench.rows.first?.entries.count == 2)
    bench.act([(4, "inc", "d"), (5, "inc", "e"), (6, "inc", "f")])
    bench.drain()
    bench.journaled()
    bench.journaled()
    #expect(bench.codes == [.ok, .ok, .ok, .ok, .busy, .busy])
    #expect(
      bench.outcomes.suffix(2).map(\.text) == [
        "the daemon is at its limit: send the same again in a moment",
        "action 5 was refused: this one waits until that one is sent again",
      ])
    bench.take()
    bench.act([(5, "inc", "e"), (6, "inc", "f")])
    bench.drain()
    bench.journaled()
    #expect(bench.codes == [.ok, .ok])
    #expect(bench.machine.app.state.applied.values.allSatisfy { $0 == 1 })
  }

  @Test("an effect's action is an entry with its cause; a refused one is not")
  func effects() throws {
    var bench = AuthorityBench(durable: true)
    bench.send(.effect(action: FlipApp.action("inc", "e"), cause: 4))
    bench.send(.effect(action: FlipApp.action("unheard-of", "e"), cause: 4))
    bench.drain()
    let row = try #require(bench.rows.first)
    #expect(row.entries.map(\.kind) == [.effect(action: FlipApp.action("inc", "e"), cause: 4)])
    #expect(row.entries.first?.session == nil)
    #expect(row.last == 1)
  }

  @Test("the first commit of an epoch is started, where the app wants it")
  func started() throws {
    var app = FlipApp()
    app.wantsStarted = true
    var bench = AuthorityBench(durable: true, app: app)
    bench.act(1, "inc", "a")
    bench.drain()
    let row = try #require(bench.rows.first)
    #expect(row.entries.map(\.kind).first == .started)
    #expect(row.entries.map(\.outcome.commit) == [1, 2])
  }

  @Test("a publication of several commits has no origin, one of a filtered batch spans it")
  func origins() throws {
    var bench = AuthorityBench()
    bench.subscribe("bit")
    bench.hello(["bit"])
    bench.drain()
    bench.act(1, "inc", "a")
    bench.drain()
    bench.act([(2, "flip", "b"), (3, "inc", "c")])
    bench.drain()
    let publication = try #require(bench.publications.last)
    #expect(bench.publications.count == 1)
    #expect(publication.from == 0)
    #expect(publication.to == 3)
    #expect(publication.origin == nil)
  }

  @Test("an answer names the views that its batch published, a repeated one all of the session's")
  func viewNumbers() throws {
    var bench = AuthorityBench()
    bench.subscribe("bit")
    bench.subscribe("all")
    bench.hello(["bit", "all"])
    bench.drain()
    let bit = try #require(Topic(view: "bit"))
    let all = try #require(Topic(view: "all"))
    func views(_ bench: AuthorityBench) -> [Topic: CommitNumber]? {
      if case .act(let answer) = bench.replies.last?.body { answer.views } else { nil }
    }
    bench.act(1, "flip", "a")
    bench.drain()
    #expect(views(bench) == [bit: 1, all: 1])
    bench.act(2, "inc", "b")
    bench.drain()
    #expect(views(bench) == [all: 2])
    bench.act(1, "flip", "a")
    bench.drain()
    #expect(views(bench) == [bit: 1, all: 2])
  }

  @Test("the log tells the newest durable entries")
  func log() {
    var bench = Self.underWay()
    func log() -> Int {
      bench.request(.log(from: 0, limit: 10))
      guard case .value(let value) = bench.replies.last?.body else { return -1 }
      return value.elements?.count ?? -1
    }
    #expect(log() == 0)
    bench.journaled()
    #expect(log() == 1)
  }
}
