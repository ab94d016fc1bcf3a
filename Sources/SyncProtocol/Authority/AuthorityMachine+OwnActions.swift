internal import StateModel

/// The daemon's own actions: started, presence, handles, deadlines, and what effects send.
extension AuthorityMachine {
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
