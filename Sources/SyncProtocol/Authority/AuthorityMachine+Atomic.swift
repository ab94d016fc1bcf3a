internal import StateModel

/// Atomic requests: several entries that are one commit.
extension AuthorityMachine {
  /// All entries are one commit, or each consumes its number: the guilty one with its code, the
  /// others `cancelled`.
  mutating func atomic(
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
    if !faults.contains(.atomicByHalves) { app.restore(before) }
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
}
