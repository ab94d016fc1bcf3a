public import StateModel
internal import SyncProtocol
internal import Synchronization
internal import ZeroMQ

extension DaemonConnection {
  /// Mirrors a view, and waits for its first value.
  ///
  /// - Parameters:
  ///   - view: the view's name in the daemon.
  ///   - viewState: what its values are.
  ///   - action: what may be sent to the daemon.
  /// - Throws: when no daemon answers in time, or it refuses the view.
  public func store<ViewState: Mirrored, Action: Mirrored>(
    _ view: String, of viewState: ViewState.Type, action: Action.Type,
    isolation: isolated any Actor = #isolation
  ) async throws(ConnectionFailure) -> RemoteStore<ViewState, Action> {
    try await store(
      view, encodedParameters: [0xF6], of: viewState, action: action, isolation: isolation)
  }

  /// Mirrors a view with parameters, and waits for its first value.
  public func store<ViewState: Mirrored, Action: Mirrored>(
    _ view: String, parameters: some Mirrored, of viewState: ViewState.Type, action: Action.Type,
    isolation: isolated any Actor = #isolation
  ) async throws(ConnectionFailure) -> RemoteStore<ViewState, Action> {
    try await store(
      view, encodedParameters: parameters.encoded(), of: viewState, action: action,
      isolation: isolation)
  }

  private func store<ViewState: Mirrored, Action: Mirrored>(
    _ view: String, encodedParameters: [UInt8], of viewState: ViewState.Type, action: Action.Type,
    isolation: isolated any Actor
  ) async throws(ConnectionFailure) -> RemoteStore<ViewState, Action> {
    let arrivals = ArrivalQueue<ViewState>()
    let first = FirstArrival<ArrivalQueue<ViewState>.Shown>()
    // A large value may have been pinned a while ago: it counts once the daemon says it is fresh.
    let latest = Mutex<ArrivalQueue<ViewState>.Shown?>(nil)
    let staleness = Mutex<String?>(nil)
    let token = await engine.addView(
      name: view, parameters: encodedParameters, replica: TypedReplica(viewState)
    ) { signal in
      switch signal {
      case .changed(let update):
        guard let replica = update.replica as? TypedReplica<ViewState>, let value = replica.value
        else { return }
        let shown = ArrivalQueue<ViewState>.Shown(
          state: value, number: update.number, omissions: replica.omissions)
        if first.isResolved {
          arrivals.post(.value(shown))
        } else {
          latest.withLock { $0 = shown }
        }
      case .stale(let reason):
        staleness.withLock { $0 = reason }
        arrivals.post(.stale(reason))
      case .fresh(let number):
        guard var shown = latest.withLock({ $0.take() }) else {
          arrivals.post(.fresh(number))
          return
        }
        shown.number = number
        _ = first.resolve(.success(shown))
      case .refused(let code, let text):
        let failure = Self.refusal(view, code, text)
        if !first.resolve(.failure(failure)) {
          arrivals.post(.refused(failure.message))
        }
      }
    }
    let shown = try await firstValue(first, token: token) { [self] in
      missing(view, because: staleness.withLock { $0 })
    }
    return RemoteStore(
      connection: self, token: token, shown: shown, arrivals: arrivals, isolation: isolation)
  }

  private func firstValue<Value: Sendable>(
    _ first: FirstArrival<Value>, token: ViewToken,
    failure: @escaping @Sendable () -> ConnectionFailure
  ) async throws(ConnectionFailure) -> Value {
    expire(first, failure: failure)
    do {
      return try await first.value
    } catch {
      await engine.removeView(token)
      throw error
    }
  }

  /// The first value of a view did not come in time.
  private func missing(_ view: String, because reason: String?) -> ConnectionFailure {
    guard let reason else { return unreachable }
    return ConnectionFailure(
      .unreachable, "the view \(view) did not come in time: \(reason)",
      advice: options.endpoints.whatToCheck)
  }

  /// Nobody answered in time.
  package var unreachable: ConnectionFailure {
    ConnectionFailure(
      .unreachable, "no daemon answers at \(options.endpoints.requests)",
      advice: "Start the daemon (statecastd: `statecast up`), or name another endpoint.")
  }
}

/// A value that arrives once, on the loop, and is awaited once, elsewhere.
final class FirstArrival<Value: Sendable>: Sendable {
  private enum State: Sendable {
    case waiting(CheckedContinuation<Result<Value, ConnectionFailure>, Never>?)
    case here(Result<Value, ConnectionFailure>)
    case taken
  }

  private let state = Mutex(State.waiting(nil))

  /// Whether it was resolved.
  var isResolved: Bool {
    state.withLock { if case .waiting = $0 { false } else { true } }
  }

  /// Resolves the wait; false when it was resolved before.
  func resolve(_ result: Result<Value, ConnectionFailure>) -> Bool {
    let (isFirst, continuation) = state.withLock { state in
      guard case .waiting(let continuation) = state else {
        return (false, CheckedContinuation<Result<Value, ConnectionFailure>, Never>?.none)
      }
      state = continuation == nil ? .here(result) : .taken
      return (true, continuation)
    }
    continuation?.resume(returning: result)
    return isFirst
  }

  /// The value, once it is here.
  var value: Value {
    get async throws(ConnectionFailure) {
      let result = await withCheckedContinuation { continuation in
        let ready = state.withLock { state -> Result<Value, ConnectionFailure>? in
          guard case .here(let result) = state else {
            state = .waiting(continuation)
            return nil
          }
          state = .taken
          return result
        }
        if let ready { continuation.resume(returning: ready) }
      }
      return try result.get()
    }
  }
}

extension Duration {
  /// Whole nanoseconds, as timers count them.
  package var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }
}
