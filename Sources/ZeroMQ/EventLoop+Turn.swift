internal import Glibc
internal import Synchronization

// What the loop's thread does: its life, and the order of a turn.
extension EventLoop {
  func run() {
    beHere()
    waitForStart()
    if !turnUntilTheEnd() { standBy() }
  }

  /// This thread is the loop from now on.
  private func beHere() { thread.store(UInt(pthread_self()), ordering: .relaxed) }

  /// Is the loop whenever the thread that is it is blocked.
  private func standBy() {
    while seat.standBy() {
      beHere()
      if turnUntilTheEnd() { return }
    }
  }

  /// False when another thread has become the loop.
  private func turnUntilTheEnd() -> Bool {
    while inbox.withLock({ $0.phase == .running }) {
      turn()
      if let body = takeBlocking() {
        guard seat.run(body) else { return false }
        // What it had to say is not kept waiting for a look at the sockets.
        runJobs(atMost: Self.jobsPerTurn)
      }
    }
    state.polls.removeAll()
    state.timers = TimerQueue()
    state.afterTurn = nil
    endWhenIdle()
    seat.end()
    return true
  }

  private func takeBlocking() -> (@Sendable () -> Void)? {
    defer { state.blocking = nil }
    return state.blocking
  }

  /// Whether another thread would go on with the loop; the first time, one is made that will.
  func secure() -> Bool {
    if seat.isSecured { return true }
    guard !state.hasSpare, inbox.withLock({ $0.phase == .running }) else { return false }
    // Without one everything that blocks is for a thread of its own.
    state.hasSpare = true
    guard
      let spare = try? LoopThread.spawn(
        name: name, stackBytes: stackBytes, { [self] in standBy() })
    else { return false }
    inbox.withLock { $0.joinable.append(spare) }
    return false
  }

  /// Actors may be called before the start already; their jobs wait.
  private func waitForStart() {
    while inbox.withLock({ $0.phase == .made }) {
      if state.polls.waitForWakeUp() { clearWakeUp() }
    }
  }

  private func turn() {
    waitAndFind()
    state.hasHeard = state.polls.callReady()
    runJobs(atMost: Self.jobsPerTurn)
    runTimers()
    state.afterTurn?()
  }

  private func waitAndFind() {
    var patience: Int64? = 0
    if !state.polls.askTouched(), state.done == state.batch.count, state.blocking == nil {
      // Asleep first, then a look at the inbox: a job that comes in between is either seen here or
      // finds the flag and writes the eventfd.
      isAsleep.store(true, ordering: .sequentiallyConsistent)
      if inbox.withLock({ $0.jobs.isEmpty && $0.phase == .running }) {
        patience = state.timers.next.map { max(0, $0 - Self.monotonicNow()) }
      }
    }
    let arrival = lookOnceMore(patience) ?? state.polls.wait(nanoseconds: patience)
    isAsleep.store(false, ordering: .sequentiallyConsistent)
    if arrival == .wakeUp { clearWakeUp() }
  }

  /// What has come while others had the processor, before a sleep that follows upon something heard.
  private func lookOnceMore(_ patience: Int64?) -> PollSet.Arrival? {
    guard patience != 0, state.hasHeard else { return nil }
    let now = Self.monotonicNow()
    guard state.courtesy.isDue(at: now) else { return nil }
    sched_yield()
    state.courtesy.took(from: now, to: Self.monotonicNow())
    let arrival = state.polls.wait(nanoseconds: 0)
    return arrival == .nothing ? nil : arrival
  }

  private func clearWakeUp() {
    var count: UInt64 = 0
    _ = read(wakeUp, &count, MemoryLayout<UInt64>.size)
  }

  /// Runs queued jobs, those that they queue included; false if none was there.
  @discardableResult private func runJobs(atMost limit: Int) -> Bool {
    let executor = asUnownedSerialExecutor()
    for count in 0..<limit {
      if state.done == state.batch.count {
        state.batch.removeAll(keepingCapacity: true)
        state.done = 0
        inbox.withLock { swap(&$0.jobs, &state.batch) }
        if state.batch.isEmpty { return count > 0 }
      }
      let job = state.batch[state.done]
      state.done += 1
      switch job {
      case .actor(let job): job.runSynchronously(on: executor)
      case .body(let body): body()
      }
    }
    return true
  }

  private func runTimers() {
    guard !state.timers.isEmpty else { return }
    for number in state.timers.popDue(now: Self.monotonicNow()) { state.timers.take(number)?() }
  }

  /// Runs jobs until none is left, then ends and tells those who wait for it.
  private func endWhenIdle() {
    while true {
      while runJobs(atMost: Self.jobsPerTurn) {}
      // Nothing is left for it to hold up.
      if let body = takeBlocking() {
        body()
        continue
      }
      let waiting: [CheckedContinuation<Void, Never>]? = inbox.withLock { inbox in
        guard inbox.jobs.isEmpty else { return nil }
        inbox.phase = .ended
        thread.store(0, ordering: .relaxed)
        defer { inbox.waitingForEnd = [] }
        return inbox.waitingForEnd
      }
      guard let waiting else { continue }
      for continuation in waiting { continuation.resume() }
      return
    }
  }

  /// Runs what came after the end, on a thread made for it, until nothing is left.
  func runLateJobs() {
    do {
      let thread = try LoopThread.spawn(name: name, stackBytes: stackBytes) {
        self.beHere()
        self.endWhenIdle()
      }
      pthread_detach(thread)
    } catch {
      // Not to run a job would leave its caller waiting for ever, to run it here would break its
      // actor's isolation.
      preconditionFailure("EventLoop \(name) has ended and cannot run what came late: \(error)")
    }
  }
}
