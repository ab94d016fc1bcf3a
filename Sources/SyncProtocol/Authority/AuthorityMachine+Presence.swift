internal import StateModel

/// Who is listed as present. Coming and going are actions of the daemon's own, in the one order like
/// any other; a refused batch puts them back into the inbox.
extension AuthorityMachine {
  /// What a hello asks for.
  mutating func attend(_ slot: Int, _ hello: Hello) {
    guard app.wantsPresence else { return }
    let wasPresent = sessions[slot].isPresent
    let client = sessions[slot].publicNumber
    if hello.present {
      guard !wasPresent || sessions[slot].name != hello.name else { return }
      if !wasPresent { sessions[slot].presentSince = date }
      sessions[slot].isPresent = true
      sessions[slot].name = hello.name
      put(.presence(.joined(client, name: hello.name)))
    } else if wasPresent {
      depart(slot)
    }
  }

  /// It is listed no more, and what it offers is gone.
  mutating func depart(_ slot: Int) {
    guard sessions[slot].isPresent else { return }
    sessions[slot].isPresent = false
    sessions[slot].isAway = false
    sessions[slot].name = ""
    sessions[slot].handles = []
    let ref = sessions.ref(slot)
    open.handles.removeAll { $0.session == ref }
    inFlight?.handles.removeAll { $0.session == ref }
    put(.presence(.left(sessions[slot].publicNumber)))
  }

  /// Something was heard of a session that was away.
  mutating func returned(_ slot: Int) {
    sessions[slot].isAway = false
    put(.presence(.back(sessions[slot].publicNumber)))
  }

  /// Nothing was heard for a while of a session that is listed; whether it is gone now.
  mutating func isGone(_ slot: Int) -> Bool {
    let session = sessions[slot]
    let patience = session.isCut ? timing.cutGone : timing.alive * timing.missedGone
    if session.lastHeard + patience <= now { return true }
    if !session.isAway, session.lastHeard + timing.alive * timing.missedAlive <= now {
      sessions[slot].isAway = true
      put(.presence(.away(session.publicNumber)))
    }
    return false
  }

  /// Somebody, or nobody any more, hears a doorbell.
  mutating func doorbell(_ nonce: Nonce, isHeard: Bool) {
    for slot in sessions.slots.indices where sessions.slots[slot].doorbell == nonce {
      sessions[slot].isCut = !isHeard
    }
  }

  /// The handles that a batch has brought about can be called, or not any more.
  mutating func publish(_ changes: [Batch<App.Work>.HandleChange]) {
    for change in changes {
      guard let slot = sessions.slot(change.session), sessions[slot].isPresent else { continue }
      sessions[slot].handles.removeAll { $0 == change.name }
      if change.isOffered { sessions[slot].handles.append(change.name) }
    }
  }

  /// Why a session cannot offer or withdraw; nil when it can, and for every other entry.
  func refuseHandle(_ kind: Entry.Kind, _ slot: Int) -> (Code, String)? {
    switch kind {
    case .offer(let name):
      guard app.wantsPresence else { return (.notOffered, "this app keeps no handles") }
      guard sessions[slot].isPresent else { return (.helloAgain, Self.presentFirst) }
      let offered = offered(by: slot)
      guard offered.count < limits.handles || offered.contains(name) else {
        return (
          .tooLarge,
          "\(limits.handles) handles are offered, which is a session's limit: withdraw one first"
        )
      }
    case .withdraw where !app.wantsPresence: return (.notOffered, "this app keeps no handles")
    default: break
    }
    return nil
  }

  /// What a session offers once all that it has sent is published: a request may hold many offers,
  /// and more may come before the first is durable.
  private func offered(by slot: Int) -> Set<String> {
    var names = Set(sessions[slot].handles)
    let ref = sessions.ref(slot)
    for change in (inFlight?.handles ?? []) + open.handles where change.session == ref {
      if change.isOffered { names.insert(change.name) } else { names.remove(change.name) }
    }
    return names
  }

  static var presentFirst: String {
    "only a session that is listed as present can offer: say hello with `present`, then the same "
      + "again"
  }
}
