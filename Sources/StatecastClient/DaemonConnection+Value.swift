package import StateModel
package import SyncProtocol
internal import Synchronization
internal import ZeroMQ

/// What the mirror of a generic client goes through.
package enum MirrorSignal: Sendable {
  /// The value, what brought it there, and its digest.
  case value(Value, ClientOutput.Update, Digest)
  case stale(String)
  case fresh(CommitNumber)
  case refused(ConnectionFailure)
}

extension DaemonConnection {
  /// Mirrors a view without its Swift type, for as long as the sequence is iterated.
  package func signals(
    of view: String, parameters: Value = .null
  ) async -> AsyncStream<MirrorSignal> {
    let (stream, continuation) = AsyncStream<MirrorSignal>.makeStream()
    let token = await engine.addView(
      name: view, parameters: parameters.encoded(), replica: ValueReplica()
    ) { signal in
      switch signal {
      case .changed(let update):
        guard let value = (update.replica as? ValueReplica)?.value else { return }
        continuation.yield(.value(value, update, value.digest))
      case .stale(let reason): continuation.yield(.stale(reason))
      case .fresh(let number): continuation.yield(.fresh(number))
      case .refused(let code, let text):
        continuation.yield(.refused(Self.refusal(view, code, text)))
        continuation.finish()
      }
    }
    // Whoever iterates holds the connection: nobody else may.
    continuation.onTermination = { [self] _ in
      let engine = engine
      engine.loop.perform { engine.onLoop { $0.removeView(token) } }
    }
    return stream
  }

  /// The commits up to which all mirrors show everything, as the daemon confirms them. The last who
  /// asks hears of them.
  package func commitsShown() async -> AsyncStream<CommitNumber> {
    let (stream, continuation) = AsyncStream<CommitNumber>.makeStream()
    await engine.whenTogether { continuation.yield($0) }
    return stream
  }

  /// A view's value once, without a subscription.
  package func fetch(
    _ view: String, parameters: Value = .null
  ) async throws(ConnectionFailure) -> (value: Value, number: CommitNumber) {
    let first = FirstArrival<(Value, CommitNumber)>()
    // A large value may have been pinned a while ago: it counts once the daemon says it is fresh.
    let latest = Mutex<Value>(.null)
    let token = await engine.fetchView(
      name: view, parameters: parameters.encoded(), replica: ValueReplica()
    ) { signal in
      switch signal {
      case .changed(let update):
        guard let value = (update.replica as? ValueReplica)?.value else { return }
        latest.withLock { $0 = value }
      case .fresh(let number):
        _ = first.resolve(.success((latest.withLock { $0 }, number)))
      case .refused(let code, let text):
        _ = first.resolve(.failure(Self.refusal(view, code, text)))
      case .stale: return
      }
    }
    expire(first)
    // Had or not: it takes no place among the session's views any more.
    let result: Result<(Value, CommitNumber), ConnectionFailure>
    do { result = .success(try await first.value) } catch { result = .failure(error) }
    await engine.removeView(token)
    return try result.get()
  }

  /// Ends a wait when nobody has answered in time.
  func expire<Value: Sendable>(
    _ first: FirstArrival<Value>, failure: (@Sendable () -> ConnectionFailure)? = nil
  ) {
    let deadline = EventLoop.monotonicNow() + options.timeout.nanoseconds
    let unreachable = unreachable
    let engine = engine
    engine.loop.perform {
      engine.onLoop { engine in
        _ = engine.loop.schedule(at: deadline) { [weak engine] in
          let refusal = engine?.assumeIsolated { $0.helloRefusal }
          let refused = refusal.map { Self.noSession($0.code, $0.text) }
          _ = first.resolve(.failure(refused ?? failure?() ?? unreachable))
        }
      }
    }
  }

  /// The daemon answers, and takes no session so far.
  private static func noSession(_ code: Code, _ text: String) -> ConnectionFailure {
    ConnectionFailure(
      .refused, "the daemon takes no session so far: \(code.rawValue), \(text)",
      advice: "It is asked again by itself: mend that, or wait longer.")
  }

  static func refusal(_ view: String, _ code: Code, _ text: String) -> ConnectionFailure {
    ConnectionFailure(
      .refused, "the daemon refuses the view \(view): \(code.rawValue), \(text)",
      advice: "`statecast views` lists what it offers.")
  }
}
