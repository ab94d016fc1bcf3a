internal import StateModel

/// Calls of handles: from the caller to the owner and back, at most once, always with an end.
///
/// All of it is about who lives now, and about handles that are published: nothing here waits for
/// the journal. It dies with the epoch.
extension AuthorityMachine {
  mutating func call(_ call: Call, _ request: Request, _ route: Route) {
    guard let slot = attached(request, route) else { return }
    let hash = hash(call)
    if let kept = sessions[slot].calls.find(call.id), !faults.contains(.callsForgotten) {
      guard kept.hash == nil || kept.hash == hash else {
        return refuse(
          request.id, route, .idReused, "call \(call.id) was another one: ids of calls rise")
      }
      return answer(kept.code, kept.text, request, route)
    }
    guard call.id > sessions[slot].calls.last || faults.contains(.callsForgotten) else {
      return refuse(
        request.id, route, .expired,
        "it is not known any more what became of call \(call.id): only the last \(limits.calls) are "
          + "remembered")
    }
    let (code, text) = place(call, from: slot)
    sessions[slot].calls.add(
      CallLedger.Kept(id: call.id, hash: hash, code: code, text: text), limit: limits.calls)
    answer(code, text, request, route)
  }

  private mutating func answer(
    _ code: Code, _ text: String, _ request: Request, _ route: Route
  ) {
    if code == .ok {
      send(.text(""), to: request.id, route)
    } else {
      refuse(request.id, route, code, text)
    }
  }

  /// Hands a call to the owner of the handle.
  private mutating func place(_ call: Call, from slot: Int) -> (Code, String) {
    guard call.handle.epoch == epoch || faults.contains(.handleOfAnyEpoch),
      let owner = sessions.slot(of: call.handle.owner),
      sessions[owner].isPresent, sessions[owner].handles.contains(call.handle.name)
    else {
      return (.gone, "\(call.handle.name) of client \(call.handle.owner) is not offered any more")
    }
    let key = CallKey(caller: sessions[slot].publicNumber, id: call.id)
    let mail = Mail.Content.call(
      key, name: call.handle.name, deadline: deadline(call), argument: call.argument)
    let weight = Mail(number: 0, content: mail).weight
    guard weight <= limits.mailBytes else {
      return (.tooLarge, "the argument has \(call.argument.count) bytes, mail takes less")
    }
    // The call itself and its cancellation; for the caller the result.
    guard sessions[owner].mail.hasRoom(for: 2, bytes: weight, limits: limits) else {
      return (.busy, "the mail of client \(call.handle.owner) is full: call again in a moment")
    }
    guard sessions[slot].mail.hasRoom(for: owner == slot ? 3 : 1, limits: limits) else {
      return (.busy, "this session waits for too much already: call again in a moment")
    }
    sessions[owner].mail.reserve()
    sessions[slot].mail.reserve()
    calls.begin(
      key,
      CallBook.Open(
        owner: call.handle.owner, name: call.handle.name, deadline: now + deadline(call)))
    statistics.calls += 1
    post(mail, to: owner)
    return (.ok, "")
  }

  private func deadline(_ call: Call) -> Duration {
    call.deadline == .zero ? timing.call : min(call.deadline, timing.longestCall)
  }

  private mutating func hash(_ call: Call) -> Bytes16 {
    scratch.removeAll()
    call.encode(to: &scratch)
    let hash = XXH3.hash128(scratch.bytes)
    return Bytes16(high: hash.high, low: hash.low)
  }

  /// What the owner of a handle gives back.
  mutating func giveBack(_ back: CallReturn, _ request: Request, _ route: Route) {
    guard let slot = attached(request, route) else { return }
    if let open = calls[back.key] {
      guard open.owner == sessions[slot].publicNumber else {
        return refuse(
          request.id, route, .forbidden, "that call is for client \(open.owner) to answer")
      }
      guard take(back) else {
        return refuse(
          request.id, route, .busy,
          "the caller's mail is full: give the same back again in a moment")
      }
    }
    // What has ended already, by whatever: giving it back again does nothing.
    send(.text(""), to: request.id, route)
  }

  /// False when the caller has no room for it yet.
  private mutating func take(_ back: CallReturn) -> Bool {
    guard let caller = sessions.slot(of: back.key.caller) else { return true }
    let weight = Mail(number: 0, content: .result(back.key.id, back.end)).weight
    if weight > limits.mailBytes {
      end(
        back.key,
        CallEnd(
          code: .tooLarge,
          text: "the result has \(back.end.result.count) bytes, mail takes less"), by: .owner)
      return true
    }
    guard sessions[caller].mail.hasRoom(for: 0, bytes: weight, limits: limits) else { return false }
    end(back.key, back.end, by: .owner)
    return true
  }

  mutating func cancel(_ cancelled: Cancelled, _ request: Request, _ route: Route) {
    guard let slot = attached(request, route) else { return }
    switch cancelled {
    case .call(let id):
      if id > sessions[slot].calls.last, !faults.contains(.cancelUnburnt) {
        // It overtook the call, which must not be done when it comes.
        sessions[slot].calls.add(
          CallLedger.Kept(id: id, hash: nil, code: .cancelled, text: Self.cancelledText),
          limit: limits.calls)
      }
      end(
        CallKey(caller: sessions[slot].publicNumber, id: id),
        CallEnd(code: .cancelled, text: Self.cancelledText), by: .caller)
    case .commit(let commit):
      if let task = tasks.tasks[commit] {
        guard task.origin == sessions[slot].publicNumber else {
          return refuse(
            request.id, route, .forbidden, "commit \(commit) is an action of client \(task.origin)")
        }
        outputs.append(.cancelEffects(commit))
      }
    }
    send(.text(""), to: request.id, route)
  }

  private static var cancelledText: String { "the caller cancelled it" }

  /// The session of a request that needs one that is there.
  private mutating func attached(_ request: Request, _ route: Route) -> Int? {
    if let slot = sessions.find(request.session), sessions[slot].isAttached { return slot }
    refuse(
      request.id, route, .helloAgain,
      "only a session that has said hello and is heard can call, be called or wait: say hello")
    return nil
  }

  enum Ender { case owner, caller, time }

  /// A call ends: the caller is told how, and the owner, unless it was the owner that ended it.
  private mutating func end(_ key: CallKey, _ end: CallEnd, by ender: Ender) {
    guard let open = calls.end(key) else { return }
    if let caller = sessions.slot(of: key.caller) {
      sessions[caller].mail.release()
      post(.result(key.id, end), to: caller)
    }
    guard let owner = sessions.slot(of: open.owner) else { return }
    sessions[owner].mail.release()
    if ender != .owner { post(.cancelCall(key), to: owner) }
  }

  /// Calls whose time is over.
  mutating func endOverdue() {
    for key in calls.overdue(at: now) {
      let name = calls[key]?.name ?? ""
      end(
        key,
        CallEnd(
          code: .overdue,
          text: "\(name) gave nothing back in time: whether it was done is not known"), by: .time)
    }
  }

  /// A session goes away: what it was to answer is gone, and nobody waits for what it called.
  mutating func endCalls(of slot: Int) {
    let client = sessions[slot].publicNumber
    for key in calls.calls(to: client) where !faults.contains(.deadOwnerForgotten) {
      end(
        key,
        CallEnd(
          code: .gone, text: "client \(client) has left before it gave anything back"), by: .owner)
    }
    for key in calls.calls(of: client) {
      guard let open = calls.end(key), let owner = sessions.slot(of: open.owner) else { continue }
      sessions[owner].mail.release()
      post(.cancelCall(key), to: owner)
    }
    tasks.forget(client)
  }

  // MARK: Tasks

  /// Mail is wanted for when everything that a commit started has ended.
  mutating func wait(for commit: CommitNumber, _ request: Request, _ route: Route) {
    guard let slot = attached(request, route) else { return }
    guard commit > epochBegan else {
      return refuse(
        request.id, route, .gone,
        "commit \(commit) is of an earlier run of the daemon: what it started ended with that run")
    }
    guard sessions[slot].mail.hasRoom(for: 1, limits: limits) else {
      return refuse(
        request.id, route, .busy,
        "this session waits for too much already: ask again in a moment")
    }
    switch faults.contains(.taskUnseen)
      ? nil : tasks.wait(for: commit, sessions[slot].publicNumber)
    {
    case nil: send(.text(""), code: .noChange, to: request.id, route)
    case .some(let isNew):
      if isNew { sessions[slot].mail.reserve() }
      send(.text(""), to: request.id, route)
    }
  }

  /// The last commit before this epoch.
  private var epochBegan: CommitNumber { history.epochs.last?.after ?? .zero }

  /// Everything that a commit started has ended.
  mutating func effectsEnded(_ commit: CommitNumber) {
    if !overflowed.isEmpty { overflowed.remove(commit) }
    for client in tasks.end(commit) {
      guard let slot = sessions.slot(of: client) else { continue }
      sessions[slot].mail.release()
      post(.ended(commit, code: .ok, text: ""), to: slot)
    }
  }
}
