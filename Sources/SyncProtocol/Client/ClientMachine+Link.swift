/// What the subscription side hears, and what its silence means.
extension ClientMachine {
  /// True where mirrors merely followed: nothing else is wanted, or due, than before.
  mutating func receive(_ broadcast: Broadcast, at now: Moment) -> Bool {
    lastHeard = now
    let wasSilent = link.hear(at: now)
    if wasSilent {
      aliveDue = now
      hasToldUnheard = false
    }
    answeredInSilence = nil
    switch broadcast {
    case .ring(let ring): receive(ring, at: now)
    case .beat(let beat):
      guard isCurrent(DaemonRun(lineage: beat.lineage, epoch: beat.epoch), at: now) else { break }
      read(durable: beat.durable)
    case .publication(let publication):
      let run = DaemonRun(lineage: publication.lineage, epoch: publication.epoch)
      guard isCurrent(run, at: now) else { break }
      var haveFollowed = !wasSilent
      for index in mirrors.indices
      where mirrors[index].follows && mirrors[index].topic == publication.topic {
        let hasFollowed = mirrors[index].receive(
          publication, limit: limits.heldDeltas, at: now, &outputs)
        haveFollowed = haveFollowed && hasFollowed
      }
      return haveFollowed
    }
    return false
  }

  private mutating func receive(_ ring: Ring, at now: Moment) {
    let heard = DaemonRun(lineage: ring.lineage, epoch: ring.epoch)
    guard ring.isWelcome else {
      if heard == run, ring.nonce == link.doorbell, ring.mail > mail { aliveDue = now }
      return
    }
    let (meaning, unneeded) = link.welcome(ring.nonce, heard)
    if let unneeded { outputs.append(.unsubscribe(topic: Topic(doorbell: unneeded).bytes)) }
    guard meaning != .stray else { return }
    if let run, run != heard { endRun(Self.restarted, at: now) }
    if meaning == .hello {
      needsHello = true
      cancelActions()
    }
  }

  /// Whether a broadcast is of the run whose hello is answered or under way. One of another run
  /// shows that the daemon was restarted and the link with it: a welcome has to come first.
  private mutating func isCurrent(_ heard: DaemonRun, at now: Moment) -> Bool {
    if let run {
      if run == heard || faults.contains(.anyRunFollowed) { return true }
      endRun(Self.restarted, at: now)
      return false
    }
    if link.welcomed == heard { return true }
    if link.welcomed != nil { link.forgetWelcome() }
    return false
  }

  /// The daemon that answered the hello is gone, or cannot be reached by its epoch any more.
  mutating func endRun(_ reason: String, at now: Moment) {
    run = nil
    helloRefusal = nil
    needsHello = false
    link.forgetWelcome()
    cancelActions()
    cancelData()
    actRequests = []
    leaving = []
    together = nil
    saidPresent = false
    offers.startOver()
    waits.epochEnded()
    ending.epochEnded()
    for index in mirrors.indices {
      mirrors[index].startOver()
      mirrors[index].isConfirmed = false
      mirrors[index].isRefused = false
      mirrors[index].notBefore = nil
      mirrors[index].markStale(reason, at: now, &outputs)
    }
  }

  /// A welcome is missing, and nothing is rung for: rings.
  mutating func ring(forHello: Bool, at now: Moment) {
    let (nonce, unanswered) = link.ring(forHello: forHello, at: now, using: &random)
    outputs.append(.subscribe(topic: Topic(doorbell: nonce).bytes))
    if let unanswered {
      outputs.append(.unsubscribe(topic: Topic(doorbell: unanswered).bytes))
    }
  }

  mutating func tick(at now: Moment) {
    if let purpose = actions.expired(at: now) { failed(purpose, at: now) }
    if let purpose = data.expired(at: now) { failed(purpose, at: now) }
    tickDesk(at: now)
    if link.isUsed {
      if link.fallsSilent(at: now) { fallSilent(at: now) }
      if link.ringIsOverdue(at: now) { ring(forHello: false, at: now) }
      if let due = unheardDue, due <= now { tellUnheard(Self.unheard, at: now) }
    }
    for index in mirrors.indices {
      if let since = mirrors[index].behindSince, since + timing.linkLost <= now {
        mirrors[index].markStale(Self.behind, at: now, &outputs)
        mirrors[index].behindSince = nil
      }
    }
  }

  private mutating func fallSilent(at now: Moment) {
    if faults.contains(.silenceIgnored) { return }
    silences += 1
    var anybodyCares = wantsMail
    for index in mirrors.indices where mirrors[index].follows {
      anybodyCares = true
      mirrors[index].isConfirmed = false
      mirrors[index].markStale(Self.silent, at: now, &outputs)
    }
    guard anybodyCares else { return }
    if run != nil {
      outputs.append(.notice(.linkLost))
      // Whether requests are answered is known the sooner.
      aliveDue = now
    } else if link.welcomed == nil, !asks.contains(where: { $0.token == Self.probe }) {
      // Before the welcome nothing is asked by itself: is only what is published missing?
      asks.append(Ask(token: Self.probe, body: .stats))
    }
    ring(forHello: true, at: now)
  }

  /// The question by which a client that hears nothing finds out whether it is answered. No app's
  /// has this token.
  static let probe = AskToken(rawValue: .max)

  /// When it is said that replies come and publications do not: by then a beat was due.
  var unheardDue: Moment? {
    guard !hasToldUnheard, link.isSilent else { return nil }
    return answeredInSilence.map { $0 + timing.idleBeat + timing.welcome }
  }

  /// Says, once until something is heard, why nothing is.
  mutating func tellUnheard(_ reason: String, at now: Moment) {
    guard !hasToldUnheard else { return }
    hasToldUnheard = true
    for index in mirrors.indices where mirrors[index].follows {
      mirrors[index].stayStale(reason, at: now, &outputs)
    }
    outputs.append(.notice(.unheard(reason)))
  }

  /// A request has waited too long. What it was for is decided anew.
  private mutating func failed(_ purpose: RequestPurpose, at now: Moment) {
    switch purpose {
    case .hello(let tokens), .join(let tokens):
      for index in mirrors.indices where tokens.contains(mirrors[index].token) {
        mirrors[index].isAsked = false
      }
    case .mirror(let token, let generation):
      guard let index = mirrors.firstIndex(where: { $0.token == token }),
        mirrors[index].generation == generation
      else { return }
      mirrors[index].failed(nil, at: now, using: &random)
    case .ask(let token): askFailed(token)
    case .call, .cancelCall, .giveBack, .watch, .cancelTask: deskFailed(purpose)
    case .act where faults.contains(.retryIsNew): outbox.forgetNumbers()
    case .leave, .act, .outcome, .alive: break
    }
  }

  /// What is out on the actions' channel is waited for no more.
  mutating func cancelActions() {
    if case .ask(let token) = actions.flight?.purpose { askFailed(token) }
    actions.cancel()
  }

  /// What is out on the data channel is waited for no more.
  mutating func cancelData() {
    if case .ask(let token) = data.flight?.purpose { askFailed(token) }
    if let purpose = data.flight?.purpose { deskFailed(purpose) }
    data.cancel()
  }

  /// A question was not answered: again, unless asking twice could do something twice.
  mutating func askFailed(_ token: AskToken) {
    guard let index = asks.firstIndex(where: { $0.token == token }) else { return }
    asks[index].isOut = false
    if case .stop = asks[index].body {
      asks.remove(at: index)
      outputs.append(.unanswered(token))
    }
  }

  static let restarted = "the daemon was restarted"
  static let silent = "nothing is heard from the daemon"
  static let unheard = "the daemon answers, and nothing that it publishes arrives"
  static let stranger = "another daemon publishes than the one that answers"
  static let anotherSession = "the daemon does not know this client's session any more"
  static let behind = "what is missing has not come"
  static let closed = "the client is closed"
}
