import StateModel
import Testing

@testable import SyncProtocol

@Suite("Authority: presence and handles (rule 22)")
struct AuthorityPresenceTests {
  /// A bench whose app lists who is there.
  static func bench(durable: Bool = false) -> AuthorityBench {
    var app = FlipApp()
    app.wantsPresence = true
    return AuthorityBench(durable: durable, app: app)
  }

  static func attend(
    _ bench: inout AuthorityBench, session: UInt64 = 1, name: String = "", doorbell: Nonce? = nil
  ) {
    bench.request(
      .hello(Hello(doorbell: doorbell, present: true, name: name)), session: session, epoch: nil)
    bench.drain()
  }

  static func offer(
    _ bench: inout AuthorityBench, _ number: ActionNumber, _ name: String, session: UInt64 = 1
  ) {
    bench.request(
      .act(Act(base: 0, entries: [Act.Numbered(number: number, entry: Entry(.offer(name: name)))])),
      session: session)
    bench.drain()
  }

  /// Signs of life of a session, one every two seconds.
  static func live(_ bench: inout AuthorityBench, session: UInt64, seconds: Int) {
    for _ in 0..<(seconds / 2) {
      bench.wait(.seconds(2))
      bench.request(.alive(Alive()), session: session)
      bench.drain()
    }
  }

  @Test("A client that asks to be present joins as a commit, and leaves as one")
  func joinsAndLeaves() {
    var bench = Self.bench()
    Self.attend(&bench, name: "one")
    #expect(bench.helloAnswer?.publicNumber == 1)
    #expect(bench.machine.published == 1)
    #expect(bench.machine.app.state.present == ["1 joined one"])
    // Hello again, as after a link that was made anew: no commit.
    Self.attend(&bench, name: "one")
    #expect(bench.machine.published == 1)
    Self.attend(&bench, name: "uno")
    bench.request(.bye)
    bench.drain()
    #expect(bench.machine.app.state.present == ["1 joined one", "1 joined uno", "1 left"])
  }

  @Test("A client that does not ask costs no commit, and neither does lag")
  func absent() {
    var bench = Self.bench()
    bench.hello()
    bench.drain()
    Self.live(&bench, session: 1, seconds: 20)
    bench.wait(.seconds(30))
    bench.drain()
    #expect(bench.machine.published == 0)
  }

  @Test("Three missed signs of life are away, five gone; a sign of life in between is back")
  func silence() {
    var bench = Self.bench()
    Self.attend(&bench)
    bench.wait(.seconds(7))
    bench.drain()
    #expect(bench.machine.app.state.present == ["1 joined ", "1 away"])
    bench.request(.alive(Alive()))
    bench.drain()
    #expect(bench.machine.app.state.present.last == "1 back")
    bench.wait(.seconds(11))
    bench.drain()
    #expect(bench.machine.app.state.present.suffix(2) == ["1 away", "1 left"])
    bench.take()
    bench.request(.alive(Alive()))
    guard case .alive(let answer)? = bench.replies.last?.body else {
      Issue.record("not answered")
      return
    }
    #expect(answer.helloAgain)
    Self.attend(&bench)
    #expect(bench.machine.app.state.present.last == "1 joined ")
  }

  @Test("A client whose link was cut and that is silent is gone after three seconds")
  func cut() {
    var bench = Self.bench()
    let doorbell = Topic(doorbell: WireSamples.nonce).bytes
    bench.send(.subscribed(topic: doorbell))
    Self.attend(&bench, doorbell: WireSamples.nonce)
    bench.send(.unsubscribed(topic: doorbell))
    bench.wait(.seconds(2))
    bench.drain()
    #expect(bench.machine.app.state.present == ["1 joined "])
    bench.wait(.seconds(2))
    bench.drain()
    #expect(bench.machine.app.state.present == ["1 joined ", "1 left"])
  }

  @Test("A link that is cut and made anew costs nothing")
  func cutAndBack() {
    var bench = Self.bench()
    let doorbell = Topic(doorbell: WireSamples.nonce).bytes
    bench.send(.subscribed(topic: doorbell))
    Self.attend(&bench, doorbell: WireSamples.nonce)
    bench.send(.unsubscribed(topic: doorbell))
    bench.send(.subscribed(topic: doorbell))
    Self.live(&bench, session: 1, seconds: 12)
    #expect(bench.machine.app.state.present == ["1 joined "])
  }

  @Test("A pause of the daemon is not taken for its clients' silence")
  func pause() {
    var bench = Self.bench()
    Self.attend(&bench)
    bench.now = bench.now + .seconds(60)
    bench.send(.tick)
    bench.drain()
    #expect(bench.machine.app.state.present == ["1 joined "])
  }

  @Test("A full disk puts coming and going back: they are commits once there is space")
  func noSpace() {
    var bench = Self.bench(durable: true)
    Self.attend(&bench, name: "one")
    bench.refuse()
    #expect(bench.machine.app.state.present == [])
    bench.wait(.seconds(2))
    bench.drain()
    bench.journaled()
    #expect(bench.machine.app.state.present == ["1 joined one"])
    #expect(bench.journal.last?.entries.map(\.kind) == [.presence(.joined(1, name: "one"))])
  }

  @Test("A handle that is offered is in the state and can be called once it is published")
  func offers() {
    var bench = Self.bench(durable: true)
    Self.attend(&bench)
    bench.journaled()
    Self.offer(&bench, 1, "refresh")
    #expect(bench.machine.sessions[0].handles == [])
    bench.journaled()
    #expect(bench.codes == [.ok])
    #expect(bench.machine.app.state.handles == ["1 refresh"])
    #expect(bench.machine.sessions[0].handles == ["refresh"])
    bench.request(.bye)
    bench.drain()
    #expect(bench.machine.sessions[0].handles == [])
    #expect(bench.machine.app.state.handles == [])
  }

  @Test("Only a session that is present offers; the number is not consumed")
  func offersUnasked() {
    var bench = Self.bench()
    bench.hello()
    Self.offer(&bench, 1, "refresh")
    #expect(bench.codes == [.helloAgain])
    #expect(bench.outcomes.first?.text == AuthorityMachine<FlipApp>.presentFirst)
    Self.attend(&bench)
    bench.take()
    Self.offer(&bench, 1, "refresh")
    #expect(bench.codes == [.ok])
  }

  @Test("An app that keeps no handles refuses them")
  func noHandles() {
    var bench = AuthorityBench()
    bench.hello()
    Self.offer(&bench, 1, "refresh")
    #expect(bench.codes == [.notOffered])
    #expect(bench.outcomes.first?.text == "this app keeps no handles")
  }

  @Test("A session offers no more handles than the limit")
  func tooMany() {
    var bench = Self.bench()
    Self.attend(&bench)
    for number in UInt64(1)...64 { Self.offer(&bench, number, "h\(number)") }
    bench.take()
    Self.offer(&bench, 65, "h65")
    #expect(bench.codes == [.tooLarge])
    Self.offer(&bench, 65, "h1")
    #expect(bench.codes == [.tooLarge, .ok])
  }

  @Test("Public numbers of clients that were only present are not given again after a restart")
  func numbersAfterRestart() {
    var bench = Self.bench(durable: true)
    Self.attend(&bench, session: 1)
    bench.journaled()
    Self.attend(&bench, session: 2)
    bench.journaled()
    var replay = SessionReplay()
    for row in bench.journal { replay.apply(row) }
    #expect(replay.finish().nextPublicNumber == 3)
  }

  @Test("A name that is too long is refused")
  func longName() {
    var bench = Self.bench()
    Self.attend(&bench, name: String(repeating: "n", count: 65))
    #expect(bench.refusal?.code == .tooLarge)
    #expect(bench.refusal?.text == "the name has 65 bytes, the limit is 64")
  }
}
