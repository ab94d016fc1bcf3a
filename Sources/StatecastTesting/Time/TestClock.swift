internal import Synchronization

/// A clock that stands still until a test moves it.
///
///     let clock = TestClock()
///     let store = TestStore(initialState: Search.State()) { Search() } withDependencies: {
///       $0.continuousClock = clock
///     }
///     await store.send(.queryChanged("a")) { $0.query = "a" }
///     await clock.advance(by: .milliseconds(300))
///     await store.receive(.searched)
///
/// Who sleeps is woken at his own moment, the earliest first, those of the same moment in the order
/// in which they went to sleep. Between two moments every `TestStore` whose effects sleep here
/// comes to rest: an effect that sleeps again is woken again within the same `advance`.
public final class TestClock: Clock, Sendable {
  /// A moment: the time since the clock was made.
  public struct Instant: InstantProtocol {
    /// The time since the clock was made.
    public var offset: Duration

    /// A moment.
    public init(offset: Duration = .zero) { self.offset = offset }
    /// This moment and a time.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    /// The time from here to another moment.
    public func duration(to other: Instant) -> Duration { other.offset - offset }
    /// Whether one is earlier.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  /// What `run` gives up after: a timer that begins anew for ever never ends.
  public static let mostWakings = 100_000

  private struct Sleeper {
    let id: UInt64
    let deadline: Instant
    let continuation: CheckedContinuation<Void, any Error>
  }

  private struct Watcher {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Instant()
    var lastID: UInt64 = 0
    var cancelled: Set<UInt64> = []
    /// In the order in which they went to sleep.
    var sleepers: [Sleeper] = []
    var watchers: [Watcher] = []
    /// The stores whose effects have slept here.
    var stores: [Weak] = []
  }

  private struct Weak {
    weak var store: EffectSettling?
  }

  private let state = Mutex(State())

  /// A clock at its beginning.
  public init() {}

  /// The moment at which the clock stands.
  public var now: Instant { state.withLock(\.now) }

  /// The smallest step.
  public var minimumResolution: Duration { .nanoseconds(1) }

  /// How many are asleep.
  public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

  /// Sleeps until the clock is moved to `deadline`.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      if let store = EffectSettling.current, !state.stores.contains(where: { $0.store === store }) {
        state.stores.removeAll { $0.store == nil }
        state.stores.append(Weak(store: store))
      }
      state.lastID += 1
      return state.lastID
    }
    // Woken and cancelled at once: nobody asks for the note any more.
    defer { state.withLock { _ = $0.cancelled.remove(id) } }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        fallAsleep(Sleeper(id: id, deadline: deadline, continuation: continuation))
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func fallAsleep(_ sleeper: Sleeper) {
    enum Outcome {
      case asleep([Watcher])
      case cancelled
      case over
    }
    let outcome = state.withLock { state -> Outcome in
      if state.cancelled.remove(sleeper.id) != nil { return .cancelled }
      if sleeper.deadline <= state.now { return .over }
      state.sleepers.append(sleeper)
      let (count, watchers) = (state.sleepers.count, state.watchers)
      state.watchers.removeAll { $0.count <= count }
      return .asleep(watchers.filter { $0.count <= count })
    }
    switch outcome {
    case .asleep(let watchers): for watcher in watchers { watcher.continuation.resume() }
    case .cancelled: sleeper.continuation.resume(throwing: CancellationError())
    case .over: sleeper.continuation.resume()
    }
  }

  private func cancel(_ id: UInt64) {
    let sleeper = state.withLock { state -> Sleeper? in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  /// Moves the clock, and wakes whose moment comes on the way.
  public func advance(by duration: Duration) async {
    await advance(to: now.advanced(by: duration))
  }

  /// Moves the clock to a moment, and wakes whose moment comes on the way.
  public func advance(to target: Instant) async {
    await settle()
    while wakeNext(upTo: target) { await settle() }
    state.withLock { $0.now = max($0.now, target) }
  }

  /// Moves the clock from one sleeper's moment to the next until nobody sleeps.
  ///
  /// A timer that begins anew for ever is a failure after `mostWakings`: cancel it before.
  public func run(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    await settle()
    for _ in 0..<Self.mostWakings {
      guard wakeNext(upTo: nil) else { return }
      await settle()
    }
    if sleeperCount == 0 { return }
    FailureReporter.current(
      TestFailure(
        """
        After \(Self.mostWakings) wakings somebody sleeps on the clock again: a timer that begins \
        anew never ends. Cancel it before 'run()', or use 'advance(by:)'.
        """,
        at: TestFailure.Location(fileID: fileID, filePath: filePath, line: line, column: column)))
  }

  /// Waits until at least so many are asleep: for tasks that no `TestStore` started.
  public func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.sleepers.count >= count { return true }
        state.watchers.append(Watcher(count: count, continuation: continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  /// Wakes the next one, and moves the clock to its moment; false if nobody is to be woken.
  private func wakeNext(upTo target: Instant?) -> Bool {
    let sleeper = state.withLock { state -> Sleeper? in
      // `min` gives the first of several of the same moment.
      guard
        let next = state.sleepers.indices.min(by: { left, right in
          state.sleepers[left].deadline < state.sleepers[right].deadline
        })
      else { return nil }
      if let target, state.sleepers[next].deadline > target { return nil }
      let sleeper = state.sleepers.remove(at: next)
      state.now = max(state.now, sleeper.deadline)
      return sleeper
    }
    sleeper?.continuation.resume()
    return sleeper != nil
  }

  /// Lets the stores come to rest whose effects have slept here.
  private func settle() async {
    for store in state.withLock({ $0.stores.compactMap(\.store) }) { await store.settle() }
  }
}
