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

  /// What of the daemon's view is not in `state`: the daemon's version of the app is another one, and
  /// this program cannot read all that it has. Empty between equal versions.
  public private(set) var omissions: Omissions

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
  private let arrivals: ArrivalQueue<ViewState>
  private var observers: [(id: UInt64, call: (ViewState) -> Void)] = []
  private var lastObserver: UInt64 = 0
  private var streams: [AsyncStream<ViewState>.Continuation] = []
  private var pump: Task<Void, Never>?

  /// What bindings have set: see `RemoteStore+Bindings`.
  var sets = PendingSets()
  /// The values as the bindings took them, by field.
  var setValues: [PendingSets.Field: Any] = [:]
  var setObservers: [(id: UInt64, call: () -> Void)] = []
  var refusalObservers: [(id: UInt64, call: (RefusedSet) -> Void)] = []
  lazy var bindingPaths = BindingPaths(ofAction: Action.self)

  init(
    connection: DaemonConnection, token: ViewToken, shown: ArrivalQueue<ViewState>.Shown,
    arrivals: ArrivalQueue<ViewState>, isolation: isolated any Actor
  ) {
    self.connection = connection
    self.token = token
    state = shown.state
    number = shown.number
    omissions = shown.omissions
    self.arrivals = arrivals
    let doorbell = arrivals.doorbell
    pump = Task { [weak self] in
      _ = isolation
      for await _ in doorbell {
        for arrival in arrivals.takeAll() { self?.take(arrival) }
      }
    }
  }

  deinit {
    pump?.cancel()
    arrivals.close()
    for stream in streams { stream.finish() }
    let engine = connection.engine
    let token = token
    engine.loop.perform { engine.onLoop { $0.removeView(token) } }
  }

  private func take(_ arrival: ArrivalQueue<ViewState>.Arrival) {
    switch arrival {
    case .value(let shown):
      state = shown.state
      number = shown.number
      omissions = shown.omissions
      for observer in observers { observer.call(shown.state) }
      streams.removeAll { stream in
        if case .terminated = stream.yield(shown.state) { true } else { false }
      }
    case .stale(let reason):
      staleness = Staleness(since: staleness?.since ?? .now, reason: reason)
    case .fresh(let number):
      staleness = nil
      self.number = number
    case .refused(let reason): staleness = Staleness(since: .now, reason: reason)
    case .set(let setting, let signal): take(signal, of: setting)
    case .marker(let waiting): waiting.resume()
    }
  }

  /// A part of the mirror: `store.count`.
  public subscript<Part>(dynamicMember keyPath: KeyPath<ViewState, Part>) -> Part {
    state[keyPath: keyPath]
  }

  /// Sends an action. The task follows what it starts in the daemon: `finish()` and `value` wait for
  /// the effects, and for those of the actions that they send; `cancel()` ends them. All of it dies
  /// with the daemon's run, which `value` throws. What became of the action itself: `perform`.
  ///
  /// Actions arrive in the order in which they were sent, and behind what bindings have set before.
  @discardableResult
  public func send(_ action: Action) -> StoreTask {
    flushSets()
    let followed = FollowedAction(connection.engine)
    followed.send(Entry(.perform(action: action.encoded())))
    let arrivals = arrivals
    return StoreTask {
      let end = await withTaskCancellationHandler {
        await followed.end()
      } onCancel: {
        followed.cancel()
      }
      await followed.shown()
      await withCheckedContinuation { arrivals.post(.marker($0)) }
      guard end.code == .ok else { throw TaskFailure(code: end.code, message: end.text) }
    } show: {
      await followed.shown()
      await withCheckedContinuation { arrivals.post(.marker($0)) }
    } cancel: {
      followed.cancel()
    } isCancelled: {
      followed.isCancelled
    }
  }

  /// When `perform` returns.
  public enum Milestone: Sendable {
    /// The commit is in the journal (in memory mode: applied).
    case durable
    /// Also every mirror of this connection shows it.
    case mirrored
  }

  /// Sends an action and waits for what becomes of it.
  @discardableResult
  public func perform(
    _ action: Action, until milestone: Milestone = .durable
  ) async throws(ActionFailure) -> Receipt {
    flushSets()
    return try await perform(Entry(.perform(action: action.encoded())), until: milestone)
  }

  func perform(
    _ entry: Entry, until milestone: Milestone
  ) async throws(ActionFailure) -> Receipt {
    let receipt = try await connection.perform(entry, mirrored: milestone == .mirrored)
    if milestone == .mirrored {
      // The mirror has it, on the loop; `state` has it once what arrived so far is taken in.
      await withCheckedContinuation { arrivals.post(.marker($0)) }
    }
    return receipt
  }

  /// Sends an action, waits until the mirror shows what became of it, and tells under which number
  /// its batch published this view; nil where the action, and what was committed with it, left the
  /// view as it was.
  ///
  /// An answer that was lost and asked for again names the view's newest number instead.
  package func performPublished(
    _ action: Action
  ) async throws(ActionFailure) -> (receipt: Receipt, published: CommitNumber?) {
    flushSets()
    let wait = connection.begin(
      Entry(.perform(action: action.encoded())), mirrored: true, keepsPublished: true)
    let resolution = await connection.resolution(of: wait)
    await withCheckedContinuation { arrivals.post(.marker($0)) }
    var published: CommitNumber?
    if let action = wait.token {
      published = await connection.engine.takePublished(by: action, in: token)
    }
    let receipt = try resolution.receipt()
    if let number = published, number < receipt.commit { published = nil }
    return (receipt, published)
  }

  /// Hands an entry to the loop; what becomes of it arrives in order with the mirror's values.
  func submit(_ entry: Entry, for setting: PendingSets.Setting) {
    let (engine, arrivals) = (connection.engine, arrivals)
    engine.loop.perform {
      engine.onLoop { engine in
        _ = engine.submit(entry) { arrivals.post(.set(setting, $0)) }
      }
    }
  }

  /// The next number of an observer.
  func nextObserver() -> UInt64 {
    lastObserver += 1
    return lastObserver
  }

  /// Calls `observer` after every publication, until the observation ends.
  public func observe(_ observer: @escaping (ViewState) -> Void) -> Observation {
    let id = nextObserver()
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
