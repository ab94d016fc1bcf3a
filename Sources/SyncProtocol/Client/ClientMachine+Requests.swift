/// What is sent next, and who gets an answer.
extension ClientMachine {
  /// Sends what can be sent now, on channels that are free.
  mutating func pump(at now: Moment) {
    expireBackoffs(at: now)
    pumpOffers()
    subscribe(at: now)
    if needsLink, !link.isRinging {
      if link.welcomed == nil {
        ring(forHello: true, at: now)
      } else if mirrors.indices.contains(where: { mirrors[$0].follows && !isProven(mirrors[$0]) }) {
        ring(forHello: false, at: now)
      }
    }
    while actions.isFree, let (purpose, body) = nextAction(at: now) {
      begin(purpose, body, on: .actions, at: now)
    }
    while let (purpose, body) = nextBehind() { begin(purpose, body, on: .actions, at: now) }
    while data.isFree, let (purpose, body) = nextQuestion(at: now) {
      begin(purpose, body, on: .data, at: now)
    }
    while let (purpose, body) = nextChunk(at: now) { begin(purpose, body, on: .data, at: now) }
  }

  private mutating func expireBackoffs(at now: Moment) {
    if let moment = helloNotBefore, moment <= now { helloNotBefore = nil }
    if let moment = outboxNotBefore, moment <= now { outboxNotBefore = nil }
    if let moment = desk.notBefore, moment <= now { desk.notBefore = nil }
    for index in mirrors.indices {
      if let moment = mirrors[index].notBefore, moment <= now { mirrors[index].notBefore = nil }
    }
  }

  private mutating func begin(
    _ purpose: RequestPurpose, _ body: Request.Body, on channel: Channel, at now: Moment
  ) {
    let request = send(body, on: channel)
    switch channel {
    case .actions: actions.begin(purpose, request: request, at: now, using: &random)
    case .data: data.begin(purpose, request: request, at: now, using: &random)
    }
    switch purpose {
    case .act, .outcome:
      if actRequests.count == Self.attemptsRemembered { actRequests.removeFirst() }
      actRequests.append(request)
    default: break
    }
  }

  @discardableResult
  mutating func send(_ body: Request.Body, on channel: Channel) -> UInt64 {
    let id = nextRequest()
    outputs.append(
      .send(Request(id: id, session: session, epoch: run?.epoch, body: body), channel))
    return id
  }

  /// Fresh actions that are sent behind those under way, while nothing is amiss.
  private mutating func nextBehind() -> (RequestPurpose, Request.Body)? {
    guard actions.flights.count == 1, let numbers = actions.numbers, run != nil, !needsHello,
      outboxNotBefore == nil, let base, outbox.isUnderWay(numbers), !othersWait
    else { return nil }
    return outbox.nextBehind(base: base, limits: limits)
  }

  /// Whether anything but actions wants the actions' channel: it must become free for it.
  private var othersWait: Bool {
    !leaving.isEmpty || asks.contains { $0.isTrial && !$0.isOut }
      || mirrors.indices.contains { index in
        mirrors[index].follows
          ? mirrors[index].want == .join && !mirrors[index].isRefused : !mirrors[index].hasLeft
      }
  }

  /// What the actions' channel carries next: hello before joins before leaves before actions.
  private mutating func nextAction(at now: Moment) -> (RequestPurpose, Request.Body)? {
    if run == nil || needsHello {
      guard helloNotBefore == nil, !needsLink || link.welcomed != nil else { return nil }
      return hello(at: now)
    }
    if let join = join() { return join }
    if link.doorbell != nil {
      for index in mirrors.indices
      where !mirrors[index].follows && mirrors[index].position != nil && !mirrors[index].hasLeft {
        mirrors[index].hasLeft = true
        leaving.append(mirrors[index].topic)
      }
    }
    if !leaving.isEmpty {
      // What was added again meanwhile is not left.
      let left = leaving.filter { topic in
        !mirrors.contains { $0.topic == topic && !$0.hasLeft }
      }
      leaving = []
      if !left.isEmpty { return (.leave, .leave(left)) }
    }
    if outboxNotBefore == nil, let base, !outbox.isEmpty {
      settle(outbox.removeTooLarge(limits: limits), views: [:])
      if let next = outbox.next(base: base, limits: limits) { return next }
    }
    return ask(trials: true)
  }

  private mutating func hello(at now: Moment) -> (RequestPurpose, Request.Body) {
    cancelData()
    // The hello's own answer tells as much.
    asks.removeAll { $0.token == Self.probe }
    var views: [ViewRequest] = []
    var tokens: [ViewToken] = []
    for index in mirrors.indices {
      let isWanted =
        mirrors[index].follows ? isProven(mirrors[index]) : mirrors[index].position == nil
      guard isWanted, !mirrors[index].isRefused else { continue }
      mirrors[index].startOver()
      mirrors[index].isAsked = true
      if !mirrors[index].isStale { mirrors[index].behindSince = now }
      views.append(mirrors[index].request)
      tokens.append(mirrors[index].token)
    }
    leaving = []
    saysPresent = wantsPresence
    return (
      .hello(tokens),
      .hello(
        Hello(
          base: faults.contains(.baseForgotten) ? nil : base, seen: seen, acked: outbox.acked,
          doorbell: link.doorbell,
          present: saysPresent, name: saysPresent ? name : "", views: views))
    )
  }

  private mutating func join() -> (RequestPurpose, Request.Body)? {
    var views: [ViewRequest] = []
    var tokens: [ViewToken] = []
    for index in mirrors.indices {
      guard mirrors[index].want == .join, !mirrors[index].isAsked, !mirrors[index].isRefused,
        mirrors[index].notBefore == nil, !mirrors[index].follows || isProven(mirrors[index])
      else { continue }
      mirrors[index].isAsked = true
      views.append(mirrors[index].request)
      tokens.append(mirrors[index].token)
    }
    guard !tokens.isEmpty else { return nil }
    return (.join(tokens), .join(Join(doorbell: link.doorbell, views: views)))
  }

  /// What the data channel carries next: signs of life before questions before pulls.
  private mutating func nextQuestion(at now: Moment) -> (RequestPurpose, Request.Body)? {
    if run != nil, let due = aliveDue, due <= now {
      aliveDue = now + timing.alive
      var numbers: [Topic: CommitNumber] = [:]
      for mirror in mirrors where mirror.follows {
        guard let number = mirror.position?.number else { continue }
        numbers[mirror.topic] = min(number, numbers[mirror.topic] ?? number)
      }
      return (.alive(silences: silences), .alive(Alive(numbers: numbers, mail: mail)))
    }
    if let ask = ask(trials: false) { return ask }
    if run != nil, !needsHello, let next = nextOfDesk(at: now) { return next }
    return run == nil || needsHello ? nil : pull()
  }

  private mutating func ask(trials: Bool) -> (RequestPurpose, Request.Body)? {
    guard let index = asks.firstIndex(where: { $0.isTrial == trials && !$0.isOut }) else {
      return nil
    }
    asks[index].isOut = true
    return (.ask(asks[index].token), asks[index].body)
  }

  /// The next mirror that wants something, all in turn.
  private mutating func pull() -> (RequestPurpose, Request.Body)? {
    for offset in mirrors.indices {
      let index = (turn + offset) % mirrors.count
      guard !mirrors[index].isAsked, mirrors[index].notBefore == nil else { continue }
      let body: Request.Body
      switch mirrors[index].want {
      case .nothing, .join: continue
      case .replay:
        guard let number = mirrors[index].position?.number else { continue }
        body = .replay(mirrors[index].topic, from: number)
      case .snapshot: body = .snapshot(mirrors[index].topic)
      case .chunk:
        guard let answer = mirrors[index].pull?.answer, let offset = mirrors[index].pull?.first()
        else { continue }
        body = .chunk(answer: answer, offset: offset)
      }
      turn = index + 1
      mirrors[index].isAsked = true
      return (.mirror(mirrors[index].token, generation: mirrors[index].generation), body)
    }
    return nil
  }

  /// The next chunk of a value whose chunks are under way, while nothing else wants the channel.
  private mutating func nextChunk(at now: Moment) -> (RequestPurpose, Request.Body)? {
    guard (1..<SnapshotPull.chunksUnderWay).contains(data.flights.count),
      let purpose = data.flight?.purpose, case .mirror(let token, let generation) = purpose,
      let index = mirrors.firstIndex(where: { $0.token == token }),
      mirrors[index].generation == generation, mirrors[index].want == .chunk,
      mirrors[index].notBefore == nil, run != nil, !needsHello, !othersAsk(than: index, at: now),
      let answer = mirrors[index].pull?.answer, let offset = mirrors[index].pull?.next()
    else { return nil }
    mirrors[index].isAsked = true
    return (purpose, .chunk(answer: answer, offset: offset))
  }

  /// Whether anybody but a mirror wants the data channel: it must become free for it.
  private func othersAsk(than mirror: Int, at now: Moment) -> Bool {
    if let aliveDue, aliveDue <= now { return true }
    return asks.contains { !$0.isTrial && !$0.isOut } || deskAsks
      || mirrors.indices.contains { index in
        index != mirror && !mirrors[index].isAsked && mirrors[index].notBefore == nil
          && [.replay, .snapshot, .chunk].contains(mirrors[index].want)
      }
  }

  /// An answer came, or what is none any more.
  mutating func receive(_ reply: Reply, on channel: Channel, at now: Moment) {
    lastHeard = now
    if link.isSilent, answeredInSilence == nil { answeredInSilence = now }
    let purpose =
      switch channel {
      case .actions:
        actions.answered(
          faults.contains(.anyReplyTaken)
            ? actions.flight?.request ?? 0 : reply.header.request)
      case .data: data.answered(reply.header.request)
      }
    guard let purpose else {
      if actRequests.contains(reply.header.request) { takeLateAct(reply) }
      return
    }
    if case .hello(let tokens) = purpose {
      takeHello(reply, tokens, at: now)
      return
    }
    let heard = DaemonRun(lineage: reply.header.lineage, epoch: reply.header.epoch)
    let isOtherRun = run != nil && run != heard
    if case .ask(let token) = purpose {
      asks.removeAll { $0.token == token }
      if token != Self.probe { outputs.append(.answered(token, reply)) }
    }
    if isOtherRun {
      endRun(Self.restarted, at: now)
      return
    }
    read(durable: reply.header.durable)
    switch purpose {
    case .hello, .ask, .leave: break
    case .join(let tokens): takeJoin(reply, tokens, at: now)
    case .act(let numbers), .outcome(let numbers): takeAct(reply, numbers, at: now)
    case .alive(let silences): takeAlive(reply, silences: silences, at: now)
    case .mirror(let token, let generation): takeMirror(reply, token, generation, at: now)
    case .call, .cancelCall, .giveBack, .watch, .cancelTask: takeDesk(reply, purpose, at: now)
    }
  }
}

extension ClientMachine.Ask {
  /// A dry run waits for the batch it was read in, as actions do; other questions wait for nothing.
  var isTrial: Bool { if case .trial = body { true } else { false } }
}
