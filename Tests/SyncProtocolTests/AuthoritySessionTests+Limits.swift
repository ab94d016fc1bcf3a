import StateModel
import Testing

@testable import SyncProtocol

/// Who may do what, and how much of it.
extension AuthoritySessionTests {
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

  @Test("kinds that are reserved or unknown are not offered", arguments: ["lease", "why", "x"])
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

  @Test(
    "where all sessions are in use, the connection that has most gives one up, and the log says so")
  func crowd() {
    var limits = Limits()
    limits.sessions = 4
    var bench = AuthorityBench(durable: true, limits: limits)
    bench.hello(session: 1)
    for session in UInt64(2)...4 { bench.hello(session: session, connection: 9) }
    bench.drain()
    bench.wait(.seconds(1))
    // Session 2 was silent for longest, and the others were heard.
    for session in UInt64(1)...4 where session != 2 {
      bench.request(.alive(Alive()), session: session)
    }
    bench.take()
    bench.hello(session: 5)
    bench.drain()
    #expect(bench.helloAnswer != nil)
    #expect(Self.isAttached(&bench, 2) == false)
    #expect(
      bench.order.filter { $0.hasPrefix("report") } == [
        "report all 4 sessions are in use: client 2 of 1000, one of 3 on its connection, makes room "
          + "for a new one; 1 sessions had to until now. Try: find out which program opens so many, "
          + "or raise limits-sessions."
      ])
    // Nobody gets in by pushing: it would have more than it would leave to another.
    bench.hello(session: 6, connection: 9)
    bench.drain()
    #expect(bench.refusal?.code == .busy)
    #expect(
      bench.refusal?.text == "all 4 sessions are in use: end one, or try again in a moment")
    // One more newcomer, and all connections have one: now nobody gives way.
    bench.hello(session: 7)
    bench.drain()
    #expect(bench.helloAnswer != nil)
    bench.hello(session: 8)
    bench.drain()
    #expect(bench.refusal?.code == .busy)
    #expect(Self.isAttached(&bench, 1) == true)
    #expect(Self.isAttached(&bench, 5) == true)
    #expect(Self.isAttached(&bench, 7) == true)
    // Who comes back by another connection counts there.
    bench.hello(session: 7, connection: 5)
    bench.hello(session: 8)
    bench.drain()
    #expect(bench.helloAnswer != nil)
  }

  /// Whether the daemon does not ask a session to say hello again.
  private static func isAttached(_ bench: inout AuthorityBench, _ session: UInt64) -> Bool? {
    bench.request(.alive(Alive()), session: session)
    guard case .alive(let answer)? = bench.replies.last?.body else { return nil }
    return !answer.helloAgain
  }

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
}
