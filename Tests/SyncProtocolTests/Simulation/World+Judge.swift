import StateModel
import SyncProtocol

/// The invariants, each where it can be broken first.
extension World {
  // MARK: Nothing is visible that is not durable

  func judge(_ commit: CommitNumber, _ what: String) {
    if commit > disk.commit {
      complain("\(what) shows commit \(commit), the journal ends at \(disk.commit)")
    }
  }

  func judge(_ reply: Reply) {
    judge(reply.header.commit, "a reply")
    judge(reply.header.durable, "a reply")
    if reply.header.oldest > disk.commit || reply.header.oldest < disk.oldest {
      complain("a reply says that commit \(reply.header.oldest) is kept, \(disk.oldest) is")
    }
    switch reply.body {
    case .hello(let answer):
      coverage.hellos += 1
      for view in answer.views { judge(view) }
    case .join(let views): for view in views { judge(view) }
    case .snapshot(let view): judge(view)
    case .replay(let view):
      coverage.replays += 1
      judge(view)
    case .act(let answer):
      for number in answer.views.values { judge(number, "a view's number in a reply") }
      // Answers of a journal that failed are of the old one.
      for outcome in answer.outcomes where outcome.code.consumesNumber {
        if let commit = outcome.commit { judge(commit, "an outcome") }
      }
    case .alive(let answer):
      judge(answer.commit, "an alive")
      for number in answer.numbers.values { judge(number, "an alive") }
    case .chunk: coverage.chunks += 1
    case .trial, .value, .encodedValue, .text: break
    }
  }

  private func judge(_ view: ViewAnswer) {
    switch view.content {
    case .resume: coverage.resumes += 1
    case .snapshot: coverage.snapshots += 1
    case .pull: coverage.pulls += 1
    case .refused:
      coverage.refusals += 1
      return
    }
    judge(view.topic, at: view.number, digest: view.digest, "an answer")
  }

  func judge(_ broadcast: Broadcast) {
    switch broadcast {
    case .publication(let publication):
      judge(publication.commit, "a publication")
      if publication.flags.contains(.beat) {
        coverage.viewBeats += 1
      } else {
        coverage.publications += 1
        if publication.from >= publication.to {
          complain("a publication goes from \(publication.from) to \(publication.to)")
        }
      }
      judge(publication.topic, at: publication.to, digest: publication.digest, "a publication")
    case .beat(let beat):
      judge(beat.commit, "a beat")
      judge(beat.durable, "a beat")
    case .ring: break
    }
  }

  /// What leaves the daemon under a number is the projection of the durable state of that number.
  private func judge(
    _ topic: Topic, at number: CommitNumber, digest: Digest, _ what: @autoclosure () -> String
  ) {
    guard let projection = Self.projections[topic] else { return }
    guard let state = truths[epoch]?[number] else {
      complain("\(what()) of \(projection) stands at \(number), where nothing durable ends")
      return
    }
    if ToyValue.digest(projection.project(state, edition)) != digest {
      complain("\(what()) of \(projection) at \(number) is not what is durable there")
    }
  }

  static let projections: [Topic: ToyProjection] = {
    var all: [Topic: ToyProjection] = [:]
    for projection in [ToyProjection.bit, .all, .half(0), .half(1)] {
      if let topic = Topic(view: projection.name, parameters: projection.parameters) {
        all[topic] = projection
      }
    }
    return all
  }()

  // MARK: Exactly once

  /// A row becomes durable: nothing in it may be what somebody was told is not done.
  func judge(_ row: JournalRow) {
    for entry in row.entries where entry.outcome.code == .ok {
      guard case .client(.perform(let bytes)) = entry.kind, let action = ToyAction(bytes: bytes)
      else { continue }
      judgeOrder(of: action)
      if notDone.contains(action.id) {
        complain("action \(action.id) was reported as not done and is applied")
      }
      if let wanted = conditions[action.id], entry.outcome.commit != wanted.next {
        complain("action \(action.id) was to follow commit \(wanted), and does not")
      }
    }
  }

  /// What was sent as one commit is one, or nothing.
  private func judgeBundles() {
    for bundle in bundles {
      let done = bundle.filter { disk.state.applied.contains($0) }
      if !done.isEmpty, done.count < bundle.count {
        complain("of the atomic actions \(bundle) only \(done) are applied")
      }
    }
  }

  func judge(_ output: ClientOutput, of index: Int) {
    switch output {
    case .resolved(let token, let resolution):
      clients[index].unresolved.removeAll { $0 == token }
      judge(resolution, of: token.rawValue, token, index)
      noteSet(output, of: index)
    case .reached(let token):
      if clients[index].unreached.remove(token) == nil {
        complain("client \(index) reached \(token.rawValue) twice, or before it was done")
      }
      judgeReached(token.rawValue, index)
      noteSet(output, of: index)
    case .answered(let token, _):
      if clients[index].questions.remove(token) == nil {
        complain("client \(index) got two answers to one question")
      }
    case .notice(.diverged(let token, _, _, let expected, let found)):
      complain("client \(index): view \(token.rawValue) is \(found) where \(expected) is published")
    case .notice(.rewritten(let undone)):
      coverage.rewritten += 1
      clients[index].undone.formUnion(undone.map(\.rawValue))
      // A daemon that answered in another epoch may have had another history; and since one that
      // answered in this epoch was stopped, a backup may have been restored.
      if answeredEpoch == epoch, daemon != nil {
        for token in undone where disk.state.applied.contains(token.rawValue) {
          complain("action \(token.rawValue) is named as undone, and is in the journal")
        }
      }
      if !historyWasLost { complain("client \(index) is told that history was rewritten") }
    case .notice(.linkLost): coverage.silences += 1
    case .invoke, .cancelInvoked, .called, .ended: judgeCalls(output, of: index)
    case .refused(_, let code, let text):
      complain("client \(index) was refused a view: \(code.rawValue) \(text)")
    default: break
    }
  }

  private func judge(
    _ resolution: Resolution, of id: UInt64, _ token: ActionToken, _ index: Int
  ) {
    let isApplied = disk.state.applied.contains(id)
    switch resolution {
    case .done(let code, let commit, _):
      if code == .ok || code == .noChange { clients[index].unreached.insert(token) }
      if code == .ok {
        coverage.applied += 1
        clients[index].acknowledged.append(id)
        if commit == nil { complain("action \(id) is applied without a commit") }
        if !isApplied, !historyWasLost {
          complain("action \(id) is acknowledged and not in the journal")
        }
      } else if code != .noChange {
        coverage.rejected += 1
        notDone.insert(id)
        if isApplied { complain("action \(id) was answered \(code.rawValue) and is applied") }
      }
    case .notDone(let code, _):
      coverage.givenUp += 1
      notDone.insert(id)
      if isApplied { complain("action \(id) is not done (\(code.rawValue)) and is applied") }
    case .unknown:
      coverage.unknown += 1
      if !historyWasLost, scenario.limits.sessions > 100 {
        complain("what became of action \(id) is unknown, and nothing was lost")
      }
    }
  }

  /// Read your own writes: every mirror that is not stale shows it.
  private func judgeReached(_ id: UInt64, _ index: Int) {
    guard !historyWasLost, disk.state.applied.contains(id) else { return }
    for view in clients[index].views where view.follows && view.projection.shows(id) {
      guard !clients[index].machine.isStale(view.token),
        let replica = clients[index].replica(of: view), !replica.value.contains(id)
      else { continue }
      complain("client \(index) reached \(id), and \(view.projection) does not show it")
    }
  }

  // MARK: Exact or marked

  func judgeMirrors(of index: Int) {
    for position in clients[index].views.indices {
      let view = clients[index].views[position]
      guard !clients[index].machine.isStale(view.token) else { continue }
      guard let place = clients[index].machine.position(of: view.token) else {
        complain("client \(index): \(view.projection) is not stale and stands nowhere")
        return
      }
      if place == view.judged { continue }
      clients[index].views[position].judged = place
      guard let state = truths[place.epoch]?[place.number],
        let edition = editions[place.epoch]
      else {
        complain("client \(index): \(view.projection) stands at \(place.number), not published")
        return
      }
      guard let replica = clients[index].replica(of: view) else { continue }
      if replica.value != view.projection.project(state, edition) {
        complain("client \(index): \(view.projection) differs at \(place.number), not stale")
      }
      if replica.digest.rawValue != place.digestValue {
        complain("client \(index): \(view.projection) has another digest than its position")
      }
    }
    if clients[index].machine.heldBytes > scenario.limits.heldDeltas * 5 {
      complain("client \(index) holds \(clients[index].machine.heldBytes) bytes")
    }
  }

  /// Whoever hears nothing for too long does not know whether its mirrors are current.
  func judgeSilence(of index: Int) {
    guard let heard = clients[index].heard, heard + Timing().linkLost <= now else { return }
    for view in clients[index].views
    where view.follows && !clients[index].machine.isStale(view.token) {
      complain("client \(index): \(view.projection) is not stale after \(now - heard) of silence")
    }
  }

  // MARK: At the end

  func judgeRest() {
    if let unrest { return complain("after silence \(unrest)") }
    judgeBundles()
    for (index, client) in clients.enumerated() {
      for id in client.acknowledged
      where !disk.state.applied.contains(id) && !client.undone.contains(id) {
        complain("action \(id) of client \(index) was acknowledged and is lost, unnamed")
      }
    }
  }
}
