/// Actions: their answers, and what the app is told of them.
extension ClientMachine {
  /// The answer to `act` or `outcome`.
  mutating func takeAct(_ reply: Reply, _ numbers: ClosedRange<ActionNumber>, at now: Moment) {
    let header = reply.header
    guard header.code == .ok, case .act(let answer) = reply.body else {
      refuseAct(header.code, reply.text, numbers, at: now)
      return
    }
    let (settled, refusal) = outbox.take(answer.outcomes)
    settle(settled, views: answer.views)
    guard let refusal else {
      outboxAttempts.reset()
      outboxNotBefore = nil
      lastRefusal = nil
      return
    }
    if !settled.isEmpty { outboxAttempts.reset() }
    refuseAct(refusal.code, refusal.text, nil, at: now)
  }

  /// An answer to an attempt that is not waited for any more: outcomes are true whenever they come.
  mutating func takeLateAct(_ reply: Reply) {
    guard reply.header.code == .ok, case .act(let answer) = reply.body,
      run == DaemonRun(lineage: reply.header.lineage, epoch: reply.header.epoch)
    else { return }
    read(durable: reply.header.durable)
    let outcomes = answer.outcomes.filter { $0.code.consumesNumber }
    settle(outbox.take(outcomes).settled, views: answer.views)
    actions.cancel { purpose in
      switch purpose {
      case .act(let numbers), .outcome(let numbers): !outbox.awaits(numbers)
      default: false
      }
    }
  }

  /// A refusal: nothing was consumed. `numbers` are those of a request that was refused as a whole.
  private mutating func refuseAct(
    _ code: Code, _ text: String, _ numbers: ClosedRange<ActionNumber>?, at now: Moment
  ) {
    outboxNotBefore = now + outboxAttempts.next(using: &random)
    switch code {
    case .busy, .noSpace, .retry: lastRefusal = (code, text)
    case .evicted: evict(text, at: now)
    case .outOfOrder where !actions.isFree:
      // The request before it is lost: both are sent again.
      cancelActions()
    case .outOfOrder, .expired, .rewritten: helloAgain(at: now)
    case .helloAgain:
      // What was offered before is gone, too.
      offers.startOver()
      helloAgain(at: now)
    case .forbidden:
      // As a whole, without a number consumed: this peer may not act, in this run of the daemon.
      for action in outbox.startAnew(text: text) {
        outputs.append(.resolved(action.token, .notDone(code: code, text: text)))
        watch(action.token, .notDone(code: code, text: text))
      }
      takeNewSession()
    default:
      if let numbers { outbox.refused(numbers, code: code, text: text) }
    }
  }

  /// Tells the app, remembers what was acknowledged, and waits for the mirrors to show it.
  mutating func settle(_ settled: [Outbox.Settled], views: [Topic: CommitNumber]) {
    var done: [ActionToken] = []
    done.reserveCapacity(settled.count)
    // By index, so that no resolution is copied but into the output.
    for index in settled.indices {
      let token = settled[index].token
      if token.isOwn {
        takeOwn(settled[index])
        continue
      }
      outputs.append(.resolved(token, settled[index].resolution))
      if !desk.followed.isEmpty { watch(token, settled[index].resolution) }
      guard settled[index].resolution.isDone else { continue }
      past.acknowledged(settled[index])
      done.append(token)
    }
    past.forgetOldest()
    if !publishedBy.isEmpty {
      for token in done where publishedBy[token] != nil { publishedBy[token] = views }
    }
    let numbers = faults.contains(.reachedAtOnce) ? [:] : views
    if !done.isEmpty { waits.add(done, numbers: numbers) }
  }

  /// From now on the number is kept under which this action's batch publishes each view: for tests
  /// of apps, which want to know what an action did.
  package mutating func keepPublished(by action: ActionToken) { publishedBy[action] = [:] }

  /// The number under which an action's batch published a view; nil where it did not. Told once.
  package mutating func takePublished(
    by action: ActionToken, in view: ViewToken
  ) -> CommitNumber? {
    guard let numbers = publishedBy.removeValue(forKey: action),
      let mirror = mirrors.first(where: { $0.token == view })
    else { return nil }
    return numbers[mirror.topic]
  }

  /// Tells which actions are shown by now, and whether all mirrors are together.
  mutating func tellReached() {
    if !waits.isEmpty {
      for token in waits.reached(by: mirrors, isJoined: run != nil) {
        outputs.append(.reached(token))
      }
    }
    guard let (commit, numbers) = together else { return }
    let isTogether = mirrors.allSatisfy { mirror in
      guard mirror.follows, !mirror.isRefused, let number = numbers[mirror.topic] else {
        return true
      }
      return mirror.position.map { $0.number >= number } ?? false
    }
    guard isTogether else { return }
    together = nil
    outputs.append(.together(commit))
  }
}
