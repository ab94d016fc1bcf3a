package import SyncProtocol
internal import ZeroMQ

/// Handles that this client offers and calls, and what its actions start in the daemon.
extension ClientEngine {
  /// What does the calls of an offered handle, and who hears what became of the offer.
  struct Offer {
    var perform: @Sendable ([UInt8]) async -> CallEnd
    var heard: (Code, String) -> Void
  }

  /// The work of a call that this client was given, and what ends it in time.
  struct Invocation {
    var task: Task<Void, Never>
    var timer: EventLoop.TimerToken
  }

  /// Offers a handle, in this and every later run of the daemon.
  package func offer(
    _ name: String, heard: @escaping @Sendable (Code, String) -> Void,
    perform: @escaping @Sendable ([UInt8]) async -> CallEnd
  ) {
    offers[name] = Offer(perform: perform, heard: heard)
    tell(.offer(name))
  }

  /// Takes a handle back. What is under way goes on.
  package func withdraw(_ name: String) {
    guard offers.removeValue(forKey: name) != nil else { return }
    tell(.withdraw(name))
  }

  /// Calls a handle; its observer hears how the call ended, once.
  package func call(
    _ handle: HandleName, argument: [UInt8], deadline: Duration,
    _ observer: @escaping @Sendable (CallEnd) -> Void
  ) -> CallToken {
    let token = CallToken(rawValue: nextToken())
    calls[token] = observer
    tell(.call(token, handle, argument: argument, deadline: deadline))
    return token
  }

  /// Nobody wants the result any more.
  package func cancelCall(_ token: CallToken) { tell(.cancelCall(token)) }

  /// Follows what an action starts: one that is under way, or whose commit is known, of this epoch.
  package func follow(
    _ token: ActionToken, done: (commit: CommitNumber, epoch: Epoch?)?,
    _ observer: @escaping @Sendable (CallEnd) -> Void
  ) {
    tasks[token] = observer
    guard let done else { return tell(.follow(token)) }
    guard done.epoch == epoch, epoch != nil else {
      tasks[token] = nil
      return observer(CallEnd(code: .gone, text: "the daemon was restarted"))
    }
    tell(.watch(token, done.commit))
  }

  /// What an action started is to end.
  package func cancelTask(_ token: ActionToken) { tell(.cancelTask(token)) }

  func perform(handles output: ClientOutput) {
    switch output {
    case .offer(let name, let code, let text): offers[name]?.heard(code, text)
    case .called(let token, let end): calls.removeValue(forKey: token)?(end)
    case .ended(let token, let end): tasks.removeValue(forKey: token)?(end)
    case .invoke(let key, let name, let argument, let deadline):
      invoke(key, name, argument, within: deadline)
    case .cancelInvoked(let key): forgetInvocation(key)?.cancel()
    default: break
    }
  }

  /// Starts the work of a call. It runs beside the loop, so that it may call in turn.
  private func invoke(
    _ key: CallKey, _ name: String, _ argument: [UInt8], within deadline: Duration
  ) {
    guard let offer = offers[name] else {
      return tell(.giveBack(key, CallEnd(code: .gone, text: "\(name) is not offered any more")))
    }
    let perform = offer.perform
    // The daemon says when it is over, too, unless it is not heard.
    let patience = min(deadline, timing.longestCall) + timing.retry
    let timer = loop.schedule(at: EventLoop.monotonicNow() + patience.nanoseconds) { [weak self] in
      self?.onLoop { $0.invocations[key]?.task.cancel() }
    }
    let task = Task { [weak self] in
      let end = await perform(argument)
      await self?.giveBack(key, end)
    }
    invocations[key] = Invocation(task: task, timer: timer)
  }

  private func forgetInvocation(_ key: CallKey) -> Task<Void, Never>? {
    guard let invocation = invocations.removeValue(forKey: key) else { return nil }
    loop.cancel(invocation.timer)
    return invocation.task
  }

  private func giveBack(_ key: CallKey, _ end: CallEnd) {
    guard forgetInvocation(key) != nil else { return }
    tell(.giveBack(key, end))
  }
}
