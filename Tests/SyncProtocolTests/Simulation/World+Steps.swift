import StateModel
import SyncProtocol

/// One random thing after the other, faults included.
extension World {
  func step() {
    now = now + .microseconds(below(12_000))
    if scenario.hasCalls, below(3) == 0 { stepCalls() }
    let index = below(clients.count)
    if scenario.hasBindings, below(8) == 0 { setField(of: index) }
    switch below(1000) {
    case ..<110: act(index)
    case ..<270: transferRequest()
    case ..<420: transferReply()
    case ..<500: tellDaemon(.drained)
    case ..<510: finishBackground()
    case ..<590: finishWriting()
    case ..<690: deliverUp(index)
    case ..<800: deliverDown(index)
    case ..<860: tickAll()
    case ..<880: pass(.milliseconds(50 + below(1500)))
    case ..<885: pass(.seconds(2 + below(4)))
    case ..<886: freeze()
    case ..<906: sendEffect()
    case ..<(906 + scenario.crashes): if daemon != nil { crashDaemon() }
    case ..<955: if daemon == nil { startDaemon() } else { deliverDown(index) }
    case ..<960:
      if clients[index].link.isConnected, daemon != nil {
        trace("client \(index)'s link is cut")
        cutLink(index)
      }
    case ..<964: clients[index].link.isHalfOpen.toggle()
    case ..<970: backups.append(disk)
    case ..<975:
      isFull.toggle()
      trace("the disk is \(isFull ? "full" : "not full")")
    case ..<980: changeViews(index)
    case ..<983: killClient(index)
    case ..<986: ask(index)
    case ..<989: if hasFewSessions { sendStranger() }
    case ..<990: startRival()
    default: if let token = clients[index].unresolved.first, below(2) == 0 { giveUp(token, index) }
    }
    connect(index)
  }

  private func connect(_ index: Int) {
    if daemon != nil, !clients[index].link.isConnected, below(3) == 0 {
      clients[index].link.connect()
    }
  }

  private func act(_ index: Int) {
    guard clients[index].unresolved.count < 6 else { return }
    if scenario.hasBursts, below(8) == 0 {
      for _ in 0..<12 { submit(index) }
    } else {
      submit(index)
    }
  }

  private func submit(_ index: Int) {
    let count = below(12) == 0 ? 2 : 1
    let entries = (0..<count).map { _ in
      let action = ToyAction(kind: ToyAction.Kind.allCases[below(8) % 5], id: name())
      if action.kind == .effectful {
        clients[index].effectful.insert(ActionToken(rawValue: action.id))
      }
      var entry = Entry(.perform(action: action.bytes))
      if below(15) == 0 {
        entry.expectations = [
          Entry.Expectation(path: [[0]], digest: ToyValue.digest([UInt64(below(2))]))
        ]
      }
      if below(20) == 0, let daemon {
        entry.ifCommit = daemon.published
        conditions[action.id] = daemon.published
      }
      return (ActionToken(rawValue: action.id), entry)
    }
    trace("client \(index) submits \(entries.map(\.0.rawValue))")
    clients[index].unresolved += entries.map(\.0)
    if count == 1 {
      tell(index, .submit(entries[0].0, entries[0].1))
      if scenario.hasCalls, below(2) == 0, clients[index].unresolved.contains(entries[0].0) {
        clients[index].followed.insert(entries[0].0)
        tell(index, .follow(entries[0].0))
      }
    } else {
      let kinds = entries.compactMap { entry in
        if case .perform(let bytes) = entry.1.kind { ToyAction(bytes: bytes)?.kind } else { nil }
      }
      // What changes nothing leaves no trace.
      if !kinds.contains(.idle) { bundles.append(entries.map(\.0.rawValue)) }
      tell(index, .submitTogether(entries))
    }
  }

  private func giveUp(_ token: ActionToken, _ index: Int) {
    trace("client \(index) gives up \(token.rawValue)")
    tell(index, .giveUp(token))
  }

  private func ask(_ index: Int) {
    let token = AskToken(rawValue: name())
    clients[index].questions.insert(token)
    let action = ToyAction(kind: .flip, id: name())
    tell(index, .ask(token, below(2) == 0 ? .views : .trial(Entry(.perform(action: action.bytes)))))
  }

  private func changeViews(_ index: Int) {
    if !clients[index].views.isEmpty, below(2) == 0 {
      let view = clients[index].views.remove(at: below(clients[index].views.count))
      trace("client \(index) removes view \(view.projection)")
      tell(index, .removeView(view.token))
    } else if clients[index].views.count < 5 {
      let projection = [ToyProjection.all, .bit, .half(0), .half(1)][below(4)]
      let view = SimulatedClient.View(
        token: ViewToken(rawValue: name()), projection: projection, follows: below(4) > 0)
      clients[index].views.append(view)
      trace("client \(index) \(view.follows ? "adds" : "fetches") view \(view.projection)")
      let (name, parameters) = (projection.name, projection.parameters)
      tell(
        index,
        view.follows
          ? .addView(view.token, name: name, parameters: parameters, replica: ToyReplica())
          : .fetchView(view.token, name: name, parameters: parameters, replica: ToyReplica()))
    }
  }

  private func transferRequest() {
    guard !requests.isEmpty else { return }
    let position = below(min(requests.count, scenario.reordering))
    if chance(scenario.lost) {
      let lost = requests.remove(at: position)
      trace("request \(lost.content.id) of client \(lost.client) is lost")
    } else {
      deliverRequest(position, keeps: chance(scenario.doubled))
    }
  }

  private func transferReply() {
    guard !replies.isEmpty else { return }
    let position = below(min(replies.count, scenario.reordering))
    if chance(scenario.lost) {
      let lost = replies.remove(at: position)
      trace("reply \(lost.content.header.request) to client \(lost.client) is lost")
    } else {
      deliverReply(position, keeps: chance(scenario.doubled))
    }
  }

  /// The journal answers, if a row is under way.
  func finishWriting() {
    guard let row = writing, daemon != nil else { return }
    writing = nil
    if isFenced {
      trace("row \(row.id) is refused: another daemon has written")
      tellDaemon(.journalFenced(row: row.id))
      if daemon != nil { complain("a daemon goes on though another one has written") }
    } else if isFull {
      trace("the disk is full: row \(row.id) is rolled back")
      tellDaemon(.journalRefused(row: row.id, text: "the disk is full"))
    } else if isFaulty, !scenario.isMemoryMode, chance(15) {
      trace("the fsync of row \(row.id) fails")
      if below(2) == 0 { write(row) }
      tellDaemon(.journalFailed(row: row.id, text: "input/output error"))
      if below(2) == 0, daemon != nil { crashDaemon() }
    } else {
      write(row)
      trace("row \(row.id) is durable, commit \(row.last)")
      tellDaemon(.journaled(row: row.id))
    }
  }

  /// A large value is encoded, or compared, or cannot be.
  func finishBackground() {
    guard !background.isEmpty, daemon != nil else { return }
    let work = background.removeFirst()
    let event = isFaulty && chance(50) ? work.failed : work.run()
    switch event {
    case .encoded(let answer, let bytes):
      trace("answer \(answer) \(bytes.map { "has \($0.count) bytes" } ?? "cannot be encoded")")
      coverage.encodings += 1
    case .compared(let answer, let delta):
      trace("answer \(answer) leads on by \(delta.map { "\($0.bytes.count) bytes" } ?? "nothing")")
      coverage.comparisons += 1
    default: break
    }
    tellDaemon(event)
  }

  func sendEffect() {
    guard !effects.isEmpty, daemon != nil else { return }
    let effect = effects.removeFirst()
    tellDaemon(.effect(action: effect.action, cause: effect.cause))
  }

  /// A client, or the daemon, is stopped for a while, as by SIGSTOP or a laptop that sleeps.
  private func freeze() {
    let frozen = below(clients.count + 1)
    let isDaemon = frozen == clients.count
    trace("\(isDaemon ? "the daemon" : "client \(frozen)") is stopped for a while")
    for _ in 0..<(3 + below(15)) {
      now = now + .seconds(1)
      if !isDaemon { tickDaemon() }
      for index in clients.indices where index != frozen { tickClient(index) }
    }
  }

  func pass(_ duration: Duration) { now = now + duration }

  /// Everybody whose time has come looks at the clock.
  func tickAll() {
    tickDaemon()
    for index in clients.indices { tickClient(index) }
  }

  private func tickDaemon() {
    if let due = daemon?.nextDeadline, due <= now { tellDaemon(.tick) }
  }

  private func tickClient(_ index: Int) {
    if let due = clients[index].machine.nextDeadline, due <= now { tell(index, .tick) }
    judgeSilence(of: index)
  }
}
