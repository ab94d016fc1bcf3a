internal import StateModel

/// Beats, welcomes, silence and going away: what happens as time passes.
extension AuthorityMachine {
  /// When `tick` is to be called at the latest; nil when nothing is waited for.
  package var nextDeadline: Moment? {
    @_specialize(where App == AnyAuthorityApp)
    get {
      if phase.isSilent { return nil }
      var next = min(nextBeat, views.nextBeat, doorbells.nextWelcome, calls.nextDeadline)
      if case .farewell(_, let until) = phase { next = min(next, until) }
      if let held = inboxHeldUntil, !inbox.isEmpty { next = min(next, held) }
      if pins.isReady { next = now }
      if phase.isRunning, let due = deadlines.next { next = min(next, moment(of: due)) }
      return next
    }
  }

  /// The same, for a machine that is a stored property: a getter would be given a copy of it.
  @_specialize(where App == AnyAuthorityApp)
  package mutating func deadline() -> Moment? { nextDeadline }

  mutating func tick() {
    if phase.isSilent { return }
    ringWaiting()
    answerWaiting()
    if now >= calls.nextDeadline { endOverdue() }
    if now >= views.nextBeat { beatViews() }
    if now >= nextBeat { beat() }
    if let held = inboxHeldUntil, now >= held { drained() }
    if case .farewell(let text, let until) = phase, now >= until { close(text) }
  }

  /// When a date will be, as the clocks stand: no later than the longest beat, since a wall clock
  /// may be set, and no earlier than in a moment.
  private func moment(of due: Double) -> Moment {
    now + .seconds(min(max(due - date, 0.001), 1))
  }

  /// Questions whose deadline has come are answered, as actions of the daemon's own: one that
  /// somebody has answered meanwhile is not there any more, and nothing happens.
  mutating func answerDue() {
    guard phase.isRunning else { return }
    for due in deadlines.take(at: date) { inbox.append(.deadline(due)) }
    if let until = inboxHeldUntil, now < until { return }
    takeInbox()
  }

  /// A daemon that was stopped for a while must not take its own silence for that of its clients:
  /// all deadlines move by the pause.
  mutating func noticePause(until later: Moment) {
    let before = lastEvent
    guard later > before else { return }
    lastEvent = later
    // Most events follow at once: nothing is multiplied or divided for them.
    guard later.nanoseconds - before.nanoseconds > Self.shortestPause else { return }
    let gap = later - before
    guard gap > timing.idleBeat * 2 else { return }
    sessions.shift(by: gap)
    views.shift(by: gap)
    pins.shift(by: gap)
    calls.shift(by: gap)
  }

  /// There is work: the next beat comes soon.
  mutating func noticeWork() {
    guard !isBusy else { return }
    isBusy = true
    nextBeat = min(nextBeat, now + timing.busyBeat)
  }

  /// No pause is shorter than this, whatever the beat is.
  private static var shortestPause: Int64 { 1_000_000 }

  private mutating func beat() {
    expire()
    let interval = isBusy || inFlight != nil ? timing.busyBeat : timing.idleBeat
    isBusy = false
    nextBeat = now + interval
    outputs.append(
      .broadcast(
        .beat(
          DaemonBeat(
            lineage: history.lineage, epoch: epoch, commit: published, durable: published,
            oldest: oldest, next: interval))))
  }

  private mutating func beatViews() {
    for slot in views.takeBeats(at: now, longest: timing.viewBeatLongest) {
      guard let view = views[slot] else { continue }
      outputs.append(
        .broadcast(
          .publication(
            Publication(
              topic: view.topic, lineage: history.lineage, epoch: epoch, from: view.number,
              to: view.number, commit: published, digest: view.digest, origin: nil,
              flags: [.beat], delta: Delta(bytes: [])))))
    }
  }

  /// What has its time: silent sessions, views and pins that nobody wants.
  private mutating func expire() {
    let silence = timing.alive * timing.missedAlive
    for slot in sessions.slots.indices where sessions[slot].isAttached {
      if sessions[slot].isPresent {
        guard isGone(slot) else { continue }
      } else if sessions[slot].lastHeard + silence > now {
        continue
      }
      detach(slot)
      sessions[slot].hasLapsed = true
      if !faults.contains(.lapseUntold) { post(.lapsed(Self.lapsedText), to: slot) }
    }
    views.expire(at: now, kept: timing.viewKept)
    expirePins()
  }

  // MARK: Subscriptions

  mutating func subscribed(_ topic: Topic) {
    if phase.isSilent { return }
    switch topic.kind {
    case .doorbell(let nonce):
      doorbell(nonce, isHeard: true)
      let answers = doorbells.subscribe(
        nonce, at: now, gap: timing.welcomeGap, limit: limits.subscriptions)
      if answers { ring(nonce, isWelcome: true, mail: 0) }
    case .view:
      guard topic.bytes.count <= limits.topic else { return }
      if let slot = views.subscribe(topic, at: now, limit: limits.subscriptions) {
        open.wanted.append(slot)
      }
    case .daemonBeat, .other: break
    }
  }

  mutating func unsubscribed(_ topic: Topic) {
    switch topic.kind {
    case .doorbell(let nonce):
      doorbells.unsubscribe(nonce)
      doorbell(nonce, isHeard: false)
    case .view: views.unsubscribe(topic, at: now)
    case .daemonBeat, .other: break
    }
  }

  private mutating func ringWaiting() {
    for nonce in doorbells.takeWaiting(at: now, gap: timing.welcomeGap) {
      ring(nonce, isWelcome: true, mail: 0)
    }
  }

  private mutating func ring(_ nonce: Nonce, isWelcome: Bool, mail: UInt64) {
    outputs.append(
      .broadcast(
        .ring(
          Ring(
            nonce: nonce, lineage: history.lineage, epoch: epoch, isWelcome: isWelcome, mail: mail))
      ))
  }

  // MARK: Mail

  /// Puts an item into a session's mail and rings for it.
  mutating func post(_ content: Mail.Content, to slot: Int) {
    sessions[slot].mail.add(content)
    guard let nonce = sessions[slot].doorbell else { return }
    sessions[slot].awaited = sessions[slot].mail.last
    ring(nonce, isWelcome: false, mail: sessions[slot].mail.last)
  }

  static var lapsedText: String {
    "the daemon did not hear from this client for too long: what it waited for ended meanwhile"
  }

  // MARK: Going away

  mutating func stop(_ text: String) {
    guard phase.isRunning else { return }
    phase = .stopping(text)
    inbox = []
    refuseWaitingPullers()
    drained()
  }

  /// The batch under way is done: clients are told.
  mutating func finishStopping() {
    guard case .stopping(let text) = phase, inFlight == nil, open.isEmpty else { return }
    var waits = false
    for slot in sessions.slots.indices where sessions[slot].isAttached {
      post(.goingAway(text), to: slot)
      if sessions[slot].awaited > 0 { waits = true }
    }
    phase = .farewell(text, until: now + timing.farewell)
    if !waits { close(text) }
  }

  /// A client has read its mail: when all have, there is nothing to wait for.
  mutating func finishFarewell() {
    guard case .farewell(let text, _) = phase else { return }
    for session in sessions.slots where session.isAttached && session.awaited > 0 { return }
    close(text)
  }

  private mutating func close(_ text: String) {
    phase = .stopped
    outputs.append(.stopped(.asked(text)))
  }
}

extension SessionBook {
  /// A pause of the daemon moves all deadlines.
  mutating func shift(by pause: Duration) {
    for slot in slots.indices where slots[slot].isAttached {
      self[slot].lastHeard = slots[slot].lastHeard + pause
    }
  }
}
