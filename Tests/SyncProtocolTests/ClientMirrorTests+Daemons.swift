import StateModel
import SyncProtocol
import Testing

/// Mirrors when the daemon is another one, and when views come, go and are refused.
extension ClientMirrorTests {
  @Test("A welcome that nobody asked for: hello again, and nothing is stale for it")
  func unaskedWelcome() throws {
    var bench = ClientBench.welcomed()
    bench.answerHello(views: [bench.snapshot([0], at: 3)])
    let first = try bench.hello()
    bench.welcome()
    let second = try bench.hello()
    #expect(second.id != first.id)
    #expect(second.body.views.first?.position?.number == 3)
    #expect(!bench.isStale)
    bench.publish([0, 1], [0, 1, 2], from: 4, to: 5)
    bench.answerHello(views: [bench.resume([[0], [0, 1]], at: 4)])
    #expect(bench.value == [0, 1, 2])
    #expect(!bench.isStale)
  }

  @Test("Another epoch: stale at once, welcome, hello with the position, resume")
  func restart() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    bench.epoch = Epoch(rawValue: 8)
    bench.beat()
    #expect(bench.isStale)
    #expect(
      bench.machine.staleness(of: ClientBench.view)?.reason == "the daemon was restarted")
    bench.welcome()
    let hello = try bench.hello()
    #expect(hello.body.views.first?.position?.epoch == Epoch(rawValue: 7))
    #expect(hello.body.seen?.epoch == Epoch(rawValue: 7))
    bench.answerHello(views: [bench.resume([[0]], at: 3)])
    #expect(!bench.isStale)
    #expect(bench.machine.position(of: ClientBench.view)?.epoch == Epoch(rawValue: 8))
  }

  @Test("A hello that another daemon answered than the one that welcomed counts for nothing")
  func answeredByAnother() throws {
    var bench = ClientBench.welcomed()
    bench.epoch = Epoch(rawValue: 8)
    bench.answerHello(views: [bench.snapshot([0], at: 3)])
    #expect(bench.isStale)
    #expect(!bench.machine.isConnected)
    bench.welcome()
    bench.answerHello(views: [bench.snapshot([0], at: 3)])
    #expect(!bench.isStale)
  }

  @Test("A view that is added later is joined after a fresh ring, the others go on")
  func later() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    let token = ViewToken(rawValue: 2)
    bench.tell(.addView(token, name: "bit", parameters: [0xF6], replica: ToyReplica()))
    #expect(bench.sent.isEmpty)
    bench.publish([0], [0, 1], from: 3, to: 4)
    #expect(bench.value == [0, 1])
    bench.welcome()
    let join = try bench.last { if case .join(let join) = $0 { join } else { nil } }
    #expect(join.body.views.map(\.name) == ["bit"])
    bench.reply(
      join.id,
      .join([
        ViewAnswer(
          topic: Topic(view: "bit") ?? ClientBench.topic, number: 2, digest: ToyValue.digest([1]),
          content: .snapshot(value: ToyValue.encode([1]), reason: "fresh"))
      ]))
    #expect(!bench.machine.isStale(token))
    bench.outputs = []
    bench.tell(.removeView(token))
    #expect(
      bench.outputs.contains(.unsubscribe(topic: Topic(view: "bit")?.bytes ?? [])))
    #expect(
      try bench.last { if case .leave(let topics) = $0 { topics } else { nil } }.body.count == 1)
  }

  @Test("A value that is fetched once needs no subscription")
  func fetch() throws {
    var bench = ClientBench()
    bench.tell(
      .fetchView(ClientBench.view, name: "all", parameters: [0xF6], replica: ToyReplica()))
    bench.tell(.open)
    #expect(bench.subscribed.isEmpty)
    bench.answerHello(views: [bench.snapshot([4], at: 3)])
    #expect(bench.value == [4])
    #expect(bench.outputs.contains(.fresh(ClientBench.view, 3)))
  }

  @Test("Read your own writes: told when every mirror shows it")
  func readYourWrites() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    let token = ActionToken(rawValue: 9)
    bench.submit(9)
    bench.answerAct(try bench.act().id, [ClientBench.ok(1, 4)], views: [ClientBench.topic: 4])
    #expect(bench.resolutions.count == 1)
    #expect(!bench.outputs.contains(.reached(token)))
    bench.publish([0], [0, 9], from: 3, to: 4)
    #expect(bench.outputs.contains(.reached(token)))
  }

  @Test("What an action's own batch published is told exactly, where that was asked for")
  func published() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    let (one, two, three) = (
      ActionToken(rawValue: 9), ActionToken(rawValue: 10), ActionToken(rawValue: 11)
    )
    bench.submit(9)
    bench.machine.keepPublished(by: one)
    // It changed the state, and not this view; then somebody else changed the view.
    bench.answerAct(try bench.act().id, [ClientBench.ok(1, 4)])
    bench.publish([0], [0, 7], from: 3, to: 5)
    #expect(bench.outputs.contains(.reached(one)))
    #expect(bench.machine.takePublished(by: one, in: ClientBench.view) == nil)
    bench.submit(10)
    bench.machine.keepPublished(by: two)
    bench.answerAct(try bench.act().id, [ClientBench.ok(2, 6)], views: [ClientBench.topic: 6])
    #expect(bench.machine.takePublished(by: two, in: ClientBench.view) == 6)
    #expect(bench.machine.takePublished(by: two, in: ClientBench.view) == nil, "it is told once")
    // Nothing is kept of what nobody asked for.
    bench.submit(11)
    bench.answerAct(try bench.act().id, [ClientBench.ok(3, 7)], views: [ClientBench.topic: 7])
    #expect(bench.machine.takePublished(by: three, in: ClientBench.view) == nil)
  }

  @Test("A wait to read one's own write ends when the daemon is another")
  func waitAcrossRestart() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    let token = ActionToken(rawValue: 9)
    bench.submit(9)
    bench.answerAct(try bench.act().id, [ClientBench.ok(1, 4)], views: [ClientBench.topic: 4])
    bench.epoch = Epoch(rawValue: 8)
    bench.beat()
    bench.welcome()
    #expect(!bench.outputs.contains(.reached(token)))
    bench.answerHello(last: 1, views: [bench.snapshot([0, 9], at: 4)])
    #expect(bench.outputs.contains(.reached(token)))
  }

  @Test("Together: every mirror has at least its number of one alive")
  func together() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    bench.beat()
    bench.pass(.milliseconds(2500))
    bench.reply(
      try bench.alive().id,
      .alive(
        AliveAnswer(
          commit: 8, numbers: [ClientBench.topic: 4], behind: [], mail: [], helloAgain: false)),
      on: .data)
    #expect(!bench.outputs.contains(.together(8)))
    bench.publish([0], [0, 1], from: 3, to: 4)
    #expect(bench.outputs.contains(.together(8)))
  }

  @Test("A view that is refused for the moment is asked for again after a while")
  func refusedForNow() throws {
    var bench = ClientBench.welcomed()
    bench.answerHello(views: [
      ViewAnswer(
        topic: ClientBench.topic, number: 0, digest: Digest(rawValue: 0),
        content: .refused(code: .busy, text: "Later."))
    ])
    #expect(bench.isStale)
    bench.pass(.seconds(1))
    let join = try bench.last { if case .join(let join) = $0 { join } else { nil } }
    bench.reply(join.id, .join([bench.snapshot([5], at: 2)]))
    #expect(bench.value == [5])
    #expect(!bench.isStale)
  }

  @Test("A client has no more views than a session may")
  func tooManyViews() {
    var limits = Limits()
    limits.viewsPerSession = 1
    var bench = ClientBench(limits: limits)
    bench.tell(.addView(ClientBench.view, name: "all", parameters: [0xF6], replica: ToyReplica()))
    let second = ViewToken(rawValue: 2)
    bench.tell(.addView(second, name: "all", parameters: [0xF6], replica: ToyReplica()))
    #expect(
      bench.outputs == [
        .refused(
          second, code: .tooLarge,
          text: "This is one view too many: a session may have 1. Remove one first.")
      ])
  }

  @Test("A name that no view can have is refused here")
  func badName() {
    var bench = ClientBench()
    bench.tell(.addView(ClientBench.view, name: "a b", parameters: [0xF6], replica: ToyReplica()))
    #expect(
      bench.outputs == [
        .refused(
          ClientBench.view, code: .unknown,
          text:
            "\"a b\" cannot be the name of a view: 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-'.")
      ])
  }

  @Test("Mail: going away is told, eviction closes")
  func mail() throws {
    var bench = ClientBench.mirroring([0], at: 3)
    guard let doorbell = try? bench.alive().id else {
      bench.pass(.milliseconds(2100))
      let alive = try bench.alive()
      bench.reply(
        alive.id,
        .alive(
          AliveAnswer(
            commit: 3, numbers: [ClientBench.topic: 3], behind: [],
            mail: [
              Mail(number: 1, content: .goingAway("Back soon.")),
              Mail(number: 2, content: .evicted("Too slow.")),
            ], helloAgain: false)), on: .data)
      #expect(bench.notices == [.goingAway("Back soon."), .evicted("Too slow.")])
      #expect(bench.isStale)
      #expect(bench.machine.nextDeadline == nil)
      return
    }
    Issue.record("an alive was sent at once: \(doorbell)")
  }
}
