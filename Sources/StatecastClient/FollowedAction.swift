internal import SyncProtocol
internal import Synchronization
internal import ZeroMQ

/// An action that was sent through a store, and what it starts in the daemon.
///
/// What it starts is asked for only once somebody waits for it, or cancels it: an action that is
/// sent and left alone costs one request.
final class FollowedAction: Sendable {
  private struct State {
    var token: ActionToken?
    var resolution: Resolution?
    var epoch: Epoch?
    var isShown = false
    /// Somebody wants to know when what it starts has ended; and the loop was asked for it.
    var isFollowed = false
    var isAsked = false
    var isCancelled = false
    var end: CallEnd?
    var waitingForShown: [CheckedContinuation<Void, Never>] = []
    var waitingForEnd: [CheckedContinuation<CallEnd, Never>] = []
  }

  private let state = Mutex(State())
  private let engine: ClientEngine

  init(_ engine: ClientEngine) { self.engine = engine }

  /// Whether it was cancelled.
  var isCancelled: Bool { state.withLock(\.isCancelled) }

  /// Sends it, behind all that was sent before.
  func send(_ entry: Entry) {
    engine.loop.perform {
      self.engine.onLoop { engine in
        let token = engine.submit(entry) { [weak engine] signal in
          self.hear(signal, epoch: engine?.onLoop { $0.epoch })
        }
        self.state.withLock { $0.token = token }
        self.followIfWanted(engine)
      }
    }
  }

  private func hear(_ signal: ClientEngine.ActionSignal, epoch: Epoch?) {
    let waiting = state.withLock { state in
      if case .resolved(let resolution) = signal {
        state.resolution = resolution
        state.epoch = epoch
        if resolution.isDone { return [CheckedContinuation<Void, Never>]() }
      }
      state.isShown = true
      defer { state.waitingForShown = [] }
      return state.waitingForShown
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits until every mirror of the connection shows what it did; or it did nothing.
  func shown() async {
    await withCheckedContinuation { continuation in
      let isShown = state.withLock { state in
        if !state.isShown { state.waitingForShown.append(continuation) }
        return state.isShown
      }
      if isShown { continuation.resume() }
    }
  }

  /// Waits until everything that it started has ended.
  func end() async -> CallEnd {
    await withCheckedContinuation { continuation in
      let end = state.withLock { state in
        state.isFollowed = true
        if state.end == nil { state.waitingForEnd.append(continuation) }
        return state.end
      }
      if let end { return continuation.resume(returning: end) }
      onLoop { self.followIfWanted($0) }
    }
  }

  /// Ends what it started; one that is not done yet is given up.
  func cancel() {
    let isFirst = state.withLock { state in
      defer { state.isCancelled = true }
      state.isFollowed = true
      return !state.isCancelled
    }
    guard isFirst else { return }
    onLoop { engine in
      self.followIfWanted(engine)
      let (token, isOver) = self.state.withLock { ($0.token, $0.resolution != nil) }
      guard let token else { return }
      engine.cancelTask(token)
      if !isOver { engine.giveUp(token) }
    }
  }

  private func onLoop(_ body: @escaping @Sendable (isolated ClientEngine) -> Void) {
    let engine = engine
    engine.loop.perform { engine.onLoop { body($0) } }
  }

  /// Follows it, once: on the loop, where nothing is resolved meanwhile.
  private func followIfWanted(_ engine: isolated ClientEngine) {
    let (token, resolution, epoch, isCancelled) = state.withLock { state in
      guard state.isFollowed, !state.isAsked, state.end == nil, let token = state.token else {
        return (ActionToken?.none, Resolution?.none, Epoch?.none, false)
      }
      state.isAsked = true
      return (token, state.resolution, state.epoch, state.isCancelled)
    }
    guard let token else { return }
    switch resolution {
    case nil:
      engine.follow(token, done: nil) { self.take($0) }
      if isCancelled {
        engine.cancelTask(token)
        engine.giveUp(token)
      }
    case .done(let code, let commit?, _) where code == .ok || code == .noChange:
      engine.follow(token, done: (commit, epoch)) { self.take($0) }
    case .done(let code, _, let text), .notDone(let code, let text):
      take(CallEnd(code: code, text: text))
    case .unknown(let text): take(CallEnd(code: .gone, text: text))
    }
  }

  private func take(_ end: CallEnd) {
    let (waiting, shown) = state.withLock { state in
      if state.end == nil { state.end = end }
      state.isShown = true
      defer {
        state.waitingForEnd = []
        state.waitingForShown = []
      }
      return (state.waitingForEnd, state.waitingForShown)
    }
    for continuation in waiting { continuation.resume(returning: end) }
    for continuation in shown { continuation.resume() }
  }
}
