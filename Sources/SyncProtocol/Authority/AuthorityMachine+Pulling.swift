internal import StateModel

/// Large values: pinned, encoded by the shell on another thread, and pulled in chunks.
extension AuthorityMachine {
  mutating func hasRoomToPin(_ least: Int) -> Bool {
    expirePins()
    return pins.hasRoom(for: least, limit: limits.pinned, byteLimit: limits.pinnedBytes)
  }

  func noRoomToPin(_ topic: Topic) -> ViewAnswer { refused(topic, .busy, noRoomText) }

  private var noRoomText: String {
    "\(pins.pins.count) large snapshots of \(pins.bytes >> 20) MiB are being pulled, and "
      + "\(limits.pinned) of \(limits.pinnedBytes >> 20) MiB are the limit: ask for the view again "
      + "in a moment"
  }

  /// Releases what nobody pulls any more.
  mutating func expirePins() {
    for pin in pins.expire(at: now, kept: timing.pinnedKept) { discard(pin) }
  }

  /// Where it stands is told now, how long it is only if that is known: its chunks wait.
  func pull(
    _ pin: PinBook<App.View>.Pin, _ view: LiveView<App.View>, _ reason: String
  ) -> ViewAnswer {
    ViewAnswer(
      topic: view.topic, number: faults.contains(.pullIsCurrent) ? view.number : pin.number,
      digest: pin.digest,
      content: .pull(
        answer: pin.answer, size: UInt64(pin.bytes?.count ?? 0), reason: reason))
  }

  // MARK: Encoding

  /// The next pinned value is encoded, unless one is: several large ones at a time would take several
  /// times the memory, and none would be done earlier.
  mutating func encodeNext() {
    guard phase.isRunning, let pin = pins.beginEncoding() else { return }
    let (answer, value, room) = (pin.answer, pin.value, pins.room(limits.pinnedBytes))
    let length = limits.chunk
    let work = BackgroundWork(
      answer: answer,
      run: { .encoded(answer: answer, value.encodedPieces(of: length, atMost: room)) },
      failed: .encoded(answer: answer, nil))
    outputs.append(.background(work))
  }

  /// A pinned value is encoded; nil where it is longer than there is room for, or could not be.
  mutating func encoded(_ answer: UInt64, _ bytes: EncodedPieces?) {
    if phase.isSilent { return }
    if let bytes {
      let bytes = faults.contains(.encodedIsCurrent) ? encodedNow(answer) ?? bytes : bytes
      if let pin = pins.encoded(answer, bytes, at: now) {
        views.noteSize(of: pin.view, at: pin.number, atLeast: bytes.count)
        answerWaiting()
      }
    } else {
      let room = pins.room(limits.pinnedBytes)
      if let pin = pins.dropUnencoded(answer) {
        if room < .max { views.noteSize(of: pin.view, at: pin.number, atLeast: room + 1) }
        for chunk in pin.waiting { refuse(chunk.request, chunk.route, .busy, noRoomText) }
        discard(pin)
      }
    }
    encodeNext()
  }

  /// Giving back the memory of a large value takes longer than the loop may be away.
  private mutating func discard(_ pin: PinBook<App.View>.Pin) {
    outputs.append(.discard(DiscardedValue((pin.value, pin.bytes))))
  }

  /// What `encodedIsCurrent` gives for a pinned value: the one that is published by now.
  private func encodedNow(_ answer: UInt64) -> EncodedPieces? {
    guard let pin = pins.pins.first(where: { $0.answer == answer }),
      let slot = views.slot(pin.view)
    else { return nil }
    return views[slot]?.published?.encodedPieces(of: limits.chunk, atMost: .max)
  }

  // MARK: Chunks

  mutating func chunk(
    _ answer: UInt64, offset: UInt64, _ request: Request, _ route: Route
  ) {
    let wanted = PinBook<App.View>.WaitingChunk(
      request: request.id, session: request.session, route: route, offset: offset)
    switch pins.pull(
      wanted, from: answer, size: limits.chunk, mostWaiting: limits.waitingPullers, at: now)
    {
    case .chunk(let chunk): send(chunk, to: request.id, route)
    case .waits: if !phase.isRunning { refuseWaitingPullers() }
    case .crowded: refuseCrowd(request.id, route)
    case .gone: refuseGone(answer, offset, request.id, route)
    }
  }

  private mutating func refuseCrowd(_ request: UInt64, _ route: Route) {
    refuse(
      request, route, .busy,
      "\(limits.waitingPullers) requests wait for large snapshots to be encoded or compared, and no "
        + "more may: ask again in a moment")
  }

  private mutating func refuseGone(
    _ answer: UInt64, _ offset: UInt64, _ request: UInt64, _ route: Route
  ) {
    refuse(
      request, route, .unknown,
      "answer \(answer) has no byte \(offset) or is not kept any more: ask for the view again")
  }

  private mutating func send(_ chunk: Chunk, to request: UInt64, _ route: Route) {
    statistics.pulled += UInt64(chunk.bytes.count)
    send(.chunk(chunk), to: request, route)
  }

  /// Gives those who waited what they waited for, as much as goes into one answer: the rest leaves
  /// with the next ticks. A thousand joiners may wait for the same first chunk, and somebody else for
  /// the answer to an action.
  mutating func answerWaiting() {
    var budget = limits.answer
    while budget > 0, let (wanted, answer, chunk) = pins.takeReady(size: limits.chunk, at: now) {
      if let chunk {
        budget -= chunk.bytes.count
        send(chunk, to: wanted.request, wanted.route)
      } else {
        refuseGone(answer, wanted.offset, wanted.request, wanted.route)
      }
    }
  }

  /// The daemon goes away: nobody waits for it.
  mutating func refuseWaitingPullers() {
    for wanted in pins.takeWaiting() { refuse(wanted.request, wanted.route, .retry, phase.refusal) }
  }

  // MARK: Going on from a pinned value

  typealias WaitingReplay = PinBook<App.View>.WaitingReplay

  /// Whether what was pulled leads on by a delta that is not kept, and is made now.
  ///
  /// It leads to what is published now: by the time it is made that may be some commits old, for which
  /// there are kept deltas.
  mutating func waits(_ wanted: WaitingReplay, on slot: Int, from number: CommitNumber) -> Bool {
    guard phase.isRunning, let view = views[slot], let value = view.published,
      number < view.number, view.kept.from(number) == nil,
      let pin = pins.find(views.ref(slot), at: number)
    else { return false }
    let (answer, old, most) = (pin.answer, pin.value, limits.answer)
    switch pins.compare(
      wanted, from: answer, to: view.number, view.digest, mostWaiting: limits.waitingPullers)
    {
    case .waits: break
    case .crowded: refuseCrowd(wanted.request, wanted.route)
    case .begins:
      let work = BackgroundWork(
        answer: answer,
        run: {
          let delta = value.delta(from: old)
          return .compared(answer: answer, delta.bytes.count <= most ? delta : nil)
        }, failed: .compared(answer: answer, nil))
      outputs.append(.background(work))
    }
    return true
  }

  /// Those who wait go on by the delta; where it is too large, or none, by another snapshot.
  mutating func compared(_ answer: UInt64, _ delta: Delta?) {
    guard !phase.isSilent, let (pin, comparison) = pins.compared(answer, at: now) else { return }
    let view = views.slot(pin.view).flatMap { views[$0] }
    let isCurrent = faults.contains(.comparedIsCurrent)
    for wanted in comparison.waiting {
      guard let slot = views.slot(pin.view), let view else {
        refuse(wanted.request, wanted.route, .unknown, Self.unknownTopic)
        continue
      }
      var budget = limits.answer
      var reply: ViewAnswer
      if let delta {
        statistics.resumes += 1
        reply = ViewAnswer(
          topic: view.topic, number: isCurrent ? view.number : comparison.number,
          digest: comparison.digest, content: .resume([delta]))
      } else {
        reply = snapshot(slot, reason: "too far", beyond: pin.number, budget: &budget)
      }
      send(.replay(reply), to: wanted.request, wanted.route)
    }
  }
}
