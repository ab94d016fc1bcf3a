/// Hello and what it is answered: the session's side of joining.
extension ClientMachine {
  mutating func takeHello(_ reply: Reply, _ asked: [ViewToken], at now: Moment) {
    let heard = DaemonRun(lineage: reply.header.lineage, epoch: reply.header.epoch)
    for index in mirrors.indices where asked.contains(mirrors[index].token) {
      mirrors[index].isAsked = false
    }
    guard reply.header.code == .ok, case .hello(let answer) = reply.body else {
      refuseHello(reply, at: now)
      return
    }
    if needsLink, link.welcomed != heard {
      // Another daemon than the one that welcomed: its subscriptions are not proven live.
      link.forgetWelcome()
      strangers += 1
      if strangers >= Self.strangersBorne {
        // No restart any more: it is not to be asked again and again at once.
        helloNotBefore = now + helloAttempts.next(using: &random)
        tellUnheard(Self.stranger, at: now)
      }
      return
    }
    strangers = 0
    helloRefusal = nil
    hasToldUnheard = false
    guard answer.last <= outbox.lastNumber else {
      // Numbers that this client never sent: the id is somebody else's too.
      startSessionAnew(Outbox.forgotten)
      return
    }
    helloAttempts.reset()
    helloNotBefore = nil
    let isNew = run != heard
    run = heard
    needsHello = false
    saidPresent = saysPresent
    base = faults.contains(.baseForgotten) ? answer.base : base ?? answer.base
    publicNumber = answer.publicNumber
    limits = answer.limits
    if isNew {
      seen = nil
      past.joined(heard, at: reply.header.commit)
    }
    if mailRun != heard {
      // Mail, and whatever was to come by it, was of another run.
      if mailRun != nil { endWaits(.gone, Self.restarted) }
      mailRun = heard
      mail = 0
      invocations.forget()
    }
    read(durable: reply.header.durable)
    if aliveDue == nil || isNew { aliveDue = now + timing.alive }
    outboxNotBefore = nil
    settle(outbox.removeTooLarge(limits: limits), views: [:])
    if isNew { outputs.append(.notice(.connected(publicNumber: answer.publicNumber))) }
    takeViews(answer.views, asked, reply.header, at: now)
  }

  private mutating func refuseHello(_ reply: Reply, at now: Moment) {
    helloNotBefore = now + helloAttempts.next(using: &random)
    helloRefusal = (reply.header.code, reply.text)
    switch reply.header.code {
    case .expired:
      startSessionAnew(reply.text.isEmpty ? Outbox.forgotten : reply.text)
    case .rewritten:
      if faults.contains(.noRebaseAfterRestore) { return }
      rewrite(reply)
    case .evicted: evict(reply.text, at: now)
    case .busy, .noSpace, .retry: break
    default:
      outputs.append(.notice(.refused(code: reply.header.code, text: reply.text)))
    }
  }

  /// So many in a row are found while a daemon is restarted.
  private static let strangersBorne = 3

  /// The daemon's history is not the one on which this session acted. What was sent may or may not
  /// be in it, what was acknowledged may be undone: only what was never sent goes on, in a new
  /// session.
  private mutating func rewrite(_ reply: Reply) {
    let undone = past.rewritten(as: reply)
    if outbox.hasSent || !undone.isEmpty { outputs.append(.notice(.rewritten(undone: undone))) }
    startSessionAnew(Self.historyReplaced)
    // What is kept is so in the history that answered, and is undone where that is replaced again.
    seen =
      past.isEmpty
      ? nil
      : Hello.Seen(
        lineage: reply.header.lineage, epoch: reply.header.epoch, durable: reply.header.durable)
  }

  /// The daemon does not know the session, and never will again.
  mutating func startSessionAnew(_ text: String) {
    settle(outbox.startAnew(text: text), views: [:])
    takeNewSession()
    helloNotBefore = nil
  }

  /// The daemon ended the session: the client stays closed until the app opens it again.
  mutating func evict(_ text: String, at now: Moment) {
    outputs.append(.notice(.evicted(text)))
    finish(at: now)
    startSessionAnew(text)
  }

  mutating func close(at now: Moment) {
    if run != nil { goodbye = send(.bye, on: .actions) }
    let leavesUnanswered = !outbox.sent.isEmpty
    finish(at: now)
    if leavesUnanswered { startSessionAnew(Outbox.closedBefore) }
  }

  /// Resolves what waits, unsubscribes, forgets the daemon.
  private mutating func finish(at now: Moment) {
    settle(outbox.close(), views: [:])
    for ask in asks where ask.token != Self.probe { outputs.append(.unanswered(ask.token)) }
    asks = []
    closeDesk(Self.closed)
    endRun(Self.closed, at: now)
    if link.isUsed {
      for mirror in mirrors where mirror.follows {
        outputs.append(.unsubscribe(topic: mirror.topic.bytes))
      }
      outputs.append(.unsubscribe(topic: Topic.daemonBeat.bytes))
      for nonce in link.close(timing: timing) {
        outputs.append(.unsubscribe(topic: Topic(doorbell: nonce).bytes))
      }
    }
    for index in mirrors.indices { mirrors[index].subscribedAfter = nil }
    aliveDue = nil
    helloNotBefore = nil
    outboxNotBefore = nil
    isOpen = false
  }

  /// A durable commit was read, of the present run.
  mutating func read(durable: CommitNumber) {
    guard let run else { return }
    if let seen, seen.durable >= durable { return }
    seen = Hello.Seen(lineage: run.lineage, epoch: run.epoch, durable: durable)
  }

  static let historyReplaced = """
    The daemon's history was replaced after it was sent: it may or may not be in it. Look at the \
    state before trying again.
    """
}

extension Reply {
  /// The sentence of a refusal; empty when there is none.
  var text: String { if case .text(let text) = body { text } else { "" } }
}
