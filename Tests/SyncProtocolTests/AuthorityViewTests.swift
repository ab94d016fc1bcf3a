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

  // MARK: Resuming

  @Test("a mirror that holds what is published resumes without a delta")
  func resumes() {
    var bench = Self.watching(["bit"])
    Self.flip(&bench, 1)
    bench.hello(["bit"], positions: [bench.position("bit")])
    bench.drain()
    #expect(bench.views.first?.content == .resume([]))
    #expect(bench.views.first?.number == 1)
  }

  @Test("a mirror that is behind gets the kept deltas in order")
  func catchesUp() {
    var bench = Self.watching(["all"])
    Self.flip(&bench, 1)
    let position = bench.position("all")
    Self.flip(&bench, 2)
    Self.flip(&bench, 3)
    bench.hello(["all"], positions: [position])
    bench.drain()
    #expect(
      bench.views.first?.content == .resume(bench.publications.suffix(2).map(\.delta)))
    #expect(bench.views.first?.number == 3)
    #expect(bench.views.first?.digest == bench.publications.last?.digest)
  }

  @Test("a position is worth nothing without its digest")
  func digests() {
    var bench = Self.watching(["all"])
    Self.flip(&bench, 1)
    var position = bench.position("all")
    position?.digestValue ^= 1
    Self.flip(&bench, 2)
    bench.hello(["all"], positions: [position])
    bench.drain()
    guard case .snapshot(_, let reason) = bench.views.first?.content else {
      Issue.record("no snapshot")
      return
    }
    #expect(reason == "compacted")
  }

  @Test(
    "a position that is not on the history gets a snapshot, and the session goes on",
    arguments: [(9, 7), (5, 0), (9, 1)] as [(UInt64, UInt64)])
  func history(epoch: UInt64, number: UInt64) {
    var bench = Self.watching(["bit"])
    Self.flip(&bench, 1)
    let lineage = epoch == 9 && number == 1 ? WireSamples.lineage : AuthorityBench.lineage
    let position = Position(
      lineage: lineage, epoch: Epoch(rawValue: epoch), number: CommitNumber(rawValue: number),
      digestValue: bench.position("bit")?.digestValue ?? 0)
    bench.hello(["bit"], positions: [position])
    bench.drain()
    #expect(bench.views.first?.content == .snapshot(value: [1], reason: "history"))
  }

  @Test("after a restart a mirror resumes if the projection is what it holds, else it gets it anew")
  func restart() {
    let history = AuthoritySessionTests.old()
    var app = FlipApp()
    app.state.bit = 1
    var bench = AuthorityBench(app: app, history: history)
    bench.subscribe("bit")
    func position(_ bit: UInt8) -> Position {
      Position(
        lineage: AuthorityBench.lineage, epoch: Epoch(rawValue: 2), number: 17,
        digestValue: Digest(leaf: [bit]).rawValue)
    }
    bench.hello(["bit"], positions: [position(1)])
    bench.drain()
    #expect(bench.views.first?.content == .resume([]))
    #expect(bench.views.first?.number == 30)
    bench.hello(["bit"], positions: [position(0)])
    bench.drain()
    #expect(bench.views.first?.content == .snapshot(value: [1], reason: "compacted"))
  }

  @Test("a mirror of another schema gets a snapshot that says so")
  func schema() {
    var bench = Self.watching(["bit"])
    let position = bench.position("bit")
    for (hash, expected) in [
      (UInt64(11), ViewAnswer.Content.resume([])),
      (12, .snapshot(value: [0], reason: "schema")),
    ] {
      bench.request(
        .hello(
          Hello(views: [ViewRequest(name: "bit", schemaHash: hash, position: position)])))
      bench.drain()
      #expect(bench.views.first?.content == expected)
    }
  }

  @Test("deltas that are not kept any more end in a snapshot")
  func compacted() {
    var limits = Limits()
    limits.keptPerView = 300
    var bench = Self.watching(["all"], limits: limits)
    Self.flip(&bench, 1)
    let position = bench.position("all")
    for number in UInt64(2)...9 { Self.flip(&bench, number) }
    bench.hello(["all"], positions: [position])
    bench.drain()
    guard case .snapshot(_, let reason) = bench.views.first?.content else {
      Issue.record("no snapshot")
      return
    }
    #expect(reason == "compacted")
    #expect(bench.machine.views.keptBytes <= 300)
  }

  @Test("the deltas of all views together are bounded too")
  func keptInAll() {
    var limits = Limits()
    limits.kept = 500
    var bench = Self.watching(["all", "bit"], limits: limits)
    for number in UInt64(1)...20 {
      Self.flip(&bench, number)
      #expect(bench.machine.views.keptBytes <= 500)
    }
  }

  // MARK: Replays

  @Test("a replay gives what follows a number, as far as fits: it always progresses")
  func replay() {
    var limits = Limits()
    limits.answer = 30
    var bench = Self.watching(["all"], limits: limits)
    for number in UInt64(1)...4 { Self.flip(&bench, number) }
    var reached: CommitNumber = 0
    var rounds = 0
    while reached < 4, rounds < 9 {
      rounds += 1
      bench.request(.replay(Self.all, from: reached))
      guard case .resume(let deltas) = bench.views.first?.content, !deltas.isEmpty else { break }
      #expect(
        bench.views.first?.digest
          == bench.publications.first { $0.to == bench.views.first?.number }?.digest)
      reached = bench.views.first?.number ?? 0
    }
    #expect(reached == 4)
    #expect(rounds > 1)
    bench.request(.replay(Self.all, from: 4))
    #expect(bench.views.first?.content == .resume([]))
  }

  @Test("a replay of another epoch, from the future or of no view is told so")
  func replayElsewhere() {
    var bench = Self.watching(["bit"])
    bench.request(.replay(Self.bit, from: 0), epoch: Epoch(rawValue: 1))
    #expect(bench.views.first?.content == .snapshot(value: [0], reason: "history"))
    bench.request(.replay(Self.bit, from: 3))
    #expect(bench.views.first?.content == .snapshot(value: [0], reason: "history"))
    bench.request(.replay(Self.all, from: 0))
    #expect(bench.refusal?.code == .unknown)
    #expect(
      bench.refusal?.text
        == "no view has this topic (any more): name it in a hello or a join first")
    bench.request(.snapshot(Self.all))
    #expect(bench.refusal?.code == .unknown)
  }

  // MARK: Large ones

  static func grow(_ bench: inout AuthorityBench, _ number: ActionNumber, _ size: Int) {
    bench.act(number, "grow", String(size))
    bench.drain()
  }

  @Test("a large snapshot is pinned, pulled in chunks, and goes on by replay")
  func pull() throws {
    var bench = Self.watching(["blob"])
    Self.grow(&bench, 1, 600_000)
    bench.hello(["blob"])
    bench.drain()
    let view = try #require(bench.views.first)
    guard case .pull(let answer, let size, let reason) = view.content else {
      Issue.record("not pulled")
      return
    }
    #expect(reason == "fresh")
    #expect(size == 600_005)
    // The value goes on while it is pulled.
    Self.grow(&bench, 2, 10)
    var bytes: [UInt8] = []
    while UInt64(bytes.count) < size {
      bench.request(.chunk(answer: answer, offset: UInt64(bytes.count)))
      guard case .chunk(let chunk) = bench.replies.last?.body, !chunk.bytes.isEmpty else { break }
      #expect(chunk.bytes.count <= 262_144)
      bytes += chunk.bytes
    }
    #expect(Digest(leaf: bytes) == view.digest)
    bench.request(.replay(Self.blob, from: view.number))
    #expect(bench.views.first?.number == 2)
    guard case .resume(let deltas) = bench.views.first?.content else {
      Issue.record("no replay")
      return
    }
    #expect(deltas.count == 1)
  }

  @Test("a replay from a pinned value works when its deltas are gone: one delta from the pin")
  func replayFromPin() throws {
    var limits = Limits()
    limits.keptPerView = 500
    var bench = Self.watching(["blob"], limits: limits)
    Self.grow(&bench, 1, 600_000)
    bench.hello(["blob"])
    bench.drain()
    let number = try #require(bench.views.first).number
    for action in UInt64(2)...9 { Self.grow(&bench, action, 100 + Int(action)) }
    bench.request(.replay(Self.blob, from: number))
    guard case .resume(let deltas) = bench.views.first?.content else {
      Issue.record("no replay")
      return
    }
    #expect(deltas.count == 1)
    #expect(bench.views.first?.number == 9)
  }

  @Test("pins are shared, bounded, and released after the last pull")
  func pins() {
    var limits = Limits()
    limits.pinned = 1
    limits.publication = 3
    var bench = Self.watching(["blob", "all"], limits: limits)
    Self.grow(&bench, 1, 100)
    Self.flip(&bench, 2)
    bench.hello(["blob"])
    bench.hello(["blob"], session: 2)
    bench.drain()
    #expect(bench.machine.pins.pins.count == 1)
    bench.hello(["all"], session: 3)
    bench.drain()
    #expect(
      bench.views.first?.content
        == .refused(
          code: .busy,
          text: "1 large snapshots are being pulled, which is the limit: ask for the view again in "
            + "a moment"))
    bench.wait(.seconds(9))
    bench.request(.chunk(answer: 1, offset: 0))
    bench.wait(.seconds(9))
    #expect(bench.machine.pins.pins.count == 1)
    bench.wait(.seconds(3))
    #expect(bench.machine.pins.pins.isEmpty)
    bench.request(.chunk(answer: 1, offset: 0))
    #expect(bench.refusal?.code == .unknown)
    #expect(
      bench.refusal?.text
        == "answer 1 has no byte 0 or is not kept any more: ask for the view again")
  }

  @Test("what does not fit into one answer is pulled")
  func budget() {
    var limits = Limits()
    limits.answer = 150
    var bench = AuthorityBench(limits: limits)
    Self.grow(&bench, 1, 100)
    bench.hello(["blob", "bit"])
    bench.hello(["all"])
    bench.drain()
    limits.answer = 3
    bench = AuthorityBench(limits: limits)
    bench.hello(["bit", "all"])
    bench.drain()
    guard case .snapshot = bench.views.first?.content, case .pull = bench.views.last?.content else {
      Issue.record("the second one does not fit beside the first")
      return
    }
  }

  @Test("a large publication goes out without its payload, and so does any after a burst")
  func withoutPayload() throws {
    var bench = Self.watching(["blob"])
    Self.grow(&bench, 1, 300_000)
    #expect(bench.publications.last?.flags == .pull)
    #expect(bench.publications.last?.delta == Delta(bytes: []))
    bench.request(.replay(Self.blob, from: 0))
    guard case .resume = bench.views.first?.content else {
      Issue.record("no replay")
      return
    }

    var limits = Limits()
    limits.publishedBurst = 4_000
    bench = Self.watching(["blob"], limits: limits)
    Self.grow(&bench, 1, 2_000)
    Self.grow(&bench, 2, 2_001)
    #expect(bench.publications.map(\.flags) == [.whole, .pull])
    bench.wait(.seconds(12))
    Self.grow(&bench, 3, 2_000)
    #expect(bench.publications.last?.flags == .whole)
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
