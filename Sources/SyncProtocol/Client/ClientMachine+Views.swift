/// Views: adding, removing, and the answers that bring mirrors on.
extension ClientMachine {
  /// Whether there is anything to be heard of: without it a client is REQ alone.
  var needsLink: Bool { wantsMail || mirrors.indices.contains { mirrors[$0].follows } }

  mutating func addView(
    _ token: ViewToken, _ name: String, _ parameters: [UInt8], _ replica: any Replica,
    follows: Bool, at now: Moment
  ) {
    guard let topic = Topic(view: name, parameters: parameters) else {
      outputs.append(.refused(token, code: .unknown, text: Self.noViewName(name)))
      return
    }
    guard mirrors.count < limits.viewsPerSession else {
      outputs.append(.refused(token, code: .tooLarge, text: tooManyViews))
      return
    }
    mirrors.append(
      MirrorMachine(
        token: token, name: name, parameters: parameters, topic: topic, replica: replica,
        follows: follows, timing: timing, at: now, faults: faults))
  }

  mutating func removeView(_ token: ViewToken) {
    guard let index = mirrors.firstIndex(where: { $0.token == token }) else { return }
    let mirror = mirrors.remove(at: index)
    guard mirror.follows else { return }
    if mirror.subscribedAfter != nil {
      outputs.append(.unsubscribe(topic: mirror.topic.bytes))
    }
    if run != nil, !mirrors.contains(where: { $0.topic == mirror.topic }) {
      leaving.append(mirror.topic)
    }
  }

  /// Subscribes what is not subscribed, and the beat with the first of them.
  mutating func subscribe(at now: Moment) {
    if needsLink, !link.isUsed {
      link.use(at: now)
      outputs.append(.subscribe(topic: Topic.daemonBeat.bytes))
    }
    for index in mirrors.indices
    where mirrors[index].follows && mirrors[index].subscribedAfter == nil {
      outputs.append(.subscribe(topic: mirrors[index].topic.bytes))
      mirrors[index].subscribedAfter = link.lastRing
    }
  }

  /// Whether publications of this view are proven to arrive.
  func isProven(_ mirror: MirrorMachine) -> Bool {
    mirror.subscribedAfter.map { $0 < link.provenRing } ?? false
  }

  func place(_ header: Reply.Header, at now: Moment) -> MirrorMachine.Place {
    MirrorMachine.Place(
      lineage: header.lineage, epoch: header.epoch, commit: header.commit, now: now,
      limit: limits.heldDeltas, isHeard: !link.isSilent)
  }

  /// The answers of a hello or a join, in the order in which the views were asked for.
  mutating func takeViews(
    _ answers: [ViewAnswer], _ asked: [ViewToken], _ header: Reply.Header, at now: Moment
  ) {
    let place = place(header, at: now)
    for (token, answer) in zip(asked, answers) {
      guard let index = mirrors.firstIndex(where: { $0.token == token }) else { continue }
      if !mirrors[index].take(answer, place, &outputs) { putOff(index, at: now) }
    }
  }

  /// The view is asked for again after a while.
  private mutating func putOff(_ index: Int, at now: Moment) {
    mirrors[index].notBefore = now + mirrors[index].attempts.next(using: &random)
  }

  mutating func takeJoin(_ reply: Reply, _ asked: [ViewToken], at now: Moment) {
    for index in mirrors.indices where asked.contains(mirrors[index].token) {
      mirrors[index].isAsked = false
    }
    if reply.header.code == .ok, case .join(let answers) = reply.body {
      takeViews(answers, asked, reply.header, at: now)
      return
    }
    for index in mirrors.indices where asked.contains(mirrors[index].token) {
      putOff(index, at: now)
    }
    switch reply.header.code {
    case .busy, .noSpace: break
    case .evicted: evict(reply.text, at: now)
    default: helloAgain(at: now)
    }
  }

  /// An answer to a mirror's own request.
  mutating func takeMirror(
    _ reply: Reply, _ token: ViewToken, _ generation: UInt64, at now: Moment
  ) {
    guard let index = mirrors.firstIndex(where: { $0.token == token }),
      mirrors[index].generation == generation
    else { return }
    let place = place(reply.header, at: now)
    switch reply.body {
    case .replay(let answer), .snapshot(let answer):
      guard reply.header.code == .ok, answer.topic == mirrors[index].topic else { break }
      if !mirrors[index].take(answer, place, &outputs) { putOff(index, at: now) }
      return
    case .chunk(let chunk):
      guard reply.header.code == .ok else { break }
      mirrors[index].take(chunk, place, &outputs)
      return
    default: break
    }
    mirrors[index].failed(reply.header.code, at: now, using: &random)
  }

  /// The session or its views are not what the daemon knows: hello, but not in a storm.
  mutating func helloAgain(at now: Moment) {
    // One is due already: put off whenever somebody asks for it, it would never be said.
    if needsHello { return }
    needsHello = true
    helloNotBefore = now + helloAttempts.next(using: &random)
  }

  mutating func takeAlive(_ reply: Reply, silences: Int, at now: Moment) {
    guard reply.header.code == .ok, case .alive(let answer) = reply.body else {
      switch reply.header.code {
      case .evicted: evict(reply.text, at: now)
      case .expired, .rewritten: helloAgain(at: now)
      default: break
      }
      return
    }
    for item in answer.mail where item.number > mail {
      mail = item.number
      // Acknowledged at once: it makes room, and brings what did not fit.
      aliveDue = now
      switch item.content {
      case .goingAway(let text): outputs.append(.notice(.goingAway(text)))
      case .evicted(let text):
        evict(text, at: now)
        return
      default: takeMail(item.content, at: now)
      }
    }
    settleEnded(answer.numbers)
    if answer.helloAgain {
      offers.startOver()
      helloAgain(at: now)
    }
    let confirms =
      silences == self.silences && !link.isSilent || faults.contains(.aliveProvesAnything)
    for index in mirrors.indices where mirrors[index].follows && mirrors[index].want == .nothing {
      guard let number = mirrors[index].position?.number else { continue }
      guard let published = answer.numbers[mirrors[index].topic] else {
        // The daemon does not follow it for us any more.
        mirrors[index].startOver()
        mirrors[index].behindSince = now
        continue
      }
      if number >= published {
        if confirms {
          mirrors[index].isConfirmed = true
          mirrors[index].freshen(&outputs)
        }
      } else if !mirrors[index].isConfirmed || answer.behind.contains(mirrors[index].topic) {
        mirrors[index].miss(at: now)
      }
    }
    together = (answer.commit, answer.numbers)
  }

  private var tooManyViews: String {
    "This is one view too many: a session may have \(limits.viewsPerSession). Remove one first."
  }

  static func noViewName(_ name: String) -> String {
    "\"\(name)\" cannot be the name of a view: 1 to 64 of A-Z, a-z, 0-9, '.', '_' and '-'."
  }
}
