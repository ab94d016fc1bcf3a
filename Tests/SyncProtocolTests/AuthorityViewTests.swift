import StateModel
import Testing

@testable import SyncProtocol

@Suite("Authority: views, resume, snapshots")
struct AuthorityViewTests {
  static let bit = Topic(view: "bit") ?? Topic(bytes: [])
  static let all = Topic(view: "all") ?? Topic(bytes: [])
  static let blob = Topic(view: "blob") ?? Topic(bytes: [])

  /// A machine whose views somebody subscribes and has joined.
  static func watching(
    _ names: [String], limits: Limits = Limits(), durable: Bool = false
  ) -> AuthorityBench {
    var bench = AuthorityBench(durable: durable, limits: limits)
    for name in names { bench.subscribe(name) }
    bench.hello(names)
    bench.drain()
    bench.take()
    return bench
  }

  static func flip(_ bench: inout AuthorityBench, _ number: ActionNumber) {
    bench.act(number, "flip", "a\(number)")
    bench.drain()
  }

  // MARK: Life of a view

  @Test("a view is projected from the hello that names it until its last subscriber has left")
  func life() {
    var bench = AuthorityBench()
    bench.subscribe("bit")
    Self.flip(&bench, 1)
    #expect(bench.machine.views.count == 0)
    bench.hello(["bit"])
    bench.drain()
    #expect(bench.views.first?.number == 1)
    Self.flip(&bench, 2)
    #expect(bench.publications.map(\.to) == [2])
    bench.send(.unsubscribed(topic: Self.bit.bytes))
    Self.flip(&bench, 3)
    #expect(bench.publications.count == 1)
    #expect(bench.position("bit")?.number == 2)
    // Named again in time: it goes on from where it was.
    bench.hello(["bit"], positions: [bench.position("bit")])
    bench.drain()
    #expect(bench.publications.map(\.to) == [2, 3])
    #expect(bench.publications.last?.from == 2)
    #expect(bench.views.first?.number == 3)
    #expect(bench.machine.views.live.isEmpty)
  }

  @Test("a view that nobody wants is kept for 60 s")
  func kept() {
    var bench = Self.watching(["bit"])
    bench.send(.unsubscribed(topic: Self.bit.bytes))
    bench.wait(.seconds(58))
    #expect(bench.machine.views.count == 1)
    bench.wait(.seconds(3))
    #expect(bench.machine.views.count == 0)
  }

  @Test("a hello without a subscription costs one projection, and none afterwards")
  func oneShot() {
    var bench = AuthorityBench()
    bench.hello(["bit"])
    bench.drain()
    #expect(bench.views.first?.content == .snapshot(value: [0], reason: "fresh"))
    Self.flip(&bench, 1)
    #expect(bench.publications.isEmpty)
    // A later pull shows the state as it is then.
    bench.request(.snapshot(Self.bit))
    #expect(bench.views.isEmpty)
    bench.drain()
    #expect(bench.views.first?.content == .snapshot(value: [1], reason: "fresh"))
    #expect(bench.views.first?.number == 1)
  }

  @Test("a subscription to a view that was idle brings it up to date")
  func wakes() {
    var bench = AuthorityBench()
    bench.hello(["bit"])
    bench.drain()
    Self.flip(&bench, 1)
    bench.subscribe("bit")
    bench.drain()
    #expect(bench.publications.map(\.to) == [1])
  }

  @Test("more subscriptions than are remembered: every view counts as subscribed")
  func overrun() {
    var limits = Limits()
    limits.subscriptions = 1
    var bench = AuthorityBench(limits: limits)
    bench.hello(["bit"])
    bench.drain()
    bench.send(.subscribed(topic: [0x44, 0x61, 0x00, 0x01]))
    bench.subscribe("bit")
    bench.hello(["all"])
    bench.drain()
    Self.flip(&bench, 1)
    #expect(Set(bench.publications.map(\.topic)) == [Self.bit, Self.all])
  }

  @Test("unknown views and bad names are refused in the answer, each alone")
  func refused() {
    var bench = AuthorityBench()
    bench.hello(["none", "bit", "a b"])
    bench.drain()
    #expect(
      bench.views.map(\.content) == [
        .refused(code: .unknown, text: "no view is called none"),
        .snapshot(value: [0], reason: "fresh"),
        .refused(
          code: .unknown,
          text: "`a b` is no name of a view: 1 to 64 of A-Z a-z 0-9 . _ -"),
      ])
    #expect(bench.machine.views.count == 1)
  }

  @Test("views a session and views in all are bounded, idle ones make room")
  func limits() {
    var limits = Limits()
    limits.viewsPerSession = 2
    limits.views = 1
    var bench = AuthorityBench(limits: limits)
    bench.hello(["bit", "all", "blob"])
    #expect(bench.refusal?.code == .tooLarge)
    #expect(bench.refusal?.text == "3 views, the limit of a session is 2: leave some first")
    bench.subscribe("bit")
    bench.hello(["bit", "all"])
    bench.drain()
    #expect(
      bench.views.last?.content
        == .refused(
          code: .busy, text: "all 1 views of the daemon are in use: try again in a moment"))
    bench.send(.unsubscribed(topic: Self.bit.bytes))
    bench.hello(["all"])
    bench.drain()
    #expect(bench.views.map(\.topic) == [Self.all])
    #expect(bench.machine.views.count == 1)
  }

  @Test("join adds views, leave drops them, and needs a hello first")
  func joinAndLeave() {
    var bench = AuthorityBench()
    bench.request(.join(Join(doorbell: nil, views: [ViewRequest(name: "bit")])))
    #expect(bench.refusal?.code == .retry)
    #expect(
      bench.refusal?.text == "the daemon does not know this session (any more): say hello")
    bench.hello(["bit"])
    bench.request(.join(Join(doorbell: nil, views: [ViewRequest(name: "all")])))
    bench.drain()
    #expect(bench.views.map(\.topic) == [Self.all])
    #expect(bench.machine.sessions[0].views.count == 2)
    bench.request(.leave([Self.bit]))
    #expect(bench.machine.sessions[0].views.count == 1)
    bench.request(.bye)
    #expect(bench.machine.sessions[0].views.isEmpty)
  }

  // MARK: Alive

  @Test("alive gives the published numbers, and who was behind already one beat ago")
  func alive() {
    var bench = Self.watching(["bit", "all"])
    Self.flip(&bench, 1)
    bench.wait(.milliseconds(300))
    Self.flip(&bench, 2)
    func ask(_ numbers: [Topic: CommitNumber]) -> AliveAnswer? {
      bench.request(.alive(Alive(numbers: numbers)))
      if case .alive(let answer) = bench.replies.last?.body { return answer }
      return nil
    }
    let fresh = ask([Self.bit: 1, Self.all: 2, Self.blob: 5])
    #expect(fresh?.commit == 2)
    #expect(fresh?.numbers == [Self.bit: 2, Self.all: 2])
    #expect(fresh?.behind == [])
    #expect(ask([Self.bit: 0])?.behind == [Self.bit])
    bench.wait(.milliseconds(300))
    #expect(ask([Self.bit: 1])?.behind == [Self.bit])
  }

  @Test("a session that fell silent is told to say hello again, its outcomes are kept")
  func silence() {
    var bench = Self.watching(["bit"])
    Self.flip(&bench, 1)
    func again() -> Bool? {
      bench.request(.alive(Alive()))
      if case .alive(let answer) = bench.replies.last?.body { return answer.helloAgain }
      return nil
    }
    bench.wait(.seconds(5))
    #expect(again() == false)
    bench.wait(.seconds(7))
    #expect(again() == true)
    #expect(bench.machine.sessions[0].views.isEmpty)
    bench.act(1, "flip", "a1")
    bench.drain()
    #expect(bench.codes.last == .ok)
    bench.hello(["bit"])
    bench.drain()
    #expect(again() == false)
  }
}
