internal import StateModel

/// `hello`, `join`, `leave`, `bye`: who is there, and which views it wants.
extension AuthorityMachine {
  mutating func hello(_ hello: Hello, _ request: Request, _ route: Route, _ peer: Peer) {
    guard hello.versions.contains(1) else {
      let isNewer = hello.versions.lowerBound > 1
      return refuse(
        request.id, route, isNewer ? .tooNew : .tooOld,
        "the client speaks protocol versions \(hello.versions.lowerBound) to "
          + "\(hello.versions.upperBound), this daemon version 1: use a "
          + "\(isNewer ? "newer daemon" : "newer client")")
    }
    guard hello.views.count <= limits.viewsPerSession else {
      return refuse(request.id, route, .tooLarge, tooManyViews(hello.views.count))
    }
    guard hello.name.utf8.count <= limits.nameBytes else {
      return refuse(
        request.id, route, .tooLarge,
        "the name has \(hello.name.utf8.count) bytes, the limit is \(limits.nameBytes)")
    }
    switch greet(hello, request.session, route, peer) {
    case .refused(.rewritten, _):
      let last = sessions.find(request.session).map { sessions[$0].window.last } ?? 0
      reply(.rewritten(base: hello.base ?? .zero, last: last), request.id, route)
    case .refused(let code, let text): reply(.plain(code, text), request.id, route)
    case .session(let slot):
      sessions.attach(slot, by: route)
      sessions[slot].hasLapsed = false
      sessions[slot].lastHeard = now
      sessions[slot].doorbell = hello.doorbell
      sessions[slot].isCut = false
      acknowledge(slot, through: hello.acked)
      attend(slot, hello)
      let named = hello.views.map { name($0) }
      if request.id > sessions[slot].listedBy { sessions[slot].views = [] }
      list(named, slot, request)
      if faults.contains(.snapshotFromMemory) {
        return sendFromMemory(.hello(sessions.ref(slot), named), request.id, route)
      }
      reply(.hello(sessions.ref(slot), named), request.id, route)
    }
  }

  /// The session that says hello: known, new, or one of another history.
  private mutating func greet(
    _ hello: Hello, _ id: SessionID, _ route: Route, _ peer: Peer
  ) -> Found {
    if let seen = hello.seen, !isOnHistory(seen.lineage, seen.epoch, seen.durable) {
      return .refused(.rewritten, Self.rewrittenText)
    }
    let slot: Int
    if let known = sessions.find(id) {
      if let base = hello.base, let refusal = disagree(known, base) { return refusal }
      slot = known
    } else {
      if let base = hello.base, let refusal = refuse(newcomer: base) { return refusal }
      if hello.acked > 0, !faults.contains(.unknownSessionAccepted) {
        return .refused(.rewritten, Self.rewrittenText)
      }
      // The floor may rise to make room: a new base is taken after that.
      let base = hello.base
      switch openSession(id, base: base ?? .zero, peer: peer, by: route) {
      case .refused(let code, let text): return .refused(code, text)
      case .session(let opened): slot = opened
      }
      if base == nil { sessions[slot].base = newBase }
    }
    if hello.acked > sessions[slot].window.last, !faults.contains(.unknownSessionAccepted) {
      return .refused(.rewritten, Self.rewrittenText)
    }
    return .session(slot)
  }

  /// Whether a commit of an epoch is on this history: the epoch is in the table and the number in
  /// that epoch's range.
  func isOnHistory(_ lineage: Lineage, _ epoch: Epoch, _ number: CommitNumber) -> Bool {
    guard lineage == history.lineage else { return false }
    if faults.contains(.lineagePlusNumber) { return number <= published }
    guard let index = history.epochs.lastIndex(where: { $0.epoch == epoch }) else { return false }
    let end = index + 1 < history.epochs.count ? history.epochs[index + 1].after : published
    return history.epochs[index].after <= number && number <= end
  }

  mutating func join(_ join: Join, _ request: Request, _ route: Route) {
    guard let slot = sessions.find(request.session), sessions[slot].isAttached else {
      return refuse(request.id, route, .retry, Self.helloFirst)
    }
    let count = sessions[slot].views.count + join.views.count
    guard count <= limits.viewsPerSession else {
      return refuse(request.id, route, .tooLarge, tooManyViews(count))
    }
    if let doorbell = join.doorbell {
      sessions[slot].doorbell = doorbell
      sessions[slot].isCut = false
    }
    let named = join.views.map { name($0) }
    list(named, slot, request)
    if faults.contains(.snapshotFromMemory) {
      return sendFromMemory(.join(named), request.id, route)
    }
    reply(.join(named), request.id, route)
  }

  /// Notes that these views are the session's.
  private mutating func list(_ named: [NamedView], _ slot: Int, _ request: Request) {
    for ref in named.compactMap(\.ref) where !sessions[slot].views.contains(ref) {
      sessions[slot].views.append(ref)
    }
    sessions[slot].listedBy = max(sessions[slot].listedBy, request.id)
  }

  static var helloFirst: String { "the daemon does not know this session (any more): say hello" }

  private func tooManyViews(_ count: Int) -> String {
    "\(count) views, the limit of a session is \(limits.viewsPerSession): leave some first"
  }

  mutating func leave(_ topics: [Topic], _ request: Request, _ route: Route) {
    if let slot = sessions.find(request.session), request.id > sessions[slot].listedBy {
      sessions[slot].listedBy = request.id
      sessions[slot].views.removeAll { ref in
        guard let view = views.slot(ref).flatMap({ views[$0] }) else { return true }
        return topics.contains(view.topic)
      }
    }
    send(.text(""), to: request.id, route)
  }

  mutating func bye(_ request: Request, _ route: Route) {
    if let slot = sessions.find(request.session) { detach(slot) }
    send(.text(""), to: request.id, route)
  }

  /// Ends what a session has while it lives; never its outcomes.
  mutating func detach(_ slot: Int) {
    depart(slot)
    sessions.detach(slot)
    sessions[slot].doorbell = nil
    sessions[slot].views = []
    endCalls(of: slot)
    sessions[slot].mail.clear()
    sessions[slot].awaited = 0
  }

  /// Finds or makes the view that is asked for; it is projected when the open batch closes.
  private mutating func name(_ request: ViewRequest) -> NamedView {
    guard let topic = Topic(view: request.name, parameters: request.parameters) else {
      return NamedView(
        request: request, topic: Topic(bytes: []),
        found: .refused(
          .unknown, "`\(request.name)` is no name of a view: 1 to 64 of A-Z a-z 0-9 . _ -"))
    }
    guard
      let slot = views.name(
        topic, name: request.name, parameters: request.parameters, at: now, limit: limits.views)
    else {
      return NamedView(
        request: request, topic: topic,
        found: .refused(
          .busy, "all \(limits.views) views of the daemon are in use: try again in a moment"))
    }
    if let refusal = views[slot]?.refusal {
      return NamedView(
        request: request, topic: topic, found: .refused(refusal.code, refusal.text))
    }
    want(slot)
    return NamedView(request: request, topic: topic, found: .view(views.ref(slot)))
  }

  /// The view is projected when the open batch closes, unless every batch does so anyway.
  mutating func want(_ slot: Int) {
    views.touch(slot, at: now)
    guard let view = views[slot], !view.isLive || !view.isPublished else { return }
    if !open.wanted.contains(slot) { open.wanted.append(slot) }
  }
}

extension NamedView {
  var ref: ViewRef? {
    if case .view(let ref) = found { ref } else { nil }
  }
}
