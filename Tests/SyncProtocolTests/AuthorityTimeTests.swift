import StateModel
import Testing

@testable import SyncProtocol

@Suite("Authority: beats, doorbells, going away")
struct AuthorityTimeTests {
  @Test("the daemon beats every 250 ms while there is work, every second while there is none")
  func beats() {
    var bench = AuthorityBench()
    bench.wait(.seconds(4))
    #expect(bench.beats.count == 4)
    #expect(bench.beats.allSatisfy { $0.next == .seconds(1) })
    bench.take()
    for number in UInt64(1)...8 {
      bench.act(number, "inc", "a\(number)")
      bench.drain()
      bench.wait(.milliseconds(125))
    }
    #expect((3...5).contains(bench.beats.count))
    #expect(bench.beats.last?.next == .milliseconds(250))
    #expect((bench.beats.last?.commit ?? 0) >= 6)
    #expect(bench.beats.last?.durable == bench.beats.last?.commit)
  }

  @Test("a view beats after 1, 2, 4, 8 and 16 s, beginning anew with every delta")
  func viewBeats() {
    var bench = AuthorityViewTests.watching(["bit"])
    AuthorityViewTests.flip(&bench, 1)
    bench.take()
    var times: [Int64] = []
    let start = bench.now
    for _ in 0..<480 {
      bench.wait(.milliseconds(100))
      if !bench.publications.isEmpty {
        let beat = bench.publications[0]
        #expect(beat.flags == .beat)
        #expect(beat.from == beat.to)
        #expect(beat.to == 1)
        #expect(beat.digest == Digest(leaf: [1]))
        #expect(beat.delta.bytes.isEmpty)
        times.append((bench.now.nanoseconds - start.nanoseconds + 50_000_000) / 1_000_000_000)
      }
      bench.take()
    }
    #expect(times == [1, 3, 7, 15, 31, 47])
    AuthorityViewTests.flip(&bench, 2)
    bench.take()
    bench.wait(.milliseconds(1100))
    #expect(bench.publications.count == 1)
  }

  @Test("a doorbell is answered at once, and at most once a second")
  func doorbells() {
    var bench = AuthorityBench()
    let doorbell = Topic(doorbell: WireSamples.nonce).bytes
    bench.send(.subscribed(topic: doorbell))
    #expect(bench.rings.map(\.isWelcome) == [true])
    #expect(bench.rings.first?.epoch == AuthorityBench.epoch)
    bench.wait(.milliseconds(300))
    for _ in 0..<5 { bench.send(.subscribed(topic: doorbell)) }
    #expect(bench.rings.count == 1)
    // The link was made anew within the second: the client is told at its end.
    bench.wait(.milliseconds(800))
    #expect(bench.rings.count == 2)
    bench.wait(.seconds(5))
    #expect(bench.rings.count == 2)
    bench.send(.subscribed(topic: doorbell))
    #expect(bench.rings.count == 3)
  }

  @Test("doorbells are remembered within bounds, also in a flood")
  func flood() {
    var limits = Limits()
    limits.subscriptions = 4
    var bench = AuthorityBench(limits: limits)
    for number in UInt64(0)..<10 {
      bench.send(
        .subscribed(topic: Topic(doorbell: Nonce(Bytes16(high: 0, low: number))).bytes))
    }
    #expect(bench.rings.count == 4)
    bench.wait(.seconds(2))
    bench.send(.subscribed(topic: Topic(doorbell: WireSamples.nonce).bytes))
    #expect(bench.rings.count == 5)
  }

  @Test(
    "topics that nobody can publish cost nothing",
    arguments: [[], [0x7E, 1], [0x41], [0x44]] as [[UInt8]])
  func oddTopics(topic: [UInt8]) {
    var bench = AuthorityBench()
    bench.send(.subscribed(topic: topic))
    bench.send(.unsubscribed(topic: topic))
    #expect(bench.order.isEmpty)
    #expect(bench.machine.views.count == 0)
  }

  @Test("a daemon that was stopped for a minute does not take its silence for its clients'")
  func pause() {
    var bench = AuthorityViewTests.watching(["bit"])
    bench.now = bench.now + .seconds(60)
    bench.send(.tick)
    #expect(bench.machine.sessions[0].isAttached)
    bench.wait(.seconds(5))
    #expect(bench.machine.sessions[0].isAttached)
    bench.wait(.seconds(2))
    #expect(!bench.machine.sessions[0].isAttached)
  }

  // MARK: Going away

  @Test("SIGTERM: new work is refused, the batch under way is finished, clients are told")
  func stop() {
    var bench = AuthorityBench(durable: true)
    bench.hello(doorbell: WireSamples.nonce)
    bench.drain()
    bench.act(1, "inc", "a")
    bench.drain()
    bench.act(2, "inc", "b")
    bench.take()
    bench.send(.stop(text: "SIGTERM"))
    bench.act(3, "inc", "c")
    #expect(bench.refusal?.code == .retry)
    #expect(bench.refusal?.text == "the daemon is going away (SIGTERM): try again")
    bench.journaled()
    bench.journaled()
    #expect(bench.codes == [.ok, .ok])
    #expect(bench.rings.map(\.mail) == [1])
    #expect(bench.stopped == nil)
    bench.request(.alive(Alive()))
    guard case .alive(let answer) = bench.replies.last?.body else { return }
    #expect(answer.mail == [Mail(number: 1, content: .goingAway("SIGTERM"))])
    #expect(bench.stopped == .asked("SIGTERM"))
    #expect(bench.machine.nextDeadline == nil)
    #expect(bench.machine.app.state.applied == ["a": 1, "b": 1])
  }

  @Test("a client that does not read its mail holds the daemon up for a moment only")
  func stopDeadline() {
    var bench = AuthorityBench()
    bench.hello(doorbell: WireSamples.nonce)
    bench.drain()
    bench.send(.stop(text: "SIGTERM"))
    #expect(bench.stopped == nil)
    bench.wait(.milliseconds(600))
    #expect(bench.stopped == .asked("SIGTERM"))
    bench.send(.stop(text: "again"))
    bench.request(.views)
    #expect(bench.refusal?.code == .retry)
  }

  @Test("with nobody there the daemon stops at once")
  func stopAlone() {
    var bench = AuthorityBench(durable: true)
    bench.send(.stop(text: "SIGTERM"))
    #expect(bench.order == ["stopped"])
  }

  @Test("mail is numbered, kept until it is acknowledged, and has so many places and bytes")
  func mail() {
    var limits = Limits()
    limits.mailItems = 4
    limits.mailBytes = 300
    var box = Mailbox()
    for number in 1...3 { box.add(.evicted("\(number)")) }
    #expect(box.bytes == 3 * 49)
    #expect(box.hasRoom(for: 1, bytes: 150, limits: limits))
    #expect(!box.hasRoom(for: 1, bytes: 154, limits: limits))
    #expect(!box.hasRoom(for: 2, limits: limits))
    box.reserve()
    #expect(!box.hasRoom(for: 1, limits: limits))
    #expect(box.head(within: 100).map(\.number) == [1, 2])
    #expect(box.head(within: 10).map(\.number) == [1])
    box.acknowledge(through: 2)
    #expect(box.items.map(\.number) == [3])
    box.clear()
    #expect(box.hasRoom(for: 4, limits: limits))
    box.add(.lapsed("silent"))
    #expect(box.items.map(\.number) == [4])
  }
}
