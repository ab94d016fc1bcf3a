import StateModel
import Testing

@testable import SyncProtocol

@Suite("Authority: calls and mail (rule 22)")
struct AuthorityCallTests {
  static let handle = HandleName(owner: 1, epoch: AuthorityBench.epoch, name: "refresh")

  /// Session 1 offers `refresh`; session 2 is attached.
  static func bench(limits: Limits = Limits()) -> AuthorityBench {
    var app = FlipApp()
    app.wantsPresence = true
    var bench = AuthorityBench(limits: limits, app: app)
    AuthorityPresenceTests.attend(&bench, session: 1)
    AuthorityPresenceTests.offer(&bench, 1, "refresh", session: 1)
    bench.hello(session: 2)
    bench.drain()
    bench.take()
    return bench
  }

  static func call(
    _ id: UInt64, _ handle: HandleName = handle, argument: [UInt8] = [0x07],
    deadline: Duration = .seconds(10)
  ) -> Request.Body {
    .call(Call(id: id, handle: handle, argument: argument, deadline: deadline))
  }

  static func back(_ id: UInt64, _ result: [UInt8] = [0x08]) -> Request.Body {
    .giveBack(CallReturn(key: CallKey(caller: 2, id: id), end: CallEnd(code: .ok, result: result)))
  }

  /// The mail of a session, by a sign of life; `acked` is the highest number that it has.
  static func mail(
    _ bench: inout AuthorityBench, of session: UInt64, acked: UInt64 = 0
  ) -> [Mail.Content] {
    bench.take()
    bench.request(.alive(Alive(mail: acked)), session: session)
    guard case .alive(let answer)? = bench.replies.last?.body else { return [] }
    return answer.mail.map(\.content)
  }

  @Test("A call goes to the owner's mail, and what it gives back to the caller's")
  func callAndReturn() {
    var bench = Self.bench()
    bench.request(Self.call(1), session: 2)
    #expect(bench.code == .ok)
    #expect(
      Self.mail(&bench, of: 1) == [
        .call(CallKey(caller: 2, id: 1), name: "refresh", deadline: .seconds(10), argument: [0x07])
      ])
    bench.request(Self.back(1), session: 1)
    #expect(bench.code == .ok)
    #expect(Self.mail(&bench, of: 2) == [.result(1, CallEnd(code: .ok, result: [0x08]))])
    // Kept until acknowledged; given back again, it does nothing.
    bench.request(Self.back(1, [0x09]), session: 1)
    #expect(bench.code == .ok)
    #expect(Self.mail(&bench, of: 2) == [.result(1, CallEnd(code: .ok, result: [0x08]))])
    #expect(Self.mail(&bench, of: 2, acked: 1) == [])
    #expect(bench.machine.calls.count == 0)
  }

  @Test("A call that comes twice is one call; with other bytes its id is reused")
  func repeated() {
    var bench = Self.bench()
    bench.request(Self.call(3), session: 2)
    bench.request(Self.call(3), session: 2)
    #expect(bench.code == .ok)
    bench.request(Self.call(3, argument: [0x00]), session: 2)
    #expect(bench.code == .idReused)
    bench.request(Self.call(2), session: 2)
    #expect(bench.code == .expired)
    #expect(Self.mail(&bench, of: 1).count == 1)
    bench.request(Self.back(3), session: 1)
    bench.request(Self.call(3), session: 2)
    #expect(bench.code == .ok)
    #expect(Self.mail(&bench, of: 1, acked: 1) == [])
  }

  @Test("Only the last 256 calls are remembered")
  func remembered() {
    var limits = Limits()
    limits.calls = 2
    var bench = Self.bench(limits: limits)
    for id in UInt64(1)...3 {
      bench.request(Self.call(id), session: 2)
      bench.request(Self.back(id), session: 1)
    }
    bench.request(Self.call(2), session: 2)
    #expect(bench.code == .ok)
    bench.request(Self.call(1), session: 2)
    #expect(bench.code == .expired)
  }

  @Test(
    "A handle that is not offered, of another run or of nobody is gone",
    arguments: [
      HandleName(owner: 1, epoch: AuthorityBench.epoch, name: "other"),
      HandleName(owner: 1, epoch: Epoch(rawValue: 8), name: "refresh"),
      HandleName(owner: 7, epoch: AuthorityBench.epoch, name: "refresh"),
      HandleName(owner: 2, epoch: AuthorityBench.epoch, name: "refresh"),
    ])
  func gone(handle: HandleName) {
    var bench = Self.bench()
    bench.request(Self.call(1, handle), session: 2)
    #expect(bench.refusal?.code == .gone)
    #expect(
      bench.refusal?.text == "\(handle.name) of client \(handle.owner) is not offered any more")
  }

  @Test("The limit of handles counts those that are not published yet, in one request or several")
  func handleLimit() {
    var limits = Limits()
    limits.handles = 3
    var app = FlipApp()
    app.wantsPresence = true
    var bench = AuthorityBench(durable: true, limits: limits, app: app)
    AuthorityPresenceTests.attend(&bench)
    bench.journaled()
    func offers(_ entries: [(ActionNumber, Entry.Kind)]) -> Request.Body {
      .act(Act(base: 0, entries: entries.map { .init(number: $0.0, entry: Entry($0.1)) }))
    }
    bench.request(
      offers([
        (1, .offer(name: "a")), (2, .offer(name: "b")), (3, .withdraw(name: "a")),
        (4, .offer(name: "c")),
      ]))
    bench.drain()
    // These are under way, and not published.
    bench.request(offers([(5, .offer(name: "d")), (6, .offer(name: "b")), (7, .offer(name: "e"))]))
    bench.drain()
    bench.journaled()
    bench.journaled()
    #expect(bench.codes.suffix(3) == [.ok, .ok, .tooLarge])
    #expect(bench.machine.sessions[0].handles == ["c", "d", "b"])
  }

  @Test("A handle whose offer is not durable yet cannot be called")
  func notDurable() {
    var app = FlipApp()
    app.wantsPresence = true
    var bench = AuthorityBench(durable: true, app: app)
    AuthorityPresenceTests.attend(&bench, session: 1)
    bench.journaled()
    AuthorityPresenceTests.offer(&bench, 1, "refresh", session: 1)
    bench.hello(session: 2)
    bench.request(Self.call(1), session: 2)
    #expect(bench.code == .gone)
    bench.refuse()
    bench.request(Self.call(2), session: 2)
    #expect(bench.code == .gone)
  }

  @Test("When the owner leaves, its calls end as gone; when it is killed, too")
  func ownerLeaves() {
    for isKilled in [false, true] {
      var bench = Self.bench()
      bench.request(Self.call(1, deadline: .seconds(60)), session: 2)
      if isKilled {
        for _ in 0..<6 {
          bench.wait(.seconds(2))
          bench.request(.alive(Alive()), session: 2)
        }
      } else {
        bench.request(.bye, session: 1)
      }
      bench.drain()
      #expect(
        Self.mail(&bench, of: 2) == [
          .result(
            1, CallEnd(code: .gone, text: "client 1 has left before it gave anything back"))
        ])
      bench.request(Self.call(2), session: 2)
      #expect(bench.code == .gone)
      #expect(bench.machine.app.state.handles == [])
    }
  }

  @Test("A call whose time is over ends, and the owner is told that nobody waits")
  func overdue() {
    var bench = Self.bench()
    bench.request(Self.call(1, deadline: .milliseconds(500)), session: 2)
    bench.wait(.seconds(1))
    #expect(
      Self.mail(&bench, of: 2) == [
        .result(
          1,
          CallEnd(
            code: .overdue,
            text: "refresh gave nothing back in time: whether it was done is not known"))
      ])
    #expect(Self.mail(&bench, of: 1, acked: 1) == [.cancelCall(CallKey(caller: 2, id: 1))])
    bench.request(Self.back(1), session: 1)
    #expect(bench.code == .ok)
    #expect(Self.mail(&bench, of: 2, acked: 1) == [])
  }

  @Test("A pause of the daemon moves the deadlines of calls")
  func pause() {
    var bench = Self.bench()
    bench.request(Self.call(1, deadline: .seconds(1)), session: 2)
    bench.now = bench.now + .seconds(30)
    bench.send(.tick)
    #expect(bench.machine.calls.count == 1)
  }

  @Test("A cancelled call ends for both; one that is cancelled before it comes is never done")
  func cancelled() {
    var bench = Self.bench()
    bench.request(Self.call(1), session: 2)
    for _ in 0..<2 {
      bench.request(.cancel(.call(1)), session: 2)
      #expect(bench.code == .ok)
    }
    #expect(
      Self.mail(&bench, of: 2)
        == [.result(1, CallEnd(code: .cancelled, text: "the caller cancelled it"))])
    #expect(Self.mail(&bench, of: 1, acked: 1) == [.cancelCall(CallKey(caller: 2, id: 1))])
    bench.request(.cancel(.call(5)), session: 2)
    bench.request(Self.call(5), session: 2)
    #expect(bench.refusal?.code == .cancelled)
    #expect(Self.mail(&bench, of: 1, acked: 2) == [])
  }

  @Test("Full mail: the caller is busy, and told the same when it asks again")
  func busy() {
    var limits = Limits()
    limits.mailItems = 5
    var bench = Self.bench(limits: limits)
    bench.request(Self.call(1), session: 2)
    bench.request(Self.call(2), session: 2)
    #expect(bench.code == .ok)
    bench.request(Self.call(3), session: 2)
    #expect(bench.refusal?.code == .busy)
    #expect(
      bench.refusal?.text == "the mail of client 1 is full: call again in a moment")
    bench.request(Self.back(1), session: 1)
    _ = Self.mail(&bench, of: 1, acked: 2)
    bench.request(Self.call(3), session: 2)
    #expect(bench.code == .busy)
    bench.request(Self.call(4), session: 2)
    #expect(bench.code == .ok)
  }

  @Test("Bytes of mail are bounded: a call is busy, a result waits, a huge one is too large")
  func bytes() {
    var limits = Limits()
    limits.mailBytes = 1000
    var bench = Self.bench(limits: limits)
    let large = [UInt8](repeating: 0, count: 600).encodedAsBytes
    bench.request(Self.call(1, argument: large), session: 2)
    #expect(bench.code == .ok)
    bench.request(Self.call(2, argument: large), session: 2)
    #expect(bench.code == .busy)
    bench.request(Self.call(3, argument: large + [0xF6], deadline: .zero), session: 2)
    _ = Self.mail(&bench, of: 1, acked: 1)
    bench.request(Self.call(4), session: 2)
    bench.request(Self.back(1, large), session: 1)
    #expect(bench.code == .ok)
    bench.request(Self.back(4, large), session: 1)
    #expect(bench.code == .busy)
    _ = Self.mail(&bench, of: 2, acked: 1)
    bench.request(Self.back(4, large), session: 1)
    #expect(bench.code == .ok)
    _ = Self.mail(&bench, of: 2, acked: 2)
    bench.request(Self.call(5), session: 2)
    bench.request(
      Self.back(5, [UInt8](repeating: 0, count: 2000).encodedAsBytes), session: 1)
    #expect(
      Self.mail(&bench, of: 2, acked: 2) == [
        .result(
          5, CallEnd(code: .tooLarge, text: "the result has 2003 bytes, mail takes less"))
      ])
  }

  @Test("Only the owner answers a call")
  func stranger() {
    var bench = Self.bench()
    bench.request(Self.call(1), session: 2)
    bench.hello(session: 3)
    bench.drain()
    bench.request(Self.back(1), session: 3)
    #expect(bench.refusal?.code == .forbidden)
    #expect(bench.refusal?.text == "that call is for client 1 to answer")
  }

  @Test("Who has not said hello in this run is told to")
  func stranded() {
    var bench = Self.bench()
    bench.request(Self.call(1), session: 4)
    #expect(bench.refusal?.code == .helloAgain)
    bench.request(.wait(1), session: 4)
    #expect(bench.refusal?.code == .helloAgain)
    bench.request(Self.call(1), session: 2, epoch: Epoch(rawValue: 8))
    #expect(bench.refusal?.code == .retry)
  }

  @Test("A caller that falls silent: the owner hears of it, and the caller once it is back")
  func callerLapses() {
    var bench = Self.bench()
    bench.request(Self.call(1, deadline: .seconds(600)), session: 2)
    for _ in 0..<6 {
      bench.wait(.seconds(2))
      bench.request(.alive(Alive()), session: 1)
    }
    #expect(Self.mail(&bench, of: 1, acked: 1) == [.cancelCall(CallKey(caller: 2, id: 1))])
    #expect(
      Self.mail(&bench, of: 2) == [.lapsed(AuthorityMachine<FlipApp>.lapsedText)])
    bench.request(Self.call(1, deadline: .seconds(600)), session: 2)
    #expect(bench.refusal?.code == .helloAgain)
    bench.hello(session: 2)
    bench.drain()
    // It is answered as before, and not done again.
    bench.request(Self.call(1, deadline: .seconds(600)), session: 2)
    #expect(bench.code == .ok)
    #expect(Self.mail(&bench, of: 1, acked: 2) == [])
  }

  @Test("a session that was forgotten goes on with higher mail numbers when it comes back")
  func mailOfForgotten() {
    var limits = Limits()
    limits.sessions = 1
    var bench = AuthorityBench(limits: limits)
    func numbers() -> [UInt64] {
      guard case .alive(let answer)? = bench.replies.last?.body else { return [] }
      return answer.mail.map(\.number)
    }
    bench.hello()
    bench.drain()
    bench.wait(.seconds(20))
    bench.request(.alive(Alive(numbers: [:], mail: 0)))
    #expect(numbers() == [1])
    // Of one that did nothing nothing is lost: it makes room for another, which goes as well.
    bench.hello(session: 2)
    bench.drain()
    bench.wait(.seconds(20))
    bench.hello()
    bench.drain()
    bench.wait(.seconds(20))
    bench.request(.alive(Alive(numbers: [:], mail: 1)))
    #expect(numbers().allSatisfy { $0 > 1 } && !numbers().isEmpty)
  }
}

extension [UInt8] {
  /// The bytes as one byte string of CBOR.
  fileprivate var encodedAsBytes: [UInt8] {
    var encoder = CBOREncoder()
    encoder.byteString(self)
    return encoder.bytes
  }
}
