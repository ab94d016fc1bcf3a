import StateModel
import SyncProtocol
import Testing

@Suite("A client's mirrors")
struct ClientMirrorTests {
  @Test("Subscribe, ring, wait for the welcome, hello: in this order")
  func join() throws {
    var bench = ClientBench()
    bench.tell(.addView(ClientBench.view, name: "all", parameters: [0xF6], replica: ToyReplica()))
    #expect(bench.outputs.isEmpty)
    bench.tell(.open)
    #expect(bench.subscribed.map { $0.first ?? 0 } == Array("HD~".utf8))
    #expect(bench.sent.isEmpty)
    bench.welcome()
    let hello = try bench.hello()
    #expect(hello.body.doorbell == bench.doorbell)
    #expect(hello.body.views == [ViewRequest(name: "all")])
    #expect(bench.isStale)
    bench.answerHello(views: [bench.snapshot([1, 2], at: 5)])
    #expect(!bench.isStale)
    #expect(bench.value == [1, 2])
    #expect(bench.outputs.contains(.fresh(ClientBench.view, 5)))
    #expect(bench.machine.position(of: ClientBench.view)?.number == 5)
  }

  @Test("A welcome that does not come is rung for again, with another nonce")
  func noWelcome() {
    var bench = ClientBench()
    bench.tell(.addView(ClientBench.view, name: "all", parameters: [0xF6], replica: ToyReplica()))
    bench.tell(.open)
    let first = bench.doorbell
    bench.pass(.seconds(1))
    #expect(bench.doorbell != first)
    bench.welcome(first)
    #expect(bench.sent.isEmpty)
    bench.welcome()
    #expect(bench.sent.count == 1)
  }

  @Test("What arrives before the answer is held, and applied from the snapshot on")
  func held() throws {
    var bench = ClientBench.welcomed()
    bench.publish([0], [0, 1], from: 3, to: 4)
    bench.publish([0, 1], [0, 1, 2], from: 4, to: 6)
    bench.publish([0, 1, 2], [1, 1, 2], from: 6, to: 7)
    bench.answerHello(views: [bench.snapshot([0, 1], at: 4)])
    #expect(bench.value == [1, 1, 2])
    #expect(bench.machine.position(of: ClientBench.view)?.number == 7)
    #expect(!bench.isStale)
    // All of it is told at once, and each with the value that it brought.
    let told = bench.outputs.compactMap { output -> [UInt64]? in
      guard case .changed(_, let update) = output else { return nil }
      return (update.replica as? ToyReplica)?.value
    }
    #expect(told == [[0, 1], [0, 1, 2], [1, 1, 2]])
  }

  @Test("Held deltas beyond the limit are dropped, and replayed after the snapshot")
  func overflow() throws {
    var limits = Limits()
    limits.heldDeltas = 200
    var bench = ClientBench(limits: limits)
    bench.tell(.addView(ClientBench.view, name: "all", parameters: [0xF6], replica: ToyReplica()))
    bench.tell(.open)
    bench.welcome()
    bench.publish([0], [0, 1], from: 3, to: 4)
    bench.publish([0, 1], [0, 1, 2], from: 4, to: 6)
    #expect(bench.machine.heldBytes == 0)
    bench.answerHello(limits: limits, views: [bench.snapshot([0], at: 3)])
    #expect(bench.isStale)
    let replay = try bench.replay()
    #expect(replay.body == 3)
    bench.reply(
      replay.id, .replay(bench.resume([[0], [0, 1], [0, 1, 2]], at: 6)), on: .data)
    #expect(bench.value == [0, 1, 2])
    // As many deltas as went into one answer: only an empty one proves that these were all.
    #expect(bench.isStale)
    bench.reply(try bench.replay().id, .replay(bench.resume([[0, 1, 2]], at: 6)), on: .data)
    #expect(!bench.isStale)
  }

  @Test("A gap: one replay, and what came meanwhile is applied behind it")
  func gap() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    bench.publish([0, 1], [0, 1, 2], from: 4, to: 5)
    bench.publish([0, 1, 2], [0, 1, 2, 3], from: 5, to: 6)
    #expect(bench.sent.count == 1)
    #expect(bench.value == [0])
    #expect(!bench.isStale)
    bench.reply(try bench.replay().id, .replay(bench.resume([[0], [0, 1]], at: 4)), on: .data)
    #expect(bench.value == [0, 1, 2, 3])
    #expect(bench.sent.count == 1)
  }

  @Test("Replays that bring nothing, twice: a snapshot")
  func vain() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    bench.publish([0, 1], [0, 1, 2], from: 4, to: 5)
    for _ in 0..<2 {
      bench.reply(try bench.replay().id, .replay(bench.resume([[0]], at: 3)), on: .data)
    }
    bench.reply(
      try bench.snapshotRequest().id, .snapshot(bench.snapshot([0, 1, 2], at: 5)), on: .data)
    #expect(bench.value == [0, 1, 2])
    #expect(!bench.isStale)
  }

  @Test("A value that is set whole needs nothing before it")
  func whole() {
    var bench = ClientBench.mirroring([0], at: 3)
    bench.publish([], [9, 9], from: 4, to: 5, flags: .whole)
    #expect(bench.value == [9, 9])
    #expect(bench.sent.isEmpty)
  }

  @Test("A publication without its payload is fetched")
  func pulled() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    bench.publish([0], [0, 1], from: 3, to: 4, flags: .pull)
    bench.reply(try bench.replay().id, .replay(bench.resume([[0], [0, 1]], at: 4)), on: .data)
    #expect(bench.value == [0, 1])
  }

  @Test("A digest that differs: told, marked stale, resynchronised")
  func divergence() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    bench.publish([7], [7, 1], from: 3, to: 4)
    #expect(bench.isStale)
    #expect(
      bench.notices == [
        .diverged(
          ClientBench.view, before: ToyValue.digest([0]),
          delta: ToyValue.delta(from: [7], to: [7, 1]), expected: ToyValue.digest([7, 1]),
          found: ToyValue.digest([0, 1]))
      ])
    bench.reply(
      try bench.snapshotRequest().id, .snapshot(bench.snapshot([7, 1], at: 4)), on: .data)
    #expect(bench.value == [7, 1])
    #expect(!bench.isStale)
  }

  @Test("A delta that does not fit leaves the value alone, marked")
  func unfit() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    bench.publish([7, 8, 9], [7, 8, 9, 1], from: 3, to: 4)
    #expect(bench.value == [0])
    #expect(bench.isStale)
    #expect(try bench.snapshotRequest().body == ClientBench.topic)
  }

  @Test(
    "A beat with a higher number finds a lost last delta, one with another digest a wrong value")
  func beats() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    bench.publish([0], [0], from: 3, to: 3, flags: .beat)
    #expect(bench.sent.isEmpty)
    bench.publish([0], [0, 1], from: 4, to: 4, flags: .beat)
    #expect(try bench.replay().body == 3)
    var other = ClientBench.mirroring([0], at: 3)
    other.publish([1], [1], from: 3, to: 3, flags: .beat)
    #expect(other.isStale)
  }

  @Test("Silence: stale, and fresh again only by an alive that was sent after it")
  func silence() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    bench.pass(.milliseconds(1900))
    bench.pass(.milliseconds(200))
    let early = try bench.alive()
    bench.pass(.seconds(1))
    #expect(bench.isStale)
    #expect(bench.notices == [.linkLost])
    let staleness = bench.machine.staleness(of: ClientBench.view)
    #expect(staleness?.reason == "nothing is heard from the daemon")
    func alive() -> Reply.Body {
      .alive(
        AliveAnswer(
          commit: 3, numbers: [ClientBench.topic: 3], behind: [], mail: [], helloAgain: false))
    }
    bench.reply(early.id, alive(), on: .data)
    #expect(bench.isStale)
    bench.beat()
    #expect(bench.isStale)
    let late = try bench.alive()
    #expect(late.id != early.id)
    bench.reply(late.id, alive(), on: .data)
    #expect(!bench.isStale)
  }

  /// The simulation found it: the mirror was fresh once more, and nothing would ever have told that
  /// its link was dead.
  @Test("A hello that is answered while nothing is heard leaves the mirror stale")
  func silentHello() throws {
    var bench = ClientBench.welcomed()
    bench.pass(.seconds(4))
    bench.answerHello(views: [bench.snapshot([1, 2], at: 5)])
    #expect(bench.value == [1, 2])
    #expect(bench.isStale)
    bench.beat()
    let alive = try bench.alive()
    bench.reply(
      alive.id,
      .alive(
        AliveAnswer(
          commit: 5, numbers: [ClientBench.topic: 5], behind: [], mail: [], helloAgain: false)),
      on: .data)
    #expect(!bench.isStale)
  }

  /// The simulation found it: the wait had grown beyond the time from one `alive` to the next, and
  /// began anew with each.
  @Test("A hello that is asked for again and again is said")
  func hellosAsked() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    func again(_ mail: UInt64) -> Reply.Body {
      .alive(
        AliveAnswer(
          commit: 3, numbers: [ClientBench.topic: 3], behind: [],
          mail: mail == 0 ? [] : [Mail(number: mail, content: .lapsed("silent"))],
          helloAgain: true))
    }
    bench.pass(.seconds(2))
    for mail in 1...8 as ClosedRange<UInt64> {
      bench.beat()
      bench.reply(try bench.alive().id, again(mail), on: .data)
    }
    bench.outputs = []
    for _ in 0..<8 {
      bench.beat()
      bench.pass(.seconds(2))
      if let alive = try? bench.alive() { bench.reply(alive.id, again(0), on: .data) }
    }
    #expect(bench.sent.contains { if case .hello = $0.body { true } else { false } })
  }

  @Test("An alive that names views as behind makes them catch up")
  func behind() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    bench.beat()
    bench.pass(.milliseconds(2500))
    bench.beat()
    func answer(behind: [Topic]) -> Reply.Body {
      .alive(
        AliveAnswer(
          commit: 4, numbers: [ClientBench.topic: 4], behind: behind, mail: [], helloAgain: false))
    }
    bench.reply(try bench.alive().id, answer(behind: []), on: .data)
    #expect((try? bench.replay()) == nil)
    bench.pass(.milliseconds(2500))
    bench.reply(try bench.alive().id, answer(behind: [ClientBench.topic]), on: .data)
    #expect(try bench.replay().body == 3)
  }
}
