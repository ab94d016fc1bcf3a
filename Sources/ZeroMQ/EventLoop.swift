internal import CZeroMQ
internal import Glibc
internal import Synchronization

/// One thread with a large known stack that polls sockets and runs actors: a `SerialExecutor`.
///
/// Actors that touch sockets hold it strongly and run on it; what their sockets' watches call is
/// on it, too, so `assumeIsolated` holds there. A turn is: sockets, jobs, timers, `afterTurn`, and
/// what may block. It is woken by one eventfd, written only while it sleeps.
///
/// At any time one thread is the loop. Once there is work that may block (`block`) it is one of two.
package final class EventLoop: SerialExecutor, @unchecked Sendable {
  // `inbox`, `isAsleep` and `thread` are synchronised; `state` belongs to the loop's thread (before
  // `start`, to whoever made the loop; after the end, to the thread that runs late jobs).
  let name: String
  let stackBytes: Int
  let wakeUp: Int32
  let inbox = Mutex(Inbox())
  let isAsleep = Atomic(false)
  /// The thread that is the loop now; 0 before it began and after it ended.
  let thread = Atomic<UInt>(0)
  let state: State
  let seat: LoopSeat

  /// How many jobs are run before the sockets are looked at again.
  static let jobsPerTurn = 256

  enum Job {
    case actor(UnownedJob)
    case body(@Sendable () -> Void)
  }

  struct Inbox {
    enum Phase {
      case made
      case running
      case stopping
      case ended
      /// Ended, and a thread of its own runs jobs that came late.
      case runningLateJobs
    }
    var jobs: [Job] = []
    var phase = Phase.made
    var waitingForEnd: [CheckedContinuation<Void, Never>] = []
    var joinable: [pthread_t] = []
  }

  /// What only the loop's thread touches.
  final class State {
    let polls: PollSet
    var timers = TimerQueue()
    var afterTurn: (() -> Void)?
    /// Whether anything watched was ready in the last turn.
    var hasHeard = false
    var courtesy = Courtesy()
    /// Taken out of the inbox; run from `done` on.
    var batch: [Job] = []
    var done = 0
    /// What may block, for the end of this turn.
    var blocking: (@Sendable () -> Void)?
    /// Whether there is a thread to go on meanwhile.
    var hasSpare = false
    init(polls: PollSet) { self.polls = polls }
  }

  /// Something watched; give it to `unwatch`.
  package struct WatchToken: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// Something scheduled; give it to `cancel`.
  package struct TimerToken: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// A loop with its thread, which waits for `start`. It lives until `stop`.
  package init(name: String, stackBytes: Int = 256 << 20) throws(ZeroMQError) {
    wakeUp = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
    guard wakeUp >= 0 else { throw ZeroMQError(operation: "make an eventfd", errno: Glibc.errno) }
    self.name = name
    self.stackBytes = stackBytes
    state = State(polls: PollSet(wakeUp: wakeUp))
    seat = try LoopSeat()
    // The thread holds the loop until it ends.
    let thread = try LoopThread.spawn(name: name, stackBytes: stackBytes) { self.run() }
    inbox.withLock { $0.joinable = [thread] }
  }

  deinit { Glibc.close(wakeUp) }

  // MARK: Life

  /// Begins to poll. What is watched and scheduled before is there from the first turn.
  package func start() {
    let isNew = inbox.withLock { inbox in
      guard inbox.phase == .made else { return false }
      inbox.phase = .running
      return true
    }
    precondition(isNew, "EventLoop \(name) was started twice, or after its end")
    wake()
  }

  /// Ends the loop after the jobs that are queued, and returns when its threads are gone. Safe from
  /// anywhere, the loop's own actors included, and more than once.
  ///
  /// Jobs that come after the end still run, in order, on a thread made for them: an actor that
  /// outlives its loop is late, not stuck.
  package func stop() async {
    await withCheckedContinuation { continuation in
      let hasEnded = inbox.withLock { inbox in
        switch inbox.phase {
        case .made, .running, .stopping:
          inbox.phase = .stopping
          inbox.waitingForEnd.append(continuation)
          return false
        case .ended, .runningLateJobs: return true
        }
      }
      if hasEnded { continuation.resume() } else { wake() }
    }
    let joinable = inbox.withLock { inbox in
      defer { inbox.joinable = [] }
      return inbox.joinable
    }
    for thread in joinable { pthread_join(thread, nil) }
  }

  // MARK: Isolation

  /// Whether the caller is on the loop's thread.
  package var isOnLoop: Bool { thread.load(ordering: .relaxed) == UInt(pthread_self()) }

  /// Traps off the loop's thread.
  package func checkIsolated() {
    precondition(isOnLoop, "not on the event loop \(name), which this code belongs to")
  }

  /// The answer to `assumeIsolated` in a watch's or timer's body, which no job is running.
  package func isIsolatingCurrentContext() -> Bool? { isOnLoop }

  /// Before `start` the maker may set things up; afterwards only the loop itself.
  private func checkMayChange(_ what: String) {
    guard !isOnLoop else { return }
    let isNew = inbox.withLock { $0.phase == .made }
    precondition(isNew, "\(what) off the event loop \(name): only its own thread may")
  }

  // MARK: Jobs

  package func enqueue(_ job: consuming ExecutorJob) { add(.actor(UnownedJob(job))) }

  /// Runs a body on the loop in its turn, from any thread: how another thread hands over a result
  /// without an actor.
  package func perform(_ body: @escaping @Sendable () -> Void) { add(.body(body)) }

  /// Runs a body that may block at the end of this turn, on the loop's thread but isolated to
  /// nothing of it. If it takes longer than a moment, another thread is the loop meanwhile, and goes
  /// on being it.
  ///
  /// - Returns: false, and nothing happens, where nobody would go on, such a body waits already, or
  ///   there is something to do meanwhile: then it is for a thread of its own.
  package func block(_ body: @escaping @Sendable () -> Void) -> Bool {
    checkIsolated()
    guard state.blocking == nil, secure(), state.polls.isQuiet else { return false }
    state.blocking = body
    return true
  }

  private func add(_ job: Job) {
    let isLate = inbox.withLock { inbox in
      inbox.jobs.append(job)
      guard inbox.phase == .ended else { return false }
      inbox.phase = .runningLateJobs
      return true
    }
    if isLate { return runLateJobs() }
    if isAsleep.exchange(false, ordering: .sequentiallyConsistent) { wake() }
  }

  private func wake() {
    var one: UInt64 = 1
    // It fails only if the counter is full, and then the loop is awake.
    _ = write(wakeUp, &one, MemoryLayout<UInt64>.size)
  }

  // MARK: Watching

  /// Calls when the socket has what is waited for, again each turn while it does. Closing the
  /// socket ends it, too.
  package func watch(
    _ socket: borrowing Socket, for events: Socket.Events = .readable,
    _ ready: @escaping () -> Void
  ) -> WatchToken {
    checkMayChange("EventLoop.watch")
    return WatchToken(number: state.polls.add(socket, events, ready))
  }

  /// Calls when the descriptor is ready (or broken: reading tells), again each turn while it is.
  package func watch(
    descriptor: Int32, for events: Socket.Events = .readable, _ ready: @escaping () -> Void
  ) -> WatchToken {
    checkMayChange("EventLoop.watch")
    return WatchToken(number: state.polls.add(descriptor: descriptor, events, ready))
  }

  /// Not called any more from now on, even if it was found ready this turn.
  package func unwatch(_ token: WatchToken) {
    checkMayChange("EventLoop.unwatch")
    state.polls.remove(token.number)
  }

  /// Called once a turn, when sockets, jobs and timers were handled: where a batch is closed.
  package var afterTurn: (() -> Void)? {
    get {
      checkMayChange("EventLoop.afterTurn")
      return state.afterTurn
    }
    set {
      checkMayChange("EventLoop.afterTurn")
      state.afterTurn = newValue
    }
  }

  // MARK: Time

  /// Nanoseconds of CLOCK_MONOTONIC: no step of the wall clock, no time asleep.
  package static func monotonicNow() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Calls once, at that time of `monotonicNow` or soon after; at the same time in the order of
  /// asking. Waiting sockets and jobs come first.
  package func schedule(at nanoseconds: Int64, _ body: @escaping () -> Void) -> TimerToken {
    checkMayChange("EventLoop.schedule")
    return TimerToken(number: state.timers.add(at: nanoseconds, body))
  }

  /// Not called any more; nothing if it was.
  package func cancel(_ token: TimerToken) {
    checkMayChange("EventLoop.cancel")
    state.timers.cancel(token.number)
  }
}
