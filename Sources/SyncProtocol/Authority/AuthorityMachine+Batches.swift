internal import StateModel

/// Closing batches, and what the journal's answers do to them.
extension AuthorityMachine {
  mutating func drained() {
    if phase.isSilent { return }
    if let until = inboxHeldUntil, now < until {
      // The disk was full a moment ago: the daemon's own actions alone do not try again yet.
    } else {
      takeInbox()
    }
    closeIfPossible()
    finishStopping()
  }

  /// Closes the open batch if the journal is free, or if it needs no row.
  private mutating func closeIfPossible() {
    guard !open.isEmpty, inFlight == nil || !needsRow else { return }
    closeBatch()
  }

  /// Whether closing the open batch means a row.
  private var needsRow: Bool { isDurable && open.needsRow }

  /// Projects what the open batch touched. With a row it goes to the journal; without one it leaves
  /// with the batch before it, or at once.
  mutating func closeBatch() {
    wantWhatActorsSee()
    // Swapped, not copied: a batch has a dozen arrays.
    var batch = Batch<App.Work>(serial: 0, after: .zero, floor: .zero)
    swap(&batch, &spare)
    batch.begin(serial: open.serial + 1, after: open.last, floor: sessions.floor)
    swap(&open, &batch)
    statistics.batches += 1
    if asksQuestions, batch.last > batch.base { deadlines.update(app.dueAnswers) }
    let hasRow = isDurable && batch.needsRow
    if faults.contains(.replyAtClose) { releaseReplies(&batch) }
    batch.publishing = views.close(
      app: app, at: batch.last, changed: batch.last > batch.base, origin: batch.origin,
      wanted: batch.wanted, keepsOld: isDurable)
    if faults.contains(.publishAtClose) { publishEarly(&batch) }
    if hasRow {
      noticeWork()
      batch.row = lastRow + 1
      inFlightState = app.checkpoint
      outputs.append(
        .append(
          JournalRow(
            id: batch.row, lineage: history.lineage, epoch: epoch, base: batch.base,
            last: batch.last, entries: batch.entries, rootDigest: app.rootDigest,
            schemaHash: app.schemaHash, droppedSessions: batch.dropped.map(\.id),
            floor: sessions.floor)))
      inFlight = batch
    } else if inFlight != nil {
      inFlight?.absorb(batch)
    } else {
      release(batch)
      batch.empty()
      swap(&batch, &spare)
    }
  }

  /// Where a link was cut and its client does not know it yet, the client's mirrors have to reach
  /// what its actions did all the same: their views are projected though nobody subscribes.
  private mutating func wantWhatActorsSee() {
    guard views.someAreIdle, !faults.contains(.idleViewsForgotten) else { return }
    for reply in open.replies {
      guard case .act(let ref, _, _) = reply.content, let slot = sessions.slot(ref) else {
        continue
      }
      let isKnown = sessions[slot].isAttached
      if isKnown, sessions[slot].doorbell == nil { continue }
      // Which views a session has that was forgotten, or fell silent, is not known: any may be.
      let seen = isKnown ? sessions[slot].views.compactMap { views.slot($0) } : views.named
      for view in seen where views.isIdle(view) && !open.wanted.contains(view) {
        open.wanted.append(view)
      }
    }
  }

  // MARK: Durable

  mutating func journaled(_ row: UInt64) {
    guard inFlight?.row == row, !phase.isSilent, var batch = inFlight.take() else { return }
    lastRow = row
    if let state = inFlightState { durableState = state }
    inFlightState = nil
    release(batch)
    saveSnapshotIfDue(batch)
    batch.empty()
    swap(&batch, &spare)
    closeIfPossible()
    finishStopping()
  }

  /// Everything that waited for the batch leaves: publications, then replies, then effects start.
  private mutating func release(_ batch: Batch<App.Work>) {
    published = batch.last
    for touch in batch.touched {
      guard let slot = sessions.slot(touch.session) else { continue }
      sessions[slot].durableLast = max(sessions[slot].durableLast, touch.last)
      sessions[slot].inFlight -= touch.bytes
      sessions[slot].window.cut(to: limits.window + pending(slot))
    }
    if !batch.handles.isEmpty { publish(batch.handles) }
    if batch.outcomeCount > 0 {
      for item in batch.log { log.append(item) }
      noticeWork()
    }
    for slot in batch.publishing { publish(slot, batch.serial) }
    for reply in batch.replies { release(reply, batch: batch.serial) }
    for start in batch.work {
      if let origin = start.origin { tasks.begin(start.commit, origin: origin) }
      outputs.append(.start(start.work, cause: start.commit, sentBy: start.sentBy))
    }
    dropRefusedViews(batch)
  }

  /// Outcomes that are not durable yet: they are kept beyond the window.
  private func pending(_ slot: Int) -> Int {
    Int(clamping: sessions[slot].window.last - sessions[slot].durableLast)
  }

  /// A view that could not be opened has been answered for.
  private mutating func dropRefusedViews(_ batch: Batch<App.Work>) {
    for slot in batch.wanted where views[slot]?.refusal != nil { views.drop(slot) }
  }

  mutating func publish(_ slot: Int, _ serial: UInt64) {
    guard
      let done = views.publish(slot, batch: serial, at: now, limits: limits, timing: timing),
      let delta = done.delta
    else { return }
    var flags: Publication.Flags = []
    var payload = delta
    let level = burst.total(at: now, heartbeat: timing.heartbeat)
    if delta.bytes.count > limits.publication
      || level + delta.bytes.count > limits.publishedBurst
    {
      if !faults.contains(.pullUnflagged) { flags.insert(.pull) }
      payload = Delta(bytes: [])
    } else if delta.setsWhole {
      flags.insert(.whole)
    }
    burst.add(payload.bytes.count + Self.publicationOverhead)
    statistics.publications += 1
    statistics.publishedBytes += UInt64(payload.bytes.count)
    outputs.append(
      .broadcast(
        .publication(
          Publication(
            topic: done.topic, lineage: history.lineage, epoch: epoch, from: done.from, to: done.to,
            commit: published, digest: done.digest, origin: done.origin, flags: flags,
            delta: payload))))
  }

  /// What a publication takes beside its payload, about.
  static var publicationOverhead: Int { 160 }

  /// One reply leaves: what it could not know before is filled in.
  mutating func release(_ reply: PendingReply, batch serial: UInt64) {
    switch reply.content {
    case .act(let ref, let outcomes, let repeats):
      var answer = ActAnswer(outcomes: outcomes)
      if let slot = sessions.slot(ref) {
        answer.last = sessions[slot].durableLast
        // The numbers that its mirrors have to reach: of the views that this batch published, or of
        // all of them where an outcome is an earlier batch's.
        answer.views = views.numbers.numbers(
          sessions[slot].views,
          batch: repeats && !faults.contains(.repeatsShowNothing) ? nil : serial)
        if !sessions[slot].isAttached { answer.views = views.numbers.all }
        if faults.contains(.replyViewIsLastChange) {
          answer.views = lastChange(sessions[slot].views, outcomes)
        }
      }
      send(.act(answer), to: reply.request, reply.route)
    case .hello(let ref, let named):
      guard let slot = sessions.slot(ref) else {
        return send(.text(Self.helloFirst), code: .retry, to: reply.request, reply.route)
      }
      let answers = answers(named)
      send(.hello(helloAnswer(slot, answers)), to: reply.request, reply.route)
    case .join(let named): send(.join(answers(named)), to: reply.request, reply.route)
    case .trial(_, _, let code, let text, let delta):
      send(.trial(code: code, text: text, delta: delta), to: reply.request, reply.route)
    case .snapshot(let ref, _):
      guard let slot = views.slot(ref), views[slot]?.isPublished == true else {
        return refuse(reply.request, reply.route, .unknown, Self.unknownTopic)
      }
      var budget = limits.answer
      let answer = snapshot(slot, reason: "fresh", budget: &budget)
      send(.snapshot(answer), to: reply.request, reply.route)
    case .replay(let ref, let from, let isOurs, let session):
      guard let slot = views.slot(ref), views[slot]?.isPublished == true else {
        return refuse(reply.request, reply.route, .unknown, Self.unknownTopic)
      }
      replay(
        slot, from: from, isOurs: isOurs,
        WaitingReplay(request: reply.request, session: session, route: reply.route))
    case .rewritten(let base, let last):
      statistics.refusals += 1
      let answer = HelloAnswer(
        base: base, last: last, publicNumber: 0, limits: limits, beat: timing.busyBeat, views: [],
        epochs: history.epochs.suffix(HelloAnswer.epochsTold))
      send(.hello(answer), code: .rewritten, to: reply.request, reply.route)
    case .plain(let code, let text):
      statistics.refusals += 1
      send(.text(text), code: code, to: reply.request, reply.route)
    }
  }

  private mutating func answers(_ named: [NamedView]) -> [ViewAnswer] {
    var budget = limits.answer
    return named.map { answer($0, budget: &budget) }
  }

  func helloAnswer(_ slot: Int, _ answers: [ViewAnswer]) -> HelloAnswer {
    let session = sessions[slot]
    return HelloAnswer(
      base: session.base, last: session.durableLast, publicNumber: session.publicNumber,
      limits: limits, beat: timing.busyBeat, views: answers)
  }

  // MARK: Refused, failed, fenced

  /// A full disk: state, sessions and views return to the last durable batch, what the daemon itself
  /// put in goes back to the inbox, what was read is read anew.
  mutating func journalRefused(_ row: UInt64, _ text: String) {
    guard let first = inFlight, first.row == row, !phase.isSilent else { return }
    statistics.journalRefusals += 1
    inFlight = nil
    inFlightState = nil
    let second = open
    open = Batch(
      serial: second.serial + 1, after: faults.contains(.noSpaceNoRollback) ? open.last : published,
      floor: first.floorBefore)
    views.undo(first.publishing)
    if !faults.contains(.noSpaceNoRollback) {
      app.restore(durableState)
      if asksQuestions { deadlines.update(app.dueAnswers) }
      rollBack(first)
      rollBack(second)
      sessions.restore(first.dropped + second.dropped, floor: first.floorBefore)
      inbox = first.own + second.own + inbox
      inboxHeldUntil = now + timing.refusedRetry
    }
    let wanted = (first.wanted + second.wanted).filter { views[$0] != nil }
    open.wanted = wanted
    for reply in first.replies + second.replies {
      switch reply.content {
      case .act(let ref, let outcomes, let repeats):
        let undone = outcomes.map { withoutSpace($0, ref, text) }
        open.replies.append(
          PendingReply(
            request: reply.request, route: reply.route,
            content: .act(ref, undone, repeats: repeats)))
      case .trial(let entry, let trier, _, _, _):
        open.replies.append(
          PendingReply(
            request: reply.request, route: reply.route,
            content: runTrial(entry, by: trier)))
      default: open.replies.append(reply)
      }
    }
    // Nothing of it needs a row: it leaves at once.
    if !open.isEmpty { closeBatch() }
    finishStopping()
  }

  private mutating func rollBack(_ batch: Batch<App.Work>) {
    for touch in batch.touched {
      guard let slot = sessions.slot(touch.session) else { continue }
      sessions[slot].inFlight = max(0, sessions[slot].inFlight - touch.bytes)
      guard sessions[slot].window.last > sessions[slot].durableLast else { continue }
      if faults.contains(.noSpaceConsumes) { continue }
      sessions[slot].window.rollBack(to: sessions[slot].durableLast)
      sessions[slot].hold = .noSpace
    }
  }

  /// The outcome of an entry whose batch was undone: it consumed nothing.
  private func withoutSpace(_ outcome: Outcome, _ ref: SessionRef, _ text: String) -> Outcome {
    guard outcome.code.consumesNumber, !faults.contains(.undoneAnswered) else { return outcome }
    if let slot = sessions.slot(ref), let kept = sessions[slot].window[outcome.number],
      outcome.number <= sessions[slot].durableLast
    {
      return kept.outcome
    }
    return Outcome(
      number: outcome.number, code: .noSpace,
      text:
        "the journal takes nothing (\(text)): the action was not done; send the same again when "
        + "it does")
  }

  mutating func journalFailed(_ row: UInt64, _ text: String) {
    guard !phase.isSilent else { return }
    if faults.contains(.failedIsRefused) { return journalRefused(row, text) }
    end(.failed(text), .journalFailed(text))
  }

  mutating func journalFenced(_ row: UInt64) {
    guard !phase.isSilent else { return }
    if faults.contains(.fenceIsFull) { return journalRefused(row, "fenced") }
    end(.fenced, .fenced)
  }

  /// Nothing that waits may be told any more: whoever waits is to try again.
  private mutating func end(_ phase: AuthorityPhase, _ reason: StopReason) {
    self.phase = phase
    let waiting = (inFlight?.replies ?? []) + open.replies
    inFlight = nil
    open.replies = []
    inbox = []
    for reply in waiting { refuse(reply.request, reply.route, .retry, phase.refusal) }
    refuseWaitingPullers()
    outputs.append(.stopped(reason))
  }

  // MARK: Snapshots

  private mutating func saveSnapshotIfDue(_ batch: Batch<App.Work>) {
    rowsSinceSnapshot += 1
    bytesSinceSnapshot += batch.bytes
    for entry in batch.entries { bytesSinceSnapshot += entry.rootDelta.bytes.count }
    guard
      rowsSinceSnapshot >= limits.snapshotRows || bytesSinceSnapshot >= limits.snapshotBytes
    else { return }
    rowsSinceSnapshot = 0
    bytesSinceSnapshot = 0
    outputs.append(.saveSnapshot(durableSessions, at: published))
  }

  /// The session table as of the newest durable row.
  package var durableSessions: SessionTable {
    let dropped = (inFlight?.dropped ?? []) + open.dropped
    let floor = inFlight?.floorBefore ?? open.floorBefore
    return sessions.durableTable(dropped: dropped, floor: floor, window: limits.window)
  }
}

extension Delta {
  /// Whether it is a single change that sets the root: `[[0, [], value]]`.
  var setsWhole: Bool { bytes.starts(with: [0x81, 0x83, 0x00, 0x80]) }
}
