internal import StateModel

/// How a view goes on for a client: by deltas from its position, or by a snapshot.
extension AuthorityMachine {
  /// The answer to a view of `hello` or `join`, from what is published now.
  ///
  /// - Parameter budget: bytes that the reply may still take; what does not fit is pulled.
  mutating func answer(_ named: NamedView, budget: inout Int) -> ViewAnswer {
    switch named.found {
    case .refused(let code, let text): return refused(named.topic, code, text)
    case .view(let ref):
      guard let slot = views.slot(ref), let view = views[slot] else {
        return refused(named.topic, .gone, "the view has ended: ask for it again")
      }
      if let refusal = view.refusal { return refused(named.topic, refusal.code, refusal.text) }
      guard view.isPublished, let value = view.published else {
        return refused(named.topic, .retry, "the view is not projected yet: ask for it again")
      }
      if let wanted = named.request.schemaHash, wanted != value.schemaHash {
        return snapshot(slot, reason: "schema", budget: &budget)
      }
      guard let position = named.request.position else {
        return snapshot(slot, reason: "fresh", budget: &budget)
      }
      return resume(slot, from: position, budget: &budget)
    }
  }

  func refused(_ topic: Topic, _ code: Code, _ text: String) -> ViewAnswer {
    ViewAnswer(
      topic: topic, number: .zero, digest: Digest(rawValue: 0),
      content: .refused(code: code, text: text))
  }

  private mutating func resume(
    _ slot: Int, from position: Position, budget: inout Int
  ) -> ViewAnswer {
    guard let view = views[slot],
      isOnHistory(position.lineage, position.epoch, position.number),
      position.epoch != epoch || position.number <= view.number
    else { return snapshot(slot, reason: "history", budget: &budget) }
    let digest = Digest(rawValue: position.digestValue)
    let trusts = faults.contains(.resumeWithoutDigest)
    if digest == view.digest || (trusts && position.number >= view.number) {
      statistics.resumes += 1
      return ViewAnswer(
        topic: view.topic, number: view.number, digest: view.digest, content: .resume([]))
    }
    guard position.epoch == epoch || faults.contains(.lineagePlusNumber) else {
      return snapshot(slot, reason: "compacted", budget: &budget)
    }
    return catchUp(slot, from: position.number, budget: &budget) { $0 == digest || trusts }
  }

  /// The kept deltas from `number` on; else a snapshot.
  ///
  /// As many deltas as fit: the mirror asks again from where they end, so it always progresses.
  mutating func catchUp(
    _ slot: Int, from number: CommitNumber, budget: inout Int, if fits: (Digest) -> Bool
  ) -> ViewAnswer {
    guard let view = views[slot], view.isPublished else {
      return snapshot(slot, reason: "fresh", budget: &budget)
    }
    let chain =
      faults.contains(.chainBroken) ? view.kept.all.dropFirst() : view.kept.from(number)
    if let chain, let first = chain.first, fits(first.before) {
      var deltas: [Delta] = []
      var reached = number
      var digest = first.before
      for (offset, item) in zip(chain.indices, chain) {
        guard item.delta.bytes.count <= budget else { break }
        budget -= item.delta.bytes.count
        deltas.append(item.delta)
        reached = item.to
        digest = offset + 1 < chain.endIndex ? chain[offset + 1].before : view.digest
      }
      guard !deltas.isEmpty else {
        return snapshot(slot, reason: "too far", beyond: number, budget: &budget)
      }
      statistics.resumes += 1
      return ViewAnswer(
        topic: view.topic, number: reached, digest: digest, content: .resume(deltas))
    }
    return snapshot(slot, reason: "compacted", beyond: number, budget: &budget)
  }

  /// The published value at the published number: in the answer if it is small, else pinned.
  ///
  /// - Parameter number: where the mirror stands that could not be helped by deltas: an older pinned
  ///   value would lead it in a circle.
  mutating func snapshot(
    _ slot: Int, reason: String, beyond number: CommitNumber? = nil, budget: inout Int
  ) -> ViewAnswer {
    guard let view = views[slot], let value = view.published else {
      return refused(Topic(bytes: []), .gone, "the view has ended: ask for it again")
    }
    statistics.snapshots += 1
    let ref = views.ref(slot)
    if let pin = pins.shared(ref, beyond: number, at: now, young: timing.viewKept) {
      return pull(pin, view, reason)
    }
    // What is known to be long is not encoded here, where everybody waits for it.
    let bytes = views.encoded(slot, atMost: limits.publication)
    if let bytes, bytes.count <= budget {
      budget -= bytes.count
      return ViewAnswer(
        topic: view.topic, number: view.number, digest: view.digest,
        content: .snapshot(value: bytes, reason: reason))
    }
    // It would be encoded, for the most part, only to be refused.
    guard hasRoomToPin(bytes?.count ?? views.leastSize(slot)) else {
      return noRoomToPin(view.topic)
    }
    let pin = pins.pin(
      ref, value: value, number: view.number, digest: view.digest,
      bytes: bytes.map { EncodedPieces($0) }, at: now)
    encodeNext()
    return pull(pin, view, reason)
  }

  // MARK: Asked for by themselves

  mutating func snapshot(_ topic: Topic, _ request: Request, _ route: Route) {
    guard let slot = views.find(topic), let view = views[slot] else {
      return refuse(request.id, route, .unknown, Self.unknownTopic)
    }
    if view.isLive, view.isPublished {
      var budget = limits.answer
      let answer = snapshot(slot, reason: "fresh", budget: &budget)
      return send(.snapshot(answer), to: request.id, route)
    }
    // Nobody subscribes: what was published last may be old. It is projected with the open batch.
    want(slot)
    reply(.snapshot(views.ref(slot), topic), request.id, route)
  }

  mutating func replay(
    _ topic: Topic, from: CommitNumber, _ request: Request, _ route: Route
  ) {
    guard let slot = views.find(topic), let view = views[slot] else {
      return refuse(request.id, route, .unknown, Self.unknownTopic)
    }
    let isOurs = request.epoch == epoch
    let wanted = WaitingReplay(request: request.id, session: request.session, route: route)
    if view.isLive, view.isPublished { return replay(slot, from: from, isOurs: isOurs, wanted) }
    want(slot)
    reply(
      .replay(views.ref(slot), from: from, isOurs: isOurs, session: request.session), request.id,
      route)
  }

  static var unknownTopic: String {
    "no view has this topic (any more): name it in a hello or a join first"
  }

  /// The kept deltas, or one from a pinned value when that is made; else a snapshot.
  mutating func replay(
    _ slot: Int, from: CommitNumber, isOurs: Bool, _ wanted: WaitingReplay
  ) {
    if isOurs, waits(wanted, on: slot, from: from) { return }
    send(
      .replay(replayAnswer(slot, from: from, isOurs: isOurs)), to: wanted.request, wanted.route)
  }

  private mutating func replayAnswer(
    _ slot: Int, from: CommitNumber, isOurs: Bool
  ) -> ViewAnswer {
    var budget = limits.answer
    guard let view = views[slot], isOurs, from <= view.number else {
      return snapshot(slot, reason: "history", budget: &budget)
    }
    if from == view.number {
      return ViewAnswer(
        topic: view.topic, number: view.number, digest: view.digest, content: .resume([]))
    }
    return catchUp(slot, from: from, budget: &budget) { _ in true }
  }

  // MARK: Mistakes, for tests

  /// What `replyViewIsLastChange` tells: the action's commit, whatever was published.
  func lastChange(_ refs: [ViewRef], _ outcomes: [Outcome]) -> [Topic: CommitNumber] {
    let commit = outcomes.compactMap(\.commit).max()
    return views.numbers.numbers(refs, batch: nil).mapValues { commit ?? $0 }
  }

  /// What `snapshotFromMemory` does: the answer leaves at once, with the state in memory.
  mutating func sendFromMemory(
    _ content: PendingReply.Content, _ request: UInt64, _ route: Route
  ) {
    var answers: [ViewAnswer] = []
    let named: [NamedView]
    switch content {
    case .hello(_, let views), .join(let views): named = views
    default: named = []
    }
    for view in named {
      do throws(ViewRefusal) {
        let value = try app.openView(name: view.request.name, parameters: view.request.parameters)
        answers.append(
          ViewAnswer(
            topic: view.topic, number: open.last, digest: value.digest,
            content: .snapshot(value: value.encoded(atMost: .max) ?? [], reason: "fresh")))
      } catch {
        answers.append(refused(view.topic, error.code, error.text))
      }
    }
    if case .hello(let ref, _) = content, let slot = sessions.slot(ref) {
      send(.hello(helloAnswer(slot, answers)), to: request, route)
    } else {
      send(.join(answers), to: request, route)
    }
  }
}
