public import Composable
public import StateModel
public import SyncProtocol
internal import ZeroMQ

/// A store whose reducer runs in a daemon: `state` is an exact mirror of one of the daemon's
/// views, or says that it is stale.
///
/// Not `Sendable`: it lives in the isolation that opened it, and its observers run there.
@dynamicMemberLookup
public final class RemoteStore<ViewState: Mirrored, Action: Mirrored>: StoreProtocol {
  /// The mirror's value.
  public private(set) var state: ViewState
  /// The number of the publication that the mirror shows.
  public private(set) var number: CommitNumber
  /// Since when, and why, the mirror is not known to be exact; nil while it is.
  public private(set) var staleness: Staleness?

  /// Why a mirror is not known to be exact.
  public struct Staleness: Equatable, Sendable {
    /// When it was noticed.
    public var since: ContinuousClock.Instant
    /// A sentence for a person.
    public var reason: String
  }

  /// Whether the mirror may differ from what the daemon has published.
  public var isStale: Bool { staleness != nil }

  /// The connection that the store belongs to.
  public let connection: DaemonConnection

  private let token: ViewToken
  private let arrival: AsyncStream<Arrival>.Continuation
  private var observers: [(id: UInt64, call: (ViewState) -> Void)] = []
  private var lastObserver: UInt64 = 0
  private var streams: [AsyncStream<ViewState>.Continuation] = []
  private var pump: Task<Void, Never>?

  /// What arrives from the loop, in order.
  enum Arrival: Sendable {
    case value(ViewState, CommitNumber)
    case stale(String)
    case fresh(CommitNumber)
    case refused(String)
    /// Nothing: whoever put it there waits until all before it has been taken.
    case marker(CheckedContinuation<Void, Never>)
  }

  init(
    connection: DaemonConnection, token: ViewToken, state: ViewState, number: CommitNumber,
    arrivals: (stream: AsyncStream<Arrival>, continuation: AsyncStream<Arrival>.Continuation),
    isolation: isolated any Actor
  ) {
    self.connection = connection
    self.token = token
    self.state = state
    self.number = number
    arrival = arrivals.continuation
    let stream = arrivals.stream
    pump = Task { [weak self] in
      _ = isolation
      for await arrival in stream { self?.take(arrival) }
    }
  }

  deinit {
    pump?.cancel()
    for stream in streams { stream.finish() }
    let engine = connection.engine
    let token = token
    engine.loop.perform { engine.assumeIsolated { $0.removeView(token) } }
  }

  private func take(_ arrival: Arrival) {
    switch arrival {
    case .value(let value, let number):
      state = value
      self.number = number
      for observer in observers { observer.call(value) }
      streams.removeAll { stream in
        if case .terminated = stream.yield(value) { true } else { false }
      }
    case .stale(let reason):
      if staleness == nil { staleness = Staleness(since: .now, reason: reason) }
    case .fresh(let number):
      staleness = nil
      self.number = number
    case .refused(let reason): staleness = Staleness(since: .now, reason: reason)
    case .marker(let waiting): waiting.resume()
    }
  }

  /// Hands over what arrived. A marker that falls out behind too many values waits no longer.
  static func post(_ arrival: Arrival, to continuation: AsyncStream<Arrival>.Continuation) {
    switch continuation.yield(arrival) {
    case .dropped(.marker(let waiting)): waiting.resume()
    case .terminated: if case .marker(let waiting) = arrival { waiting.resume() }
    default: break
    }
  }

  /// A part of the mirror: `store.count`.
  public subscript<Part>(dynamicMember keyPath: KeyPath<ViewState, Part>) -> Part {
    state[keyPath: keyPath]
  }

  /// Sends an action; the task ends when the daemon has it. What became of it: `perform`.
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    let connection = connection
    let entry = Entry(.perform(action: action.encoded()))
    return StoreTask(Task { _ = try? await connection.perform(entry) })
  }

  /// When `perform` returns.
  public enum Milestone: Sendable {
    /// The commit is in the journal (in memory mode: applied).
    case durable
    /// Also every mirror of this connection shows it.
    case mirrored
  }

  /// Sends an action and waits for what becomes of it.
  public func perform(
    _ action: Action, until milestone: Milestone = .durable
  ) async throws(ActionFailure) -> Receipt {
    let receipt = try await connection.perform(
      Entry(.perform(action: action.encoded())), mirrored: milestone == .mirrored)
    if milestone == .mirrored {
      // The mirror has it, on the loop; `state` has it once what arrived so far is taken in.
      await withCheckedContinuation { Self.post(.marker($0), to: arrival) }
    }
    return receipt
  }

  /// Calls `observer` after every publication, until the observation ends.
  public func observe(_ observer: @escaping (ViewState) -> Void) -> Observation {
    lastObserver += 1
    let id = lastObserver
    observers.append((id, observer))
    return Observation { [weak self] in self?.observers.removeAll { $0.id == id } }
  }

  /// The present value at once, then every publication's; ends with the store.
  public var values: AsyncStream<ViewState> {
    let (stream, continuation) = AsyncStream<ViewState>.makeStream()
    continuation.yield(state)
    streams.append(continuation)
    return stream
  }
}
