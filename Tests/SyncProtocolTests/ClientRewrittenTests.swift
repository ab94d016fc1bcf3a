import StateModel
import SyncProtocol
import Testing

@Suite("A client on another history")
struct ClientRewrittenTests {
  @Test("A session that never sent anything is replaced without a word")
  func expiredUnused() throws {
    var bench = ClientBench()
    bench.submit(1)
    bench.tell(.open)
    let session = bench.machine.session
    bench.reply(try bench.hello().id, .text("Expired."), code: .expired)
    #expect(bench.machine.session != session)
    #expect(bench.notices.isEmpty)
    bench.answerHello()
    #expect(try bench.act().body.entries.map(\.number) == [1])
  }

  @Test("History rewritten: sent actions are unknown, undone ones are named, the rest goes on")
  func rewritten() throws {
    var bench = ClientBench.connected()
    let session = bench.machine.session
    for id in 1...2 {
      bench.submit(UInt64(id))
      bench.answerAct(
        try bench.act().id, [ClientBench.ok(UInt64(id), CommitNumber(rawValue: UInt64(id)))])
    }
    bench.submit(3)
    bench.submit(4)
    bench.epoch = Epoch(rawValue: 8)
    bench.durable = 1
    bench.reply(try bench.act().id, .text("Another epoch."), code: .retry)
    let hello = try bench.hello()
    #expect(hello.body.seen?.durable == 2)
    #expect(hello.body.acked == 2)
    bench.reply(
      hello.id,
      .hello(
        HelloAnswer(
          base: 0, last: 1, publicNumber: 0, limits: Limits(), beat: .seconds(1), views: [])),
      code: .rewritten)
    #expect(bench.notices.contains(.rewritten(undone: [ActionToken(rawValue: 2)])))
    #expect(
      bench.resolutions[3]
        == .unknown(
          text:
            "The daemon's history was replaced after it was sent: it may or may not be in it. Look at the state before trying again."
        ))
    #expect(bench.machine.session != session)
    bench.answerHello(base: 1)
    let act = try bench.act()
    #expect(act.body.base == 1)
    #expect(act.body.entries == [Act.Numbered(number: 1, entry: ClientBench.entry(4))])
  }

  @Test("Of forgotten sessions, too, what a rewritten history undid is named, and nothing else")
  func rewrittenAfterForgotten() throws {
    var bench = ClientBench.connected()
    let (session, first) = (bench.machine.session, bench.epoch)
    for id in 1...3 {
      bench.submit(UInt64(id))
      bench.answerAct(
        try bench.act().id, [ClientBench.ok(UInt64(id), CommitNumber(rawValue: UInt64(id)))])
    }
    // A restart, in which the session was dropped to make room for others.
    bench.submit(4)
    bench.epoch = Epoch(rawValue: 8)
    bench.reply(try bench.act().id, .text("Another epoch."), code: .retry)
    bench.reply(try bench.hello().id, .text("Forgotten."), code: .expired)
    #expect(bench.machine.session != session)
    #expect(try bench.hello().body.seen?.durable == 3)
    // Before it is answered a backup of commit 2 is restored.
    bench.epoch = Epoch(rawValue: 9)
    bench.durable = 2
    let answer = HelloAnswer(
      base: 0, last: 0, publicNumber: 0, limits: Limits(), beat: .seconds(1), views: [],
      epochs: [EpochRecord(epoch: first, after: 0), EpochRecord(epoch: bench.epoch, after: 2)])
    bench.reply(try bench.hello().id, .hello(answer), code: .rewritten)
    #expect(bench.notices.contains(.rewritten(undone: [ActionToken(rawValue: 3)])))
    // What was kept may be undone by an older backup still.
    #expect(
      try bench.hello().body.seen
        == Hello.Seen(lineage: bench.lineage, epoch: bench.epoch, durable: 2))
    bench.epoch = Epoch(rawValue: 10)
    bench.durable = 1
    bench.reply(
      try bench.hello().id,
      .hello(
        HelloAnswer(
          base: 0, last: 0, publicNumber: 0, limits: Limits(), beat: .seconds(1), views: [],
          epochs: [EpochRecord(epoch: first, after: 0), EpochRecord(epoch: bench.epoch, after: 1)])),
      code: .rewritten)
    #expect(bench.notices.contains(.rewritten(undone: [ActionToken(rawValue: 2)])))
    #expect(
      bench.notices.filter { if case .rewritten = $0 { true } else { false } }.count == 2)
  }
}
