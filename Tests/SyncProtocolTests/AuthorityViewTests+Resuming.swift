import StateModel
import Testing

@testable import SyncProtocol

/// How a mirror comes to the present: resumes, snapshots, replays.
extension AuthorityViewTests {
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
}
