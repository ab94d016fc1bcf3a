internal import StateModel

/// Who may ask what, and which code answers what cannot be.
extension AuthorityMachine {
  mutating func handle(_ request: Request, route: Route, peer: Peer) {
    statistics.requests += 1
    if phase.isSilent { return refuse(request.id, route, .retry, phase.refusal) }
    if let slot = sessions.find(request.session) {
      guard sessions[slot].owner == peer.identity else {
        return refuse(
          request.id, route, .forbidden,
          "this session belongs to another user: make one of your own")
      }
      heard(slot)
    }
    switch request.body {
    case .act(let act):
      guard mayAct(request, route, peer) else { return }
      self.act(act, request, route, peer)
    case .outcome(let query):
      guard mayAct(request, route, peer) else { return }
      outcome(query, request, route, peer)
    case .trial(let entry):
      guard mayAct(request, route, peer) else { return }
      trial(entry, request, route, peer)
    case .hello(let hello):
      guard takesNew(request, route) else { return }
      self.hello(hello, request, route, peer)
    case .join(let join):
      guard takesNew(request, route) else { return }
      self.join(join, request, route)
    case .leave(let topics): leave(topics, request, route)
    case .snapshot(let topic): snapshot(topic, request, route)
    case .replay(let topic, let from): replay(topic, from: from, request, route)
    case .chunk(let answer, let offset): chunk(answer, offset: offset, request, route)
    case .alive(let alive): self.alive(alive, request, route)
    case .call(let call):
      guard mayAct(request, route, peer) else { return }
      self.call(call, request, route)
    case .giveBack(let back):
      guard mayAct(request, route, peer) else { return }
      giveBack(back, request, route)
    case .cancel(let cancelled):
      guard mayAct(request, route, peer) else { return }
      cancel(cancelled, request, route)
    case .wait(let commit):
      guard mayAct(request, route, peer) else { return }
      wait(for: commit, request, route)
    case .bye: bye(request, route)
    case .views: send(.value(viewsReport()), to: request.id, route)
    case .schema: send(.encodedValue(encodedSchema()), to: request.id, route)
    case .sessions: send(.value(sessionsReport()), to: request.id, route)
    case .stats: send(.value(statisticsReport()), to: request.id, route)
    case .log(let from, let limit):
      send(.value(logReport(from: from, limit: limit)), to: request.id, route)
    case .stop:
      guard peer.role >= .admin else {
        return refuse(
          request.id, route, .forbidden,
          "stopping the daemon needs the admin role, yours is "
            + "`\(peer.role)`")
      }
      send(.text(""), to: request.id, route)
      stop("asked to by a client")
    case .other(let kind):
      refuse(
        request.id, route, .notOffered,
        "this daemon does not offer `\(kind)` requests: it may be older than the client")
    }
  }

  /// Whether the daemon still takes what is new.
  private mutating func takesNew(_ request: Request, _ route: Route) -> Bool {
    if phase.isRunning { return true }
    refuse(request.id, route, .retry, phase.refusal)
    return false
  }

  /// Whether a request that runs the app may go on.
  private mutating func mayAct(_ request: Request, _ route: Route, _ peer: Peer) -> Bool {
    guard takesNew(request, route) else { return false }
    guard peer.role >= .act else {
      refuse(
        request.id, route, .forbidden,
        "sending actions needs the act role, yours is `\(peer.role)`")
      return false
    }
    if case .trial = request.body { return true }
    guard request.epoch == epoch || faults.contains(.actAnyEpoch) else {
      refuse(
        request.id, route, .retry,
        "the daemon was restarted since this session's last hello: say hello, then send the same "
          + "again")
      return false
    }
    return true
  }

  /// It never changes while the daemon lives, and making it takes long enough to hold up others.
  private mutating func encodedSchema() -> [UInt8] {
    if let schemaAnswer { return schemaAnswer }
    let encoded = app.schemaDescription.encoded()
    schemaAnswer = encoded
    return encoded
  }

  /// Any request is a sign of life.
  private mutating func heard(_ slot: Int) {
    sessions[slot].lastHeard = now
    if sessions[slot].isAway { returned(slot) }
  }
}
