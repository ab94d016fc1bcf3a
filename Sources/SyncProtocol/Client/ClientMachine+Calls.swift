/// Calling, being called, and waiting for the end of what actions started in the daemon.
extension ClientMachine {
  /// Whether anything may come as mail: then the doorbell is to be heard.
  var wantsMail: Bool {
    !offers.isEmpty || !desk.isEmpty || !desk.followed.isEmpty || !invocations.running.isEmpty
  }

  mutating func call(
    _ token: CallToken, _ handle: HandleName, _ argument: [UInt8], _ patience: Duration,
    at now: Moment
  ) {
    guard argument.count + Self.callOverhead <= limits.request else {
      // The daemon would refuse it, and hang up on what is longer than a frame.
      let text =
        "The argument takes \(argument.count) bytes; the daemon takes requests of \(limits.request)."
      return outputs.append(.called(token, CallEnd(code: .tooLarge, text: text)))
    }
    let patience = patience == .zero ? timing.call : min(patience, timing.longestCall)
    desk.calls.append(
      CallDesk.Call(
        token: token, handle: handle, argument: argument, patience: patience,
        // The daemon ends it in time; this is for when nothing is heard from the daemon.
        deadline: now + patience + timing.retry))
  }

  mutating func cancelCall(_ token: CallToken) {
    guard let index = desk.calls.firstIndex(where: { $0.token == token }) else { return }
    if desk.calls[index].id == 0 {
      return end(token, CallEnd(code: .cancelled, text: Outbox.neverSent))
    }
    desk.calls[index].isCancelled = true
    desk.calls[index].stage = .due
  }

  /// Everything that the action starts is waited for once it is done.
  mutating func follow(_ token: ActionToken) { desk.followed[token] = false }

  /// What the action started is to end; its end is still told.
  mutating func cancelTask(_ token: ActionToken) {
    if desk.followed[token] != nil { desk.followed[token] = true }
    for index in desk.watches.indices
    where desk.watches[index].token == token && desk.watches[index].cancelling == nil {
      desk.watches[index].cancelling = .due
    }
  }

  /// A followed action is resolved: its task is watched, or has ended already.
  mutating func watch(_ token: ActionToken, _ resolution: Resolution) {
    guard let isCancelled = desk.followed.removeValue(forKey: token) else {
      return
    }
    switch resolution {
    case .done(let code, let commit?, _) where code == .ok || code == .noChange:
      desk.watches.append(
        CallDesk.Watch(token: token, commit: commit, cancelling: isCancelled ? .due : nil))
    case .done(let code, _, let text), .notDone(let code, let text):
      outputs.append(.ended(token, CallEnd(code: code, text: text)))
    case .unknown(let text):
      outputs.append(.ended(token, CallEnd(code: .gone, text: text)))
    }
  }

  /// What is too large to be given back is given back as a failure: else the caller would wait, and
  /// not know whether it was done.
  mutating func giveBack(_ key: CallKey, _ end: CallEnd) {
    let size = end.result.count + end.text.utf8.count
    invocations.answer(
      key, size + Self.callOverhead <= limits.request ? end : tooLargeResult(of: size))
  }

  private func tooLargeResult(of size: Int) -> CallEnd {
    CallEnd(
      code: .rejected,
      text: "it was done, and what it gave back takes \(size) bytes; the daemon takes requests of "
        + "\(limits.request)")
  }

  /// Bytes of a request beside what is called with or given back.
  private static var callOverhead: Int { 512 }

  /// The next request of this part, if one is due.
  mutating func nextOfDesk(at now: Moment) -> (RequestPurpose, Request.Body)? {
    guard desk.notBefore == nil else { return nil }
    if let index = invocations.answers.firstIndex(where: { $0.stage == .due }) {
      invocations.answers[index].stage = .asked
      let back = invocations.answers[index].back
      return (.giveBack(back.key), .giveBack(back))
    }
    return desk.next()
  }

  /// Whether `nextOfDesk` has something.
  var deskAsks: Bool {
    desk.notBefore == nil
      && (desk.isDue || invocations.answers.contains { $0.stage == .due })
  }

  /// Not answered, or not now: again.
  mutating func deskFailed(_ purpose: RequestPurpose) {
    if case .giveBack(let key) = purpose {
      for index in invocations.answers.indices where invocations.answers[index].back.key == key {
        invocations.answers[index].stage = .due
      }
    } else {
      desk.again(purpose)
    }
  }

  mutating func takeDesk(_ reply: Reply, _ purpose: RequestPurpose, at now: Moment) {
    let code = reply.header.code
    switch code {
    case .retry, .helloAgain, .noSpace, .internal:
      deskFailed(purpose)
      desk.notBefore = now + desk.attempts.next(using: &random)
      if code == .helloAgain || code == .retry { helloAgain(at: now) }
      return
    case .evicted: return evict(reply.text, at: now)
    default: desk.attempts.reset()
    }
    switch purpose {
    case .call(let token):
      if code == .ok {
        accept(token)
      } else {
        end(token, CallEnd(code: code, text: reply.text))
      }
    case .cancelCall(let token):
      end(token, CallEnd(code: .cancelled, text: "the call was cancelled"))
    case .giveBack(let key):
      if code == .busy {
        deskFailed(purpose)
        desk.notBefore = now + desk.attempts.next(using: &random)
      } else if code == .tooLarge,
        let index = invocations.answers.firstIndex(where: { $0.back.key == key }),
        invocations.answers[index].back.end.code != .rejected
      {
        let end = invocations.answers[index].back.end
        invocations.answers[index].back.end = tooLargeResult(
          of: end.result.count + end.text.utf8.count)
        invocations.answers[index].stage = .due
      } else {
        invocations.answers.removeAll { $0.back.key == key }
      }
    case .watch(let token): takeWatch(token, code, reply.text, at: now)
    case .cancelTask(let token):
      for index in desk.watches.indices where desk.watches[index].token == token {
        desk.watches[index].cancelling = .accepted
      }
    default: break
    }
  }

  private mutating func accept(_ token: CallToken) {
    for index in desk.calls.indices
    where desk.calls[index].token == token && desk.calls[index].stage == .asked {
      desk.calls[index].stage = .accepted
    }
  }

  private mutating func takeWatch(
    _ token: ActionToken, _ code: Code, _ text: String, at now: Moment
  ) {
    switch code {
    case .ok:
      for index in desk.watches.indices where desk.watches[index].token == token {
        desk.watches[index].stage = .accepted
      }
    case .busy:
      desk.again(.watch(token))
      desk.notBefore = now + desk.attempts.next(using: &random)
    // Nothing of it is under way: it has ended.
    case .noChange:
      for index in desk.watches.indices where desk.watches[index].token == token {
        desk.watches[index].end = CallEnd(code: .ok)
        desk.watches[index].stage = .accepted
        desk.watches[index].cancelling = nil
      }
      aliveDue = now
    default: end(token, CallEnd(code: code, text: text))
    }
  }

  private mutating func end(_ token: CallToken, _ end: CallEnd) {
    guard let index = desk.calls.firstIndex(where: { $0.token == token }) else { return }
    desk.calls.remove(at: index)
    outputs.append(.called(token, end))
  }

  private mutating func end(_ token: ActionToken, _ end: CallEnd) {
    guard let index = desk.watches.firstIndex(where: { $0.token == token }) else { return }
    desk.watches.remove(at: index)
    outputs.append(.ended(token, end))
  }

  // MARK: Mail

  /// One item of mail that is not the session's own affair.
  mutating func takeMail(_ content: Mail.Content, at now: Moment) {
    switch content {
    case .call(let key, let name, let deadline, let argument):
      guard invocations.begin(key) else { return }
      outputs.append(.invoke(key, name: name, argument: argument, deadline: deadline))
    case .cancelCall(let key):
      if invocations.cancel(key) { outputs.append(.cancelInvoked(key)) }
    case .result(let id, let end):
      guard let call = desk.calls.first(where: { $0.id == id }) else { return }
      self.end(call.token, end)
    case .ended(let commit, let code, let text):
      for index in desk.watches.indices where desk.watches[index].commit == commit {
        desk.watches[index].end = CallEnd(code: code, text: text)
        desk.watches[index].stage = .accepted
        desk.watches[index].cancelling = nil
      }
    case .lapsed(let text):
      endWaits(.gone, text)
      offers.startOver()
    case .goingAway, .evicted, .other: break
    }
  }

  /// What has ended is told once the mirrors show what was published then: its last actions among it.
  mutating func settleEnded(_ numbers: [Topic: CommitNumber]) {
    for watch in desk.watches {
      guard let end = watch.end else { continue }
      ends[watch.token] = end
      ending.add([watch.token], numbers: faults.contains(.endedAtOnce) ? [:] : numbers)
    }
    desk.watches.removeAll { $0.end != nil }
  }

  mutating func tellEnded() {
    guard !ending.isEmpty else { return }
    for token in ending.reached(by: mirrors, isJoined: run != nil) {
      if let end = ends.removeValue(forKey: token) { outputs.append(.ended(token, end)) }
    }
  }

  /// Nobody keeps what this client waits for any more, nor waits for what it is doing.
  mutating func endWaits(_ code: Code, _ text: String) {
    for call in desk.calls where call.id != 0 {
      end(call.token, CallEnd(code: code, text: text))
    }
    for watch in desk.watches { end(watch.token, CallEnd(code: code, text: text)) }
    for key in invocations.cancelAll() { outputs.append(.cancelInvoked(key)) }
  }

  /// Nothing is waited for any more, as the client closes.
  mutating func closeDesk(_ text: String) {
    endWaits(.gone, text)
    for call in desk.calls { end(call.token, CallEnd(code: .cancelled, text: Outbox.neverSent)) }
    for token in desk.followed.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      outputs.append(.ended(token, CallEnd(code: .gone, text: text)))
    }
    desk.followed = [:]
    for token in ends.keys.sorted(by: { $0.rawValue < $1.rawValue }) {
      if let end = ends[token] { outputs.append(.ended(token, end)) }
    }
    ends = [:]
    ending = ReachWaits()
  }

  // MARK: Time

  mutating func tickDesk(at now: Moment) {
    for call in desk.calls where call.deadline <= now {
      end(
        call.token,
        CallEnd(
          code: .overdue,
          text: call.id == 0
            ? Outbox.neverSent : "no result came in time: whether it was done is not known"))
    }
    guard !desk.watches.isEmpty, let heard = lastHeard, heard + timing.abandoned <= now else {
      return
    }
    for watch in desk.watches { end(watch.token, CallEnd(code: .gone, text: Self.silent)) }
  }

  /// When `tickDesk` has something to do.
  var deskDeadline: Moment? {
    if desk.isEmpty { return desk.notBefore }
    var deadlines = [desk.nextDeadline, desk.notBefore].compactMap { $0 }
    if !desk.watches.isEmpty, let heard = lastHeard { deadlines.append(heard + timing.abandoned) }
    return deadlines.min()
  }
}
