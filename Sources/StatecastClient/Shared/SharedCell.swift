internal import Composable
internal import StateModel
internal import SyncProtocol
internal import Synchronization
internal import ZeroMQ

/// What all copies of a `Shared` have in common: the mirror's value, what was assigned and is not
/// shown by it yet, and who wants to hear of both.
///
/// Everything is behind one lock, since a shared value is read and assigned from any isolation; it
/// is never held while somebody else's code runs.
final class SharedCell<Value: Mirrored>: Sendable {
  private struct State {
    /// Nil before the first value, and while nothing is there.
    var mirrored: Value?
    /// Whether there is a mirror.
    var isMirrored = false
    /// Encodes the action that sets it; nil where it is only read.
    var encode: (@Sendable (Value) -> [UInt8])?
    var sets = PendingSets()
    /// What was assigned last, while it is pending.
    var assigned: Value?
    /// It was assigned before there was a mirror: sent with the first value.
    var isEarly = false
    var staleness: String? = "no value has come yet"
    /// Why what is there cannot be read as a value of this type.
    var misfit: String?
    var lastRefusedSet: RefusedSet?
    var connection: DaemonConnection?
    var token: ViewToken?
    var listeners: [UInt64: AsyncStream<Value>.Continuation] = [:]
    var lastListener: UInt64 = 0
    var lastTold: Value?
  }

  private let source: SharedSource<Value>
  private let standIn: Value
  private let link: SharedConnection
  private let state = Mutex(State())
  private let first = FirstArrivals()

  /// There is one field.
  private static var field: PendingSets.Field { [] }

  init(_ source: SharedSource<Value>, standIn: Value, on daemon: DaemonConnection.Options) {
    self.source = source
    self.standIn = standIn
    link = SharedConnection.to(daemon)
  }

  deinit {
    state.withLock { state in
      for listener in state.listeners.values { listener.finish() }
      guard let connection = state.connection, let token = state.token else { return }
      let engine = connection.engine
      engine.loop.perform { engine.onLoop { $0.removeView(token) } }
    }
  }

  /// Begins to mirror; called once.
  func open() {
    link.use { [weak self] result in
      switch result {
      case .success(let connection): self?.mirror(on: connection)
      case .failure(let failure): self?.fail(failure)
      }
    }
  }

  private func mirror(on connection: DaemonConnection) {
    let (view, parameters, replica) = (source.view, source.parameters, source.makeReplica())
    state.withLock { $0.connection = connection }
    let engine = connection.engine
    engine.loop.perform { [weak self] in
      engine.onLoop { engine in
        let token = engine.addView(name: view, parameters: parameters, replica: replica) {
          [weak self] signal in self?.take(signal)
        }
        // Nobody has a copy any more: it was not wanted for long.
        guard let self else { return engine.removeView(token) }
        self.state.withLock { $0.token = token }
        let deadline = EventLoop.monotonicNow() + connection.options.timeout.nanoseconds
        _ = engine.loop.schedule(at: deadline) { [weak self] in
          self?.first.expire(connection.unreachable)
        }
      }
    }
  }

  // MARK: From the mirror

  private func take(_ signal: ClientEngine.Signal) {
    switch signal {
    case .changed(let update):
      let replica = update.replica
      let value: Value?
      do throws(DecodingFailure) {
        value = try source.read(replica)
      } catch {
        return change { $0.misfit = "what is there does not fit: \(error)" }
      }
      change { state in
        state.isMirrored = true
        state.encode = source.action(replica)
        state.mirrored = value
        state.misfit = nil
        if state.isEarly, let assigned = state.assigned {
          state.isEarly = false
          submit(assigned, &state)
        }
      }
    case .stale(let reason): state.withLock { $0.staleness = reason }
    case .fresh:
      state.withLock { $0.staleness = nil }
      first.arrive(nil)
    case .refused(let code, let text):
      fail(DaemonConnection.refusal(source.view, code, text))
    }
  }

  private func fail(_ failure: ConnectionFailure) {
    change { state in
      state.staleness = failure.message
      if state.isEarly {
        state.isEarly = false
        state.assigned = nil
        refuse(
          ActionFailure(code: .unknown, message: failure.message, isCertain: true), &state)
      }
    }
    first.arrive(failure)
  }

  // MARK: Setting

  /// What is read.
  var value: Value { state.withLock { $0.assigned ?? $0.mirrored ?? standIn } }
  var staleness: String? { state.withLock { $0.misfit ?? $0.staleness } }
  var lastRefusedSet: RefusedSet? { state.withLock(\.lastRefusedSet) }

  func set(_ value: Value) {
    change { state in
      state.assigned = value
      if state.isMirrored {
        submit(value, &state)
      } else {
        state.isEarly = true
      }
    }
  }

  func perform(_ value: Value) async throws(ActionFailure) {
    do throws(ConnectionFailure) {
      try await ready()
    } catch {
      throw ActionFailure(code: .unknown, message: error.message, isCertain: true)
    }
    let (action, connection) = state.withLock { state in
      // Behind what was assigned before.
      for setting in state.sets.flush() { send(setting, state) }
      return (state.encode?(value), state.connection)
    }
    guard let action, let connection else { throw readOnly }
    _ = try await connection.perform(Entry(.perform(action: action)), mirrored: true)
  }

  private var readOnly: ActionFailure {
    ActionFailure(
      code: .notSettable, message: "it is only read: give '.view' the action that sets it",
      isCertain: true)
  }

  private func submit(_ value: Value, _ state: inout State) {
    guard let action = state.encode?(value) else {
      state.assigned = nil
      return refuse(readOnly, &state)
    }
    let setting = state.sets.set(
      Self.field, action: action, value: value.encoded(), name: source.name)
    if let setting { send(setting, state) }
  }

  /// Under the lock, so that the order on the wire is that of assigning.
  private func send(_ setting: PendingSets.Setting, _ state: State) {
    guard let engine = state.connection?.engine else { return }
    engine.loop.perform { [weak self] in
      engine.onLoop { engine in
        _ = engine.submit(Entry(.perform(action: setting.action))) { [weak self] signal in
          self?.take(signal, of: setting)
        }
      }
    }
  }

  private func take(_ signal: ClientEngine.ActionSignal, of setting: PendingSets.Setting) {
    change { state in
      switch signal {
      case .reached:
        if state.sets.reached(setting.id, in: Self.field) { state.assigned = nil }
      case .resolved(let resolution):
        let consequence = state.sets.answered(
          setting.id, in: Self.field, isDone: resolution.isDone)
        if let next = consequence.next { send(next, state) }
        if consequence.isShownAnew { state.assigned = nil }
        do throws(ActionFailure) {
          _ = try resolution.receipt()
        } catch {
          refuse(error, &state)
        }
      }
    }
  }

  private func refuse(_ failure: ActionFailure, _ state: inout State) {
    state.lastRefusedSet = RefusedSet(field: source.name, failure: failure)
  }

  // MARK: Listening

  /// Changes what is known, and tells the listeners if another value is read now.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      let value = state.assigned ?? state.mirrored ?? standIn
      if let last = state.lastTold, last.isIdentical(to: value) { return }
      state.lastTold = value
      for listener in state.listeners.values { listener.yield(value) }
    }
  }

  /// The present value at once, then every one that differs.
  var values: AsyncStream<Value> {
    let (stream, continuation) = AsyncStream<Value>.makeStream()
    let id = state.withLock { state in
      state.lastListener += 1
      state.listeners[state.lastListener] = continuation
      let value = state.assigned ?? state.mirrored ?? standIn
      state.lastTold = value
      continuation.yield(value)
      return state.lastListener
    }
    // Whoever iterates keeps the value alive.
    continuation.onTermination = { [self] _ in
      state.withLock { $0.listeners[id] = nil }
    }
    return stream
  }

  func ready() async throws(ConnectionFailure) {
    if let failure = await first.wait() { throw failure }
  }
}
