internal import StateModel

/// `act`, `outcome` and `try`: what runs the app, or would.
extension AuthorityMachine {
  mutating func act(_ act: Act, _ request: Request, _ route: Route, _ peer: Peer) {
    guard act.entries.count <= limits.entries else {
      return refuse(
        request.id, route, .tooLarge,
        "\(act.entries.count) entries in one request, the limit is \(limits.entries): send them in "
          + "several requests")
    }
    let found = session(
      request.session, base: act.base, first: act.entries.first?.number, peer: peer)
    guard case .session(let slot) = found else { return refuse(found, request, route) }
    role = peer.role
    takeInbox()
    acknowledge(slot, through: act.acked)
    var outcomes: [Outcome] = []
    outcomes.reserveCapacity(act.entries.count)
    var repeats = false
    let before = open.outcomeCount
    if act.atomic {
      (outcomes, repeats) = atomic(act.entries, slot)
    } else {
      // By index: an iterator would copy each entry.
      for index in act.entries.indices {
        outcomes.append(decide(act.entries[index], slot, &repeats))
      }
    }
    answer(outcomes, slot, repeats, fresh: open.outcomeCount > before, request, route)
  }

  mutating func outcome(
    _ query: OutcomeQuery, _ request: Request, _ route: Route, _ peer: Peer
  ) {
    guard query.numbers.count <= limits.entries else {
      return refuse(
        request.id, route, .tooLarge,
        "\(query.numbers.count) numbers in one request, the limit is \(limits.entries): ask in "
          + "several requests")
    }
    let found = session(
      request.session, base: query.base, first: query.numbers.first, peer: peer)
    guard case .session(let slot) = found else { return refuse(found, request, route) }
    takeInbox()
    acknowledge(slot, through: query.acked)
    var outcomes: [Outcome] = []
    outcomes.reserveCapacity(query.numbers.count)
    var repeats = false
    let before = open.outcomeCount
    for number in query.numbers { outcomes.append(find(number, slot, &repeats)) }
    answer(outcomes, slot, repeats, fresh: open.outcomeCount > before, request, route)
  }

  private mutating func refuse(_ found: Found, _ request: Request, _ route: Route) {
    guard case .refused(let code, let text) = found else { return }
    // What is expired or rewritten was read from the session table: it leaves with its batch.
    reply(.plain(code, text), request.id, route)
  }

  /// Puts the answer into the queue of the newest batch.
  private mutating func answer(
    _ outcomes: [Outcome], _ slot: Int, _ repeats: Bool, fresh: Bool, _ request: Request,
    _ route: Route
  ) {
    let reply = PendingReply(
      request: request.id, route: route,
      content: .act(sessions.ref(slot), outcomes, repeats: repeats))
    if faults.contains(.dupFromMemory), !fresh { return release(reply, batch: open.serial) }
    open.replies.append(reply)
  }

  mutating func reply(_ content: PendingReply.Content, _ request: UInt64, _ route: Route) {
    open.replies.append(PendingReply(request: request, route: route, content: content))
  }

  // MARK: One entry

  private mutating func decide(
    _ numbered: Act.Numbered, _ slot: Int, _ repeats: inout Bool
  ) -> Outcome {
    let number = numbered.number
    let (hash, size) = hash(numbered.entry)
    if number <= sessions[slot].window.last {
      return repeated(number, hash, slot, &repeats)
    }
    if let refusal = refusal(number, numbered.entry, size, slot) { return refusal }
    let entry = numbered.entry
    if let commit = entry.ifCommit, commit != open.last, !faults.contains(.conditionUnread) {
      let outcome = Outcome(
        number: number, code: .conflict,
        text: "the state is that of commit \(open.last), not of \(commit) as expected")
      record(outcome, hash, size, slot, .client(entry.kind), seed: 0, rootDelta: .empty)
      return outcome
    }
    let seed = random.next()
    let commit = open.last.next
    let performed = perform(
      CommitEntry(
        kind: .client(entry.kind), expectations: entry.expectations, commit: commit,
        origin: sessions[slot].publicNumber, epoch: epoch, role: role, date: date,
        seed: seed, wantsRootDelta: isDurable))
    var outcome = Outcome(
      number: number, code: performed.code, text: performed.text, path: performed.path)
    if performed.code == .ok || performed.code == .noChange {
      outcome.commit = commit
      committed(commit, origin: sessions[slot].publicNumber)
      if let work = performed.work {
        if faults.contains(.effectsEarly) {
          outputs.append(.start(work, cause: commit, sentBy: nil))
        }
        open.work.append(
          .init(work: work, commit: commit, origin: sessions[slot].publicNumber))
      }
    } else if !performed.code.consumesNumber {
      sessions[slot].hold = performed.code
      return outcome
    } else if faults.contains(.rejectTakesCommit) {
      committed(commit, origin: nil)
    }
    record(
      outcome, hash, size, slot, .client(entry.kind), seed: seed, rootDelta: performed.rootDelta)
    return outcome
  }

  /// The answer to a number that was consumed before.
  mutating func repeated(
    _ number: ActionNumber, _ hash: Bytes16?, _ slot: Int, _ repeats: inout Bool
  ) -> Outcome {
    statistics.repeats += 1
    repeats = true
    if faults.contains(.lastReplyOnly), var last = sessions[slot].window.all.last?.outcome {
      last.number = number
      return last
    }
    guard let kept = sessions[slot].window[number] else {
      return Outcome(
        number: number, code: .expired,
        text: "the outcome of action \(number) is not kept any more")
    }
    if let hash, kept.payloadHash != hash, kept.payloadHash != .burnt {
      return Outcome(
        number: number, code: .idReused,
        text: "action \(number) was sent before with other content: a number keeps its bytes")
    }
    return kept.outcome
  }

  /// Why a number above the last is not taken; nil when it is. Consumes nothing.
  mutating func refusal(
    _ number: ActionNumber, _ entry: Entry, _ size: Int, _ slot: Int
  ) -> Outcome? {
    let last = sessions[slot].window.last
    guard number == last &+ 1 || faults.contains(.gapsTaken) else {
      if let hold = sessions[slot].hold {
        return Outcome(
          number: number, code: hold,
          text: "action \(last + 1) was refused: this one waits until that one is sent again")
      }
      return Outcome(
        number: number, code: .outOfOrder,
        text: "the next number of this session is \(last + 1), not \(number)")
    }
    sessions[slot].hold = nil
    if let (code, text) = refusal(entry, size, slot) {
      sessions[slot].hold = code
      return Outcome(number: number, code: code, text: text.cut(to: limits.outcomeText))
    }
    return nil
  }

  mutating func refusal(_ entry: Entry, _ size: Int, _ slot: Int) -> (Code, String)? {
    if case .other(let kind) = entry.kind {
      return (
        .notOffered,
        "this daemon does not offer `\(kind)` entries: it may be older than the client"
      )
    }
    if let refusal = refuseHandle(entry.kind, slot) { return refusal }
    if sessions[slot].inFlight + size > limits.inFlight, sessions[slot].inFlight > 0 {
      return (
        .busy,
        "this session has \(sessions[slot].inFlight) bytes under way, the limit is "
          + "\(limits.inFlight): send the same again in a moment"
      )
    }
    if sessions[slot].window.last - sessions[slot].durableLast >= UInt64(limits.window) {
      return (
        .busy,
        "this session has \(limits.window) actions under way, which is the limit: send the same "
          + "again in a moment"
      )
    }
    if isFull {
      // With a free journal a full batch is closed on the spot, in the middle of a drain.
      if inFlight == nil { closeBatch() }
      if isFull { return (.busy, "the daemon is at its limit: send the same again in a moment") }
    }
    return nil
  }

  var isFull: Bool {
    open.outcomeCount >= limits.batchEntries || open.bytes >= limits.batchBytes
  }

  /// The hash of an entry's bytes, and how many they are.
  mutating func hash(_ entry: Entry) -> (Bytes16, Int) {
    scratch.removeAll()
    entry.encodeElements(to: &scratch)
    let hash = XXH3.hash128(scratch.bytes)
    return (Bytes16(high: hash.high, low: hash.low), scratch.bytes.count)
  }

  /// Runs the app on an entry. What it says about it is kept for the session and journaled, and an
  /// app may well quote its input: it is cut here, for every app.
  mutating func perform(_ entry: CommitEntry) -> Performed<App.Work> {
    var performed = app.perform(entry)
    performed.text = performed.text.cut(to: limits.outcomeText)
    performed.path = performed.path.cut(to: limits.outcomePath)
    return performed
  }

  /// A commit was made.
  mutating func committed(_ commit: CommitNumber, origin: PublicNumber?) {
    open.origin = open.last == open.base ? origin : nil
    open.last = commit
  }

  /// A number is consumed: outcome window, row and log.
  mutating func record(
    _ outcome: Outcome, _ hash: Bytes16, _ size: Int, _ slot: Int, _ kind: CommitEntry.Kind,
    seed: UInt64, rootDelta: Delta
  ) {
    statistics.outcomes += 1
    sessions[slot].window.append(SessionTable.Kept(outcome: outcome, payloadHash: hash))
    if faults.contains(.lastReplyOnly) { sessions[slot].window.cut(to: 1) }
    open.outcomeCount += 1
    open.bytes += size
    touch(slot, bytes: size)
    if outcome.commit != nil { note(kind, slot) }
    let origin = sessions[slot].publicNumber
    open.log.append(
      ActionLog.Item(
        commit: open.last, origin: origin, kind: kind, code: outcome.code, text: outcome.text,
        date: date))
    guard isDurable else { return }
    if faults.contains(.rejectNotJournaled), outcome.commit == nil { return }
    open.entries.append(
      JournalEntry(
        session: sessions[slot].id, sessionBase: sessions[slot].base, owner: sessions[slot].owner,
        number: outcome.number, payloadHash: hash, origin: origin, kind: kind, outcome: outcome,
        date: date, seed: seed, rootDelta: rootDelta))
  }

  /// An entry that is a commit may have brought a handle about, or taken it away.
  mutating func note(_ kind: CommitEntry.Kind, _ slot: Int) {
    switch kind {
    case .client(.offer(let name)):
      open.handles.append(.init(session: sessions.ref(slot), name: name, isOffered: true))
    case .client(.withdraw(let name)):
      open.handles.append(.init(session: sessions.ref(slot), name: name, isOffered: false))
    default: break
    }
  }

  // MARK: Giving up, trying

  /// What became of a number; one above the last is burnt, so that "never" is final.
  private mutating func find(
    _ number: ActionNumber, _ slot: Int, _ repeats: inout Bool
  ) -> Outcome {
    let last = sessions[slot].window.last
    if number <= last { return repeated(number, nil, slot, &repeats) }
    guard number == last &+ 1 else {
      return Outcome(
        number: number, code: .outOfOrder,
        text: "the next number of this session is \(last + 1): give up the lower ones first")
    }
    let outcome = Outcome(
      number: number, code: .cancelled, text: "given up: it was not done and never will be")
    if faults.contains(.outcomeNotFenced) { return outcome }
    if isFull, inFlight == nil { closeBatch() }
    if isFull {
      return Outcome(
        number: number, code: .busy, text: "the daemon is at its limit: ask again in a moment")
    }
    sessions[slot].hold = nil
    record(
      outcome, .burnt, 0, slot, .client(.other(kind: "outcome")), seed: 0, rootDelta: .empty)
    return outcome
  }

  private mutating func run(
    trial entry: Entry, by trier: PendingReply.Trier
  ) -> Performed<App.Work> {
    if case .other(let kind) = entry.kind {
      return Performed(
        code: .notOffered,
        text: "this daemon does not offer `\(kind)` entries: it may be older than the client")
    }
    if let slot = sessions.slot(of: trier.origin), let refusal = refuseHandle(entry.kind, slot) {
      return Performed(code: refusal.0, text: refusal.1)
    }
    if let commit = entry.ifCommit, commit != open.last {
      return Performed(
        code: .conflict,
        text: "the state is that of commit \(open.last), not of \(commit) as expected")
    }
    let before = app.checkpoint
    var seeds = random
    let performed = perform(
      CommitEntry(
        kind: .client(entry.kind), expectations: entry.expectations, commit: open.last.next,
        origin: trier.origin, epoch: epoch, role: trier.role, date: date, seed: seeds.next(),
        wantsRootDelta: true))
    app.restore(before)
    return performed
  }

  /// A dry run: it read the state, so it leaves with the newest batch.
  mutating func trial(_ entry: Entry, _ request: Request, _ route: Route, _ peer: Peer) {
    let origin = sessions.find(request.session).map { sessions[$0].publicNumber } ?? 0
    let trier = PendingReply.Trier(origin: origin, role: peer.role)
    reply(runTrial(entry, by: trier), request.id, route)
  }

  /// Also when the batch that a dry run read was undone: it is run anew.
  mutating func runTrial(
    _ entry: Entry, by trier: PendingReply.Trier
  ) -> PendingReply.Content {
    let done = run(trial: entry, by: trier)
    return .trial(entry, trier, code: done.code, text: done.text, delta: done.rootDelta)
  }
}

extension Bytes16 {
  /// Stands for any payload: of numbers that were given up.
  static let burnt = Bytes16(high: 0, low: 0)
}
