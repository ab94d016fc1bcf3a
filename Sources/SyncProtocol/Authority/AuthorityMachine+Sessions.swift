internal import StateModel

/// Which session a request is of: known, new, or one that cannot be known any more.
extension AuthorityMachine {
  enum Found {
    case session(Int)
    case refused(Code, String)
  }

  /// The base that a new session is given.
  var newBase: CommitNumber { max(published, sessions.floor) }

  /// The session of an `act` or `outcome`, opened if it is unknown and may be new.
  mutating func session(
    _ id: SessionID, base: CommitNumber, first: ActionNumber?, peer: Peer
  ) -> Found {
    if let slot = sessions.find(id) {
      return disagree(slot, base) ?? .session(slot)
    }
    if faults.contains(.unknownSessionAccepted), let first {
      return openSession(id, base: base, peer: peer, last: first &- 1)
    }
    return refuse(newcomer: base) ?? openSession(id, base: base, peer: peer)
  }

  /// Why an unknown session with this base cannot be a new one; nil when it can.
  func refuse(newcomer base: CommitNumber) -> Found? {
    if base < sessions.floor, !faults.contains(.unknownSessionAccepted) {
      return .refused(.expired, Self.expiredText)
    }
    return base > newBase ? .refused(.rewritten, Self.rewrittenText) : nil
  }

  /// Why a known session cannot have this base; nil when it can.
  ///
  /// One that consumed nothing may have been opened by a late copy of its first hello, which an
  /// earlier epoch had answered with another base: what the client says counts.
  mutating func disagree(_ slot: Int, _ base: CommitNumber) -> Found? {
    if sessions[slot].base == base { return nil }
    guard sessions[slot].isBlank else { return .refused(.malformed, Self.otherBase) }
    if let refusal = refuse(newcomer: base) { return refusal }
    sessions[slot].base = base
    return nil
  }

  static var otherBase: String {
    "the base is not the one that this session's first hello was given: a session keeps its base"
  }
  static var expiredText: String {
    "the daemon has forgotten this session to make room: it cannot be known what became of the "
      + "actions that were sent and not answered; go on with a new session"
  }
  static var rewrittenText: String {
    "the daemon's history was replaced since this session began: acknowledged actions may be "
      + "undone; go on with a new session"
  }

  /// Makes room for a session, and opens it.
  mutating func openSession(
    _ id: SessionID, base: CommitNumber, peer: Peer, by route: Route? = nil, last: ActionNumber = 0
  ) -> Found {
    while sessions.count >= limits.sessions {
      let floor = sessions.floor
      defer { if faults.contains(.floorUnraised) { sessions.floor = floor } }
      guard let dropped = sessions.dropOne() ?? makeRoom(for: route) else {
        return .refused(
          .busy, "all \(limits.sessions) sessions are in use: end one, or try again in a moment")
      }
      // A blank one is not in the journal: nothing has to be written about it.
      if !dropped.isBlank, isDurable { open.dropped.append(dropped) }
    }
    let slot = sessions.open(id, base: base, owner: peer.identity)
    sessions[slot].lastHeard = now
    if last > 0 {
      sessions[slot].window = OutcomeWindow(last: last)
      sessions[slot].durableLast = last
    }
    return .session(slot)
  }

  /// Where every session is in use, the connection that has most gives one up: else a client that
  /// opens sessions without end would keep all others out.
  private mutating func makeRoom(for route: Route?) -> Session? {
    guard let route, let (slot, count) = sessions.greediest(beside: route) else { return nil }
    let session = sessions[slot]
    statistics.evictions += 1
    if now >= evictionsTold {
      evictionsTold = now + Self.betweenReports
      outputs.append(
        .report(
          "all \(limits.sessions) sessions are in use: client \(session.publicNumber) of "
            + "\(session.owner), one of \(count) on its connection, makes room for a new one; "
            + "\(statistics.evictions) sessions had to until now. Try: find out which program opens "
            + "so many, or raise limits-sessions."))
    }
    detach(slot)
    sessions[slot].hasLapsed = true
    return sessions.dropOne()
  }

  /// A flood is worth a line a minute, not one a session.
  private static var betweenReports: Duration { .seconds(60) }

  /// Outcomes that the client has are dropped; what is not durable yet is not among them.
  mutating func acknowledge(_ slot: Int, through number: ActionNumber) {
    let number = min(number, sessions[slot].durableLast)
    guard number > sessions[slot].acked else { return }
    sessions[slot].acked = number
    sessions[slot].window.drop(through: number)
  }

  /// Notes that the open batch consumed a number of this session.
  mutating func touch(_ slot: Int, bytes: Int) {
    let last = sessions[slot].window.last
    sessions[slot].inFlight += bytes
    if sessions[slot].touchedIn == open.serial {
      let index = sessions[slot].touchedAt
      open.touched[index].last = last
      open.touched[index].bytes += bytes
    } else {
      sessions[slot].touchedIn = open.serial
      sessions[slot].touchedAt = open.touched.count
      open.touched.append(.init(session: sessions.ref(slot), last: last, bytes: bytes))
    }
  }
}
