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
      for numbered in act.entries { outcomes.append(decide(numbered, slot, &repeats)) }
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
    if let commit = entry.ifCommit, commit != open.last {
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
        open.work.append(
          .init(work: work, commit: commit, origin: sessions[slot].publicNumber))
      }
    } else if !performed.code.consumesNumber {
      sessions[slot].hold = performed.code
      return outcome
    }
    record(
      outcome, hash, size, slot, .client(entry.kind), seed: seed, rootDelta: performed.rootDelta)
    return outcome
  }

  /// The answer to a number that was consumed before.
  private mutating func repeated(
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
  private mutating func refusal(
    _ number: ActionNumber, _ entry: Entry, _ size: Int, _ slot: Int
  ) -> Outcome? {
    let last = sessions[slot].window.last
    guard number == last &+ 1 else {
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

  private mutating func refusal(_ entry: Entry, _ size: Int, _ slot: Int) -> (Code, String)? {
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

  private var isFull: Bool {
    open.outcomeCount >= limits.batchEntries || open.bytes >= limits.batchBytes
  }

  /// The hash of an entry's bytes, and how many they are.
  private mutating func hash(_ entry: Entry) -> (Bytes16, Int) {
    scratch.removeAll()
    entry.encodeElements(to: &scratch)
    let hash = XXH3.hash128(scratch.bytes)
    return (Bytes16(high: hash.high, low: hash.low), scratch.bytes.count)
  }

  /// Runs the app on an entry. What it says about it is kept for the session and journaled, and an
  /// app may well quote its input: it is cut here, for every app.
  private mutating func perform(_ entry: CommitEntry) -> Performed<App.Work> {
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
  private mutating func record(
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
  private mutating func note(_ kind: CommitEntry.Kind, _ slot: Int) {
    switch kind {
    case .client(.offer(let name)):
      open.handles.append(.init(session: sessions.ref(slot), name: name, isOffered: true))
    case .client(.withdraw(let name)):
      open.handles.append(.init(session: sessions.ref(slot), name: name, isOffered: false))
    default: break
    }
  }

  // MARK: Atomic requests

  /// All entries are one commit, or each consumes its number: the guilty one with its code, the
  /// others `cancelled`.
  private mutating func atomic(
    _ entries: [Act.Numbered], _ slot: Int
  ) -> (outcomes: [Outcome], repeats: Bool) {
    var repeats = false
    var outcomes: [Outcome] = []
    let fresh = entries.drop { $0.number <= sessions[slot].window.last }
    if fresh.count < entries.count {
      // Sent again: answered one by one. A part of it alone was never an atomic request.
      for numbered in entries {
        if numbered.number <= sessions[slot].window.last {
          outcomes.append(repeated(numbered.number, hash(numbered.entry).0, slot, &repeats))
        } else {
          outcomes.append(
            Outcome(
              number: numbered.number, code: .malformed,
              text: "an atomic request is sent again with the entries that it had"))
        }
      }
      return (outcomes, repeats)
    }
    if let refusal = atomicRefusal(entries, slot) {
      return (
        entries.map { Outcome(number: $0.number, code: refusal.code, text: refusal.text) }, false
      )
    }
    return (runAtomic(entries, slot), false)
  }

  private mutating func atomicRefusal(_ entries: [Act.Numbered], _ slot: Int) -> Outcome? {
    guard let first = entries.first else { return nil }
    for (offset, numbered) in entries.enumerated()
    where numbered.number != first.number &+ UInt64(offset) {
      return Outcome(
        number: numbered.number, code: .malformed,
        text: "the numbers of an atomic request follow one another")
    }
    var size = 0
    for numbered in entries { size += hash(numbered.entry).1 }
    for numbered in entries {
      switch numbered.entry.kind {
      case .other, .offer, .withdraw:
        if let refusal = refusal(first.number, numbered.entry, size, slot) { return refusal }
      default: continue
      }
    }
    return refusal(first.number, first.entry, size, slot)
  }

  private mutating func runAtomic(_ entries: [Act.Numbered], _ slot: Int) -> [Outcome] {
    let before = app.checkpoint
    let commit = open.last.next
    let seed = random.next()
    let origin = sessions[slot].publicNumber
    var performed: [Performed<App.Work>] = []
    for numbered in entries {
      if let expected = numbered.entry.ifCommit, expected != open.last {
        performed.append(
          Performed(
            code: .conflict,
            text: "the state is that of commit \(open.last), not of \(expected) as expected"))
      } else {
        performed.append(
          perform(
            CommitEntry(
              kind: .client(numbered.entry.kind), expectations: numbered.entry.expectations,
              commit: commit, origin: origin, epoch: epoch, role: role, date: date,
              seed: seed, wantsRootDelta: isDurable)))
      }
      if let last = performed.last, last.code != .ok, last.code != .noChange { break }
    }
    guard let last = performed.last else { return [] }
    if last.code == .ok || last.code == .noChange {
      committed(commit, origin: origin)
      return zip(entries, performed).map { numbered, done in
        if let work = done.work {
          open.work.append(.init(work: work, commit: commit, origin: origin))
        }
        let outcome = Outcome(
          number: numbered.number, code: done.code, commit: commit, text: done.text,
          path: done.path)
        let (hash, size) = hash(numbered.entry)
        record(
          outcome, hash, size, slot, .client(numbered.entry.kind), seed: seed,
          rootDelta: done.rootDelta)
        return outcome
      }
    }
    app.restore(before)
    guard last.code.consumesNumber else {
      sessions[slot].hold = last.code
      return entries.map { Outcome(number: $0.number, code: last.code, text: last.text) }
    }
    let guilty = entries[performed.count - 1].number
    return entries.map { numbered in
      let outcome =
        numbered.number == guilty
        ? Outcome(number: guilty, code: last.code, text: last.text, path: last.path)
        : Outcome(
          number: numbered.number, code: .cancelled,
          text: "not done: action \(guilty) of the same atomic request was refused")
      let (hash, size) = hash(numbered.entry)
      record(
        outcome, hash, size, slot, .client(numbered.entry.kind), seed: seed, rootDelta: .empty)
      return outcome
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

  // MARK: The daemon's own actions

  mutating func effect(_ action: [UInt8], cause: CommitNumber) {
    put(.effect(action: action, cause: cause))
  }

  /// Takes in an action of the daemon's own.
  mutating func put(_ own: Batch<App.Work>.OwnWork) {
    // Effects die with the epoch: what comes after the end is nobody's any more.
    guard phase.isRunning else { return }
    if case .effect(_, let cause) = own, inbox.count >= limits.inbox {
      return drop(cause)
    }
    inbox.append(own)
    if let until = inboxHeldUntil, now < until { return }
    takeInbox()
  }

  /// An effect that sends faster than the daemon can commit is ended, rather than the daemon's memory.
  private mutating func drop(_ cause: CommitNumber) {
    statistics.droppedActions += 1
    outputs.append(.handled(cause))
    outputs.append(.cancelEffects(cause))
    guard !overflowed.contains(cause) else { return }
    overflowed.insert(cause)
    outputs.append(
      .report(
        "the effects of commit \(cause) send actions faster than they can be committed: "
          + "\(limits.inbox) wait already, the effects are ended"))
  }

  /// Runs what waits in the inbox, in order, while the batch has room.
  mutating func takeInbox() {
    guard !inbox.isEmpty, phase.isRunning else { return }
    inboxHeldUntil = nil
    var taken = 0
    for own in inbox {
      if isFull {
        if inFlight == nil { closeBatch() }
        if isFull { break }
      }
      taken += 1
      run(own)
    }
    inbox.removeFirst(taken)
  }

  private mutating func run(_ own: Batch<App.Work>.OwnWork) {
    let kind: CommitEntry.Kind =
      switch own {
      case .started: .started
      case .effect(let action, let cause): .effect(action: action, cause: cause)
      case .presence(let attendance): .presence(attendance)
      case .deadline(let due): .client(.answer(alert: due.alert, button: due.button))
      }
    let commit = open.last.next
    let seed = random.next()
    let performed = perform(
      CommitEntry(
        kind: kind, commit: commit, origin: nil, epoch: epoch, date: date, seed: seed,
        wantsRootDelta: isDurable))
    open.log.append(
      ActionLog.Item(
        commit: commit, origin: nil, kind: kind, code: performed.code, text: performed.text,
        date: date))
    var sender: CommitNumber?
    if case .effect(_, let cause) = own { sender = cause }
    // Only accepted ones are in the order: nobody asks for the outcome of the others.
    guard performed.code == .ok || performed.code == .noChange else {
      if let sender { outputs.append(.handled(sender)) }
      return
    }
    committed(commit, origin: nil)
    if performed.work != nil || sender != nil {
      open.work.append(.init(work: performed.work, commit: commit, origin: nil, sentBy: sender))
    }
    open.outcomeCount += 1
    open.own.append(own)
    if case .effect(let action, _) = own { open.bytes += action.count }
    guard isDurable else { return }
    open.entries.append(
      JournalEntry(
        session: nil, sessionBase: .zero, owner: "", number: 0, payloadHash: .burnt, origin: nil,
        kind: kind, outcome: Outcome(number: 0, code: performed.code, commit: commit), date: date,
        seed: seed, rootDelta: performed.rootDelta))
  }
}

extension String {
  /// As much of it as fits in so many bytes of UTF-8, an ellipsis in place of the rest.
  func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    let ellipsis = "…"
    var end = utf8.index(startIndex, offsetBy: max(0, limit - ellipsis.utf8.count))
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil {
      utf8.formIndex(before: &end)
    }
    return String(unicodeScalars[..<end]) + ellipsis
  }
}

extension [[UInt8]] {
  /// The first elements of a path, as many as have so many bytes together.
  func cut(to limit: Int) -> [[UInt8]] {
    var bytes = 0
    let end = firstIndex { element in
      bytes += element.count
      return bytes > limit
    }
    return end.map { Array(self[..<$0]) } ?? self
  }
}

extension Bytes16 {
  /// Stands for any payload: of numbers that were given up.
  static let burnt = Bytes16(high: 0, low: 0)
}
