extension Clock where Duration == Swift.Duration {
  /// An element after every interval, until the task that waits for it is cancelled.
  ///
  ///     return .run { [clock] send in
  ///       for await _ in clock.timer(interval: .seconds(1)) { await send(.tick) }
  ///     }
  ///     .cancellable(id: CancelID.timer)
  ///
  /// The intervals follow each other without drift. An element that nobody has waited for in time
  /// comes at once, and what else was missed meanwhile is left out.
  public func timer(interval: Duration) -> ClockTimer {
    ClockTimer {
      var next = now
      return {
        next = Swift.max(next.advanced(by: interval), now)
        try await sleep(until: next, tolerance: nil)
      }
    }
  }
}

/// The elements of `Clock.timer(interval:)`; hides which clock it is, since a dependency's is any.
public struct ClockTimer: AsyncSequence, Sendable {
  let begin: @Sendable () -> () async throws -> Void

  /// Waits for one element after another.
  public struct Iterator: AsyncIteratorProtocol {
    let wait: () async throws -> Void

    /// Waits for the next one; nil once the task is cancelled.
    public mutating func next() async -> Void? {
      do { return try await wait() } catch { return nil }
    }
  }

  /// Begins an interval.
  public func makeAsyncIterator() -> Iterator { Iterator(wait: begin()) }
}
