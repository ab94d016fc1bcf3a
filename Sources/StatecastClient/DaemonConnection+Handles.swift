public import Composable
public import StateModel
package import SyncProtocol
internal import Synchronization
internal import ZeroMQ

/// A handle that this process offers, until it is withdrawn or the connection is closed.
public struct Offer: Sendable {
  /// What it is called.
  public let name: String
  private let connection: DaemonConnection
  private let arrival: FirstArrival<Void>

  init(name: String, connection: DaemonConnection, arrival: FirstArrival<Void>) {
    self.name = name
    self.connection = connection
    self.arrival = arrival
  }

  /// Takes the handle back. Calls that are under way are still answered.
  public func withdraw() async { await connection.engine.withdraw(name) }
}

extension DaemonConnection {
  /// Offers a handle: it stands in the daemon's state, and others call it there.
  ///
  /// It is offered once this connection's mirrors show their first values, and anew in every run of
  /// the daemon. Calls run one beside the other, each at most once; one that nobody waits for any
  /// more is cancelled. A body that throws gives back `failed` with the error's text.
  ///
  /// - Parameters:
  ///   - name: 1 to 64 of `A-Z a-z 0-9 . _ -`.
  ///   - body: what a call does.
  /// - Returns: once the handle is in the daemon's state.
  /// - Throws: when no daemon answers in time, or it takes no such handle.
  @discardableResult
  public func offer<Argument: Mirrored, Result: Mirrored>(
    _ name: String, _ body: @escaping @Sendable (Argument) async throws -> Result
  ) async throws(ConnectionFailure) -> Offer {
    try await offer(name) { bytes in
      let argument: Argument
      do throws(DecodingFailure) {
        argument = try Argument(encoded: bytes)
      } catch {
        return CallEnd(code: .invalid, text: "\(name) takes another argument: \(error)")
      }
      do {
        return CallEnd(code: .ok, result: try await body(argument).encoded())
      } catch is CancellationError {
        return CallEnd(code: .cancelled, text: "\(name) was cancelled")
      } catch {
        return CallEnd(code: .rejected, text: "\(error)")
      }
    }
  }

  /// Offers a handle that takes nothing and gives nothing back but that it is done.
  @discardableResult
  public func offer(
    _ name: String, _ body: @escaping @Sendable () async throws -> Void
  ) async throws(ConnectionFailure) -> Offer {
    try await offer(name) { (_: Value) async throws -> Value in
      try await body()
      return .null
    }
  }

  /// The same, on encoded values.
  package func offer(
    _ name: String, perform: @escaping @Sendable ([UInt8]) async -> CallEnd
  ) async throws(ConnectionFailure) -> Offer {
    let arrival = FirstArrival<Void>()
    await engine.offer(
      name,
      heard: { code, text in
        if code == .ok {
          _ = arrival.resolve(.success(()))
        } else {
          _ = arrival.resolve(
            .failure(
              ConnectionFailure(
                .refused, "the daemon takes no handle \(name): \(text)",
                advice: "Does its app keep handles, and is the name well formed?")))
        }
      }, perform: perform)
    expire(arrival) { [engine, unreachable] in
      guard let (code, text) = engine.assumeIsolated({ $0.lastRefusal }) else { return unreachable }
      return ConnectionFailure(
        .refused, "the daemon does not take the handle \(name) so far: \(code.rawValue), \(text)",
        advice: "Mend that, and offer it again.")
    }
    do {
      try await arrival.value
    } catch {
      await engine.withdraw(name)
      throw error
    }
    return Offer(name: name, connection: self, arrival: arrival)
  }

  /// Calls a handle that stands in the state, and waits for what it gives back.
  ///
  /// Done at most once, and always with an end. A task that is cancelled cancels the call.
  ///
  /// - Parameters:
  ///   - deadline: how long it may take.
  /// - Throws: `gone` when its owner has left, and what else can befall a call.
  public func call<Result: Mirrored>(
    _ handle: Handle, _ argument: some Mirrored, returning: Result.Type,
    deadline: Duration = .seconds(30)
  ) async throws(CallFailure) -> Result {
    let end = await call(handle, argument: argument.encoded(), deadline: deadline)
    guard end.code == .ok else { throw CallFailure(end) }
    do throws(DecodingFailure) {
      return try Result(encoded: end.result)
    } catch {
      throw CallFailure(
        .failed, code: .invalid, message: "\(handle.name) gave back something else: \(error)")
    }
  }

  /// Calls a handle that takes nothing, and waits until it is done.
  public func call(_ handle: Handle, deadline: Duration = .seconds(30)) async throws(CallFailure) {
    _ = try await call(handle, Value.null, returning: Value.self, deadline: deadline)
  }

  /// The same, on encoded values.
  package func call(_ handle: Handle, argument: [UInt8], deadline: Duration) async -> CallEnd {
    let wait = CallWait()
    let name = HandleName(
      owner: handle.owner, epoch: Epoch(rawValue: handle.epoch), name: handle.name)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        wait.begin(continuation)
        let engine = engine
        engine.loop.perform {
          engine.onLoop { engine in
            if wait.isOver { return }
            wait.isSent(
              as: engine.call(name, argument: argument, deadline: deadline) { wait.end($0) })
          }
        }
      }
    } onCancel: {
      let engine = engine
      wait.end(CallEnd(code: .cancelled, text: "nobody waits for the result any more"))
      engine.loop.perform {
        engine.onLoop { engine in if let token = wait.token { engine.cancelCall(token) } }
      }
    }
  }
}

extension Handle {
  /// Calls it through a connection: `try await handle.call(7, returning: Int.self, on: connection)`.
  public func call<Result: Mirrored>(
    _ argument: some Mirrored, returning: Result.Type, on connection: DaemonConnection,
    deadline: Duration = .seconds(30)
  ) async throws(CallFailure) -> Result {
    try await connection.call(self, argument, returning: returning, deadline: deadline)
  }

  /// Calls it with nothing, and waits until it is done.
  public func call(
    on connection: DaemonConnection, deadline: Duration = .seconds(30)
  ) async throws(CallFailure) {
    try await connection.call(self, deadline: deadline)
  }
}

/// Waits for the end of one call.
private final class CallWait: Sendable {
  private struct State {
    var continuation: CheckedContinuation<CallEnd, Never>?
    var end: CallEnd?
    var token: CallToken?
  }
  private let state = Mutex(State())

  /// Whether nobody waits any more.
  var isOver: Bool { state.withLock { $0.end != nil } }
  /// What the machine calls it, once it was handed over.
  var token: CallToken? { state.withLock(\.token) }

  func isSent(as token: CallToken) { state.withLock { $0.token = token } }

  func begin(_ continuation: CheckedContinuation<CallEnd, Never>) {
    let end = state.withLock { state in
      if state.end == nil { state.continuation = continuation }
      return state.end
    }
    if let end { continuation.resume(returning: end) }
  }

  func end(_ end: CallEnd) {
    let continuation = state.withLock { state in
      if state.end == nil { state.end = end }
      return state.continuation.take()
    }
    continuation?.resume(returning: end)
  }
}
