import StateModel
import SyncProtocol
import Testing

/// Requests that are answered while nothing published arrives.
extension ClientMirrorTests {
  @Test("A client that hears nothing asks whether it is answered, and says so once a beat was due")
  func unheard() throws {
    var bench = ClientBench()
    bench.tell(.addView(ClientBench.view, name: "all", parameters: [0xF6], replica: ToyReplica()))
    bench.tell(.open)
    bench.pass(.seconds(2))
    #expect(bench.sent.isEmpty)
    bench.pass(.seconds(1))
    let probe = try #require(bench.sent.last)
    #expect(probe.body == .stats)
    // Nobody answers: there is no daemon, and that is another matter.
    bench.pass(.seconds(20))
    #expect(bench.notices == [])
    let again = try #require(bench.sent.last)
    bench.reply(again.id, .value(.null), on: .data)
    bench.pass(.seconds(1))
    #expect(bench.notices == [])
    bench.pass(.seconds(1))
    let reason = "the daemon answers, and nothing that it publishes arrives"
    #expect(bench.notices == [.unheard(reason)])
    #expect(bench.outputs.contains(.stale(ClientBench.view, reason: reason)))
    // Nobody asked for the answer.
    #expect(!bench.outputs.contains { if case .answered = $0 { true } else { false } })
    bench.pass(.seconds(60))
    #expect(bench.notices.count == 1)
    bench.welcome()
    bench.answerHello(views: [bench.snapshot([1], at: 5)])
    #expect(!bench.isStale)
    // Again silent, and answered.
    bench.pass(.seconds(4))
    bench.reply(
      try bench.alive().id,
      .alive(
        AliveAnswer(
          commit: 5, numbers: [ClientBench.topic: 5], behind: [], mail: [], helloAgain: false)),
      on: .data)
    bench.pass(.seconds(2))
    #expect(bench.notices.filter { $0 == .unheard(reason) }.count == 2)
  }

  @Test("What is heard within a beat of an answer ends the doubt")
  func heardInTime() throws {
    var bench = ClientBench()
    bench.tell(.addView(ClientBench.view, name: "all", parameters: [0xF6], replica: ToyReplica()))
    bench.tell(.open)
    bench.pass(.seconds(3))
    bench.reply(try #require(bench.sent.last).id, .value(.null), on: .data)
    bench.pass(.seconds(1))
    bench.welcome()
    bench.answerHello(views: [bench.snapshot([1], at: 5)])
    bench.pass(.seconds(2))
    #expect(!bench.notices.contains { if case .unheard = $0 { true } else { false } })
  }
}
