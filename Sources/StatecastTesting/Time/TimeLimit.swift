/// A time within which something has to happen that is awaited; the wait itself is for the event.
struct TimeLimit {
  private let duration: Duration
  private let clock: any Clock<Duration>

  init(_ duration: Duration, on clock: any Clock<Duration>) {
    self.duration = duration
    self.clock = clock
  }

  /// Whether `event` comes within the time; it is no longer waited for when it does not.
  func reaches(_ event: @escaping @Sendable () async -> Void) async -> Bool {
    let (outcomes, outcome) = AsyncStream<Bool>.makeStream()
    let waiting = Task {
      await event()
      outcome.yield(true)
    }
    let limit = startTimer { outcome.yield(false) }
    defer {
      limit.cancel()
      // What `event` is about goes on without us.
      withExtendedLifetime(waiting) {}
    }
    var first = outcomes.makeAsyncIterator()
    return await first.next() ?? false
  }

  /// Calls `isOver` when the time has passed, unless it is cancelled before.
  func startTimer(_ isOver: @escaping @Sendable () -> Void) -> Task<Void, Never> {
    Task { [duration, clock] in
      if (try? await clock.sleep(for: duration)) != nil { isOver() }
    }
  }
}
