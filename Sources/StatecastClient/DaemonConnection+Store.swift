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
    let first = FirstArrival<(ViewState, CommitNumber)>()
    // A large value may have been pinned a while ago: it counts once the daemon says it is fresh.
    let latest = Mutex<ViewState?>(nil)
    let token = await engine.addView(
      name: view, parameters: encodedParameters, replica: TypedReplica(viewState)
    ) { signal in
      switch signal {
      case .changed(let update):
        guard let value = (update.replica as? TypedReplica<ViewState>)?.value else { return }
        if first.isResolved {
          arrivals.post(.value(value, update.number))
        } else {
          latest.withLock { $0 = value }
        }
      case .stale(let reason): arrivals.post(.stale(reason))
      case .fresh(let number):
        guard let value = latest.withLock({ $0.take() }) else {
          arrivals.post(.fresh(number))
          return
        }
        _ = first.resolve(.success((value, number)))
      case .refused(let code, let text):
        let failure = Self.refusal(view, code, text)
        if !first.resolve(.failure(failure)) {
          arrivals.post(.refused(failure.message))
        }
      }
    }
    let (state, number) = try await firstValue(first, token: token)
    return RemoteStore(
      connection: self, token: token, state: state, number: number,
      arrivals: arrivals, isolation: isolation)
  }

  private func firstValue<Value: Sendable>(
    _ first: FirstArrival<Value>, token: ViewToken
  ) async throws(ConnectionFailure) -> Value {
    expire(first)
    do {
      return try await first.value
    } catch {
      await engine.removeView(token)
      throw error
    }
  }

  /// Nobody answered in time.
  package var unreachable: ConnectionFailure {
    ConnectionFailure(
      .unreachable, "no daemon answers at \(options.endpoints.requests)",
      advice: "Start it with `statecast up`, or name another endpoint.")
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
