import StateModel
import SyncProtocol
import Testing

@Suite("A client's actions")
struct ClientActionTests {
  @Test("A refusal for what it is keeps its reason, whatever is said once its number is burnt")
  func refusalKeepsReason() throws {
    var bench = ClientBench.connected()
    bench.submit(1)
    let act = try bench.act()
    let reason = "the body is not understood: nested deeper than 256"
    bench.reply(act.id, .text(reason), code: .malformed)
    bench.pass(.seconds(1))
    bench.answerAct(
      try bench.outcomeQuery().id,
      [Outcome(number: 1, code: .cancelled, text: "given up: it was not done and never will be")])
    #expect(bench.resolutions == [1: .notDone(code: .malformed, text: reason)])
  }

  @Test("Without views a client says hello at once, and acts")
  func oneShot() throws {
    var bench = ClientBench()
    bench.submit(1)
    bench.tell(.open)
    #expect(bench.subscribed.isEmpty)
    #expect(try bench.hello().body.doorbell == nil)
    bench.answerHello(base: 9)
    let act = try bench.act()
    #expect(act.body.base == 9)
    #expect(act.body.entries == [Act.Numbered(number: 1, entry: ClientBench.entry(1))])
    bench.answerAct(act.id, [ClientBench.ok(1, 10)])
    #expect(bench.resolutions == [1: .done(code: .ok, commit: 10, text: "")])
    #expect(bench.outputs.contains(.reached(ActionToken(rawValue: 1))))
    #expect(bench.machine.publicNumber == 5)
  }

  @Test("What waits while a request is out is the next request")
  func sharing() throws {
    var bench = ClientBench.connected()
    bench.submit(1)
    bench.submit(2)
    bench.submit(3)
    #expect(bench.sent.count == 1)
    bench.answerAct(try bench.act().id, [ClientBench.ok(1, 1)])
    let second = try bench.act()
    #expect(second.body.entries.map(\.number) == [2, 3])
    #expect(second.body.acked == 1)
  }

  @Test("A lost reply: the same numbers with the same bytes, under a new request number")
  func lostReply() throws {
    var bench = ClientBench.connected()
    bench.submit(1)
    let first = try bench.act()
    bench.pass(.seconds(2))
    let second = try bench.act()
    #expect(second.id != first.id)
    #expect(second.body == first.body)
    bench.answerAct(second.id, [ClientBench.ok(1, 1)])
    #expect(bench.resolutions == [1: .done(code: .ok, commit: 1, text: "")])
  }

  @Test("An answer to an older attempt settles as well, once")
  func lateAnswer() throws {
    var bench = ClientBench.connected()
    bench.submit(1)
    let first = try bench.act()
    bench.pass(.seconds(2))
    let second = try bench.act()
    bench.answerAct(first.id, [ClientBench.ok(1, 1)])
    bench.answerAct(second.id, [ClientBench.ok(1, 1)])
    #expect(bench.outputs.filter { if case .resolved = $0 { true } else { false } }.count == 1)
    bench.submit(2)
    #expect(try bench.act().body.entries.map(\.number) == [2])
  }

  @Test("Never more unanswered than the window, never more in a request than the limits")
  func windows() throws {
    var limits = Limits()
    limits.window = 3
    limits.entries = 2
    var bench = ClientBench.connected(limits: limits)
    for id in 1...7 { bench.submit(UInt64(id)) }
    #expect(try bench.act().body.entries.map(\.number) == [1])
    bench.answerAct(try bench.act().id, [ClientBench.ok(1, 1)])
    #expect(try bench.act().body.entries.map(\.number) == [2, 3])
    bench.answerAct(try bench.act().id, [ClientBench.ok(2, 2)])
    #expect(try bench.act().body.entries.map(\.number) == [3, 4])
  }

  @Test("Where many wait, one more request is sent behind the one that is under way")
  func behind() throws {
    var bench = ClientBench.connected()
    for id in 1...20 { bench.submit(UInt64(id)) }
    #expect(bench.acts.map { $0.body.entries.map(\.number) } == [[1], Array(2...9)])
    let first = bench.acts[0].id
    bench.answerAct(first, [ClientBench.ok(1, 1)])
    #expect(bench.acts.last?.body.entries.map(\.number) == Array(10...20))
    #expect(bench.acts.last?.body.acked == 1)
  }

  @Test("When the first of two requests is lost, both are sent again, in order")
  func firstIsLost() throws {
    var bench = ClientBench.connected()
    for id in 1...9 { bench.submit(UInt64(id)) }
    let second = try #require(bench.acts.last)
    #expect(second.body.entries.map(\.number) == Array(2...9))
    bench.answerAct(
      second.id, (2...9).map { Outcome(number: $0, code: .outOfOrder, text: "the next is 1") })
    bench.pass(.seconds(1))
    #expect(bench.acts.last?.body.entries.map(\.number) == Array(1...9))
  }

  @Test("Entries that are one commit go alone, together")
  func atomic() throws {
    var bench = ClientBench.connected()
    bench.submit(1)
    bench.tell(
      .submitTogether([
        (ActionToken(rawValue: 2), ClientBench.entry(2)),
        (ActionToken(rawValue: 3), ClientBench.entry(3)),
      ]))
    bench.submit(4)
    bench.answerAct(try bench.act().id, [ClientBench.ok(1, 1)])
    let together = try bench.act()
    #expect(together.body.atomic)
    #expect(together.body.entries.map(\.number) == [2, 3])
    bench.answerAct(
      together.id,
      [
        Outcome(number: 2, code: .cancelled, text: "The other one was refused."),
        Outcome(number: 3, code: .rejected, text: "No."),
      ])
    #expect(
      bench.resolutions[2] == .notDone(code: .cancelled, text: "The other one was refused."))
    #expect(bench.resolutions[3] == .done(code: .rejected, commit: nil, text: "No."))
    #expect(try bench.act().body.entries.map(\.number) == [4])
    #expect(try !bench.act().body.atomic)
  }

  @Test("Giving up what was never sent needs nobody")
  func giveUpUnsent() {
    var bench = ClientBench()
    bench.submit(1)
    bench.tell(.giveUp(ActionToken(rawValue: 1)))
    #expect(
      bench.resolutions == [1: .notDone(code: .cancelled, text: "It was never sent.")])
  }

  @Test(
    "Giving up what was sent burns its number, or finds out that it was done",
    arguments: [
      (
        Outcome(number: 1, code: .cancelled),
        Resolution.notDone(
          code: .cancelled, text: "It was given up: it is not applied and never will be.")
      ),
      (ClientBench.ok(1, 4), Resolution.done(code: .ok, commit: 4, text: "")),
    ])
  func giveUpSent(outcome: Outcome, resolution: Resolution) throws {
    var bench = ClientBench.connected()
    bench.submit(1)
    bench.submit(2)
    bench.tell(.giveUp(ActionToken(rawValue: 1)))
    #expect(bench.resolutions.isEmpty)
    bench.pass(.seconds(2))
    #expect(try bench.outcomeQuery().body.numbers == [1])
    bench.answerAct(try bench.outcomeQuery().id, [outcome])
    #expect(bench.resolutions == [1: resolution])
    #expect(try bench.act().body.entries.map(\.number) == [2])
  }

  @Test("Only what stands before it is sent again before a number is burnt")
  func giveUpInOrder() throws {
    var bench = ClientBench.connected()
    bench.submit(1)
    bench.pass(.seconds(2))
    bench.submit(2)
    bench.submit(3)
    bench.pass(.seconds(3))
    #expect(try bench.act().body.entries.map(\.number) == [1, 2, 3])
    bench.tell(.giveUp(ActionToken(rawValue: 2)))
    bench.pass(.seconds(8))
    #expect(try bench.act().body.entries.map(\.number) == [1])
    bench.answerAct(try bench.act().id, [ClientBench.ok(1, 1)])
    #expect(try bench.outcomeQuery().body.numbers == [2])
    bench.answerAct(try bench.outcomeQuery().id, [Outcome(number: 2, code: .cancelled)])
    #expect(try bench.act().body.entries.map(\.number) == [3])
  }

  @Test(
    "What is refused for now is sent again, after a while",
    arguments: [Code.busy, .noSpace, .retry])
  func refusedForNow(code: Code) throws {
    var bench = ClientBench.connected()
    bench.submit(1)
    bench.answerAct(try bench.act().id, [Outcome(number: 1, code: code, text: "Later.")])
    #expect(bench.sent.count == 1)
    bench.pass(.milliseconds(400))
    #expect(bench.sent.count == 2)
    bench.answerAct(try bench.act().id, [ClientBench.ok(1, 1)])
    #expect(bench.resolutions == [1: .done(code: .ok, commit: 1, text: "")])
  }

  @Test("One bad action does not block the queue")
  func badAction() throws {
    var bench = ClientBench.connected()
    bench.submit(1)
    bench.answerAct(try bench.act().id, [ClientBench.ok(1, 1)])
    bench.submit(2)
    bench.submit(3)
    bench.reply(try bench.act().id, .text("Not CBOR."), code: .malformed)
    bench.pass(.seconds(1))
    #expect(try bench.outcomeQuery().body.numbers == [2])
    bench.answerAct(try bench.outcomeQuery().id, [Outcome(number: 2, code: .cancelled)])
    #expect(bench.resolutions[2] == .notDone(code: .malformed, text: "Not CBOR."))
    bench.answerAct(try bench.act().id, [ClientBench.ok(3, 2)])
    #expect(bench.resolutions[3] == .done(code: .ok, commit: 2, text: ""))
  }

  @Test("A request that is refused as a whole is sent again piece by piece")
  func pieceByPiece() throws {
    var bench = ClientBench.connected()
    bench.submit(1)
    bench.submit(2)
    bench.submit(3)
    bench.answerAct(try bench.act().id, [ClientBench.ok(1, 1)])
    bench.reply(try bench.act().id, .text("Too large."), code: .tooLarge)
    bench.pass(.seconds(1))
    #expect(try bench.act().body.entries.map(\.number) == [2])
    bench.answerAct(try bench.act().id, [ClientBench.ok(2, 2)])
    #expect(try bench.act().body.entries.map(\.number) == [3])
  }

  @Test("What no request can hold is refused before it has a number")
  func tooLarge() throws {
    var limits = Limits()
    limits.request = 1000
    var bench = ClientBench.connected(limits: limits)
    bench.tell(
      .submit(
        ActionToken(rawValue: 1), Entry(.perform(action: [UInt8](repeating: 0, count: 900)))))
    #expect(
      bench.resolutions == [
        1: .notDone(
          code: .tooLarge, text: "The action takes 964 bytes; the daemon takes requests of 1000.")
      ])
    bench.submit(2)
    #expect(try bench.act().body.entries.map(\.number) == [1])
  }

  @Test("A code that this client does not know is settled by asking for the outcome")
  func unknownCode() throws {
    var bench = ClientBench.connected()
    let code = Code(rawValue: "not-on-mondays")
    bench.submit(1)
    bench.answerAct(try bench.act().id, [Outcome(number: 1, code: code, text: "No.")])
    bench.pass(.seconds(1))
    bench.answerAct(try bench.outcomeQuery().id, [Outcome(number: 1, code: code, text: "No.")])
    #expect(bench.resolutions == [1: .done(code: code, commit: nil, text: "No.")])
  }

  @Test("A peer that may not act is told so, and nothing waits for ever")
  func forbidden() throws {
    var bench = ClientBench.connected()
    bench.submit(1)
    bench.reply(try bench.act().id, .text("This peer may only read."), code: .forbidden)
    #expect(
      bench.resolutions == [1: .notDone(code: .forbidden, text: "This peer may only read.")])
  }

  @Test("A question is asked again until it is answered; `stop` is asked once")
  func questions() throws {
    var bench = ClientBench.connected()
    bench.tell(.ask(AskToken(rawValue: 1), .views))
    bench.tell(.ask(AskToken(rawValue: 2), .stop))
    bench.pass(.seconds(2))
    let views = try bench.last { if case .views = $0 { true } else { nil } }
    bench.reply(views.id, .value(.null), on: .data)
    #expect(
      bench.outputs.contains {
        if case .answered(AskToken(rawValue: 1), _) = $0 { true } else { false }
      })
    bench.pass(.seconds(20))
    #expect(bench.outputs.contains(.unanswered(AskToken(rawValue: 2))))
    #expect(bench.sent.filter { $0.body == .stop }.count == 1)
  }

  @Test("Closing resolves everything")
  func closing() throws {
    var limits = Limits()
    limits.window = 1
    var bench = ClientBench.connected(limits: limits)
    bench.submit(1)
    bench.submit(2)
    bench.tell(.close)
    #expect(bench.sent.last?.body == .bye)
    #expect(
      bench.resolutions == [
        1: .unknown(
          text:
            "The client was closed before the answer came. Look at the state before trying again."),
        2: .notDone(code: .cancelled, text: "It was never sent."),
      ])
    #expect(bench.machine.nextDeadline == nil)
  }

  @Test("It is parting until its goodbye is answered, and nothing else that comes ends that")
  func parting() throws {
    var bench = ClientBench.connected()
    #expect(!bench.machine.isParting)
    bench.submit(1)
    let act = try bench.act().id
    bench.tell(.close)
    let goodbye = try bench.last { $0 == .bye ? $0 : nil }.id
    bench.answerAct(act, [Outcome(number: 1, code: .ok, commit: 1)])
    #expect(bench.machine.isParting)
    bench.reply(goodbye, .text(""))
    #expect(!bench.machine.isParting)
  }

  @Test("Without a daemon there is no goodbye, and nothing to part from")
  func partingAlone() {
    var bench = ClientBench()
    bench.tell(.open)
    bench.tell(.close)
    #expect(!bench.machine.isParting)
  }

  @Test("Retries wait longer and longer, and each a little differently")
  func patience() throws {
    var bench = ClientBench.connected()
    bench.submit(1)
    var moments: [Moment] = [bench.now]
    for _ in 0..<40 where moments.count < 6 {
      let count = bench.sent.filter { if case .act = $0.body { true } else { false } }.count
      bench.pass(.milliseconds(500))
      let after = bench.sent.filter { if case .act = $0.body { true } else { false } }.count
      if after > count { moments.append(bench.now) }
    }
    let waits = zip(moments, moments.dropFirst()).map { $1 - $0 }
    #expect(waits.count >= 4)
    #expect(waits[0] <= .seconds(2))
    #expect(waits[3] >= .seconds(8))
  }
}
