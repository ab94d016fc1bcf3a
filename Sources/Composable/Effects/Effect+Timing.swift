/// A time to wait, on a clock.
package struct EffectWait: Sendable {
  private var duration: Duration
  private var clock: any Clock<Duration>
  /// Those of the reducer that made the effect: a clock that reports its use reports it to them.
  private var dependencies: DependencyValues

  /// - Parameter clock: by default the `continuousClock` dependency.
  package init(_ duration: Duration, on clock: (any Clock<Duration>)?) {
    self.duration = duration
    let dependencies = DependencyValues.current.forEffect
    self.clock = clock ?? dependencies.continuousClock
    self.dependencies = dependencies
  }

  /// Returns when the time is over; throws when it is cut short by being cancelled.
  package func callAsFunction() async throws {
    try await DependencyValues.$current.withValue(dependencies) {
      try await clock.sleep(for: duration)
    }
  }
}

extension Effect {
  /// Waits before the effect starts, anew for each one of the same id: of several in quick
  /// succession only the last one's work is done.
  ///
  /// - Parameter clock: by default the `continuousClock` dependency.
  public func debounce(
    id: some Hashable & Sendable, for duration: Duration, clock: (any Clock<Duration>)? = nil
  ) -> Effect {
    guard !isNone else { return self }
    let wait = EffectWait(duration, on: clock)
    return Effect(.concatenate([.wait(wait), node])).cancellable(id: id, cancelInFlight: true)
  }

  /// Lets the first effect of an id through at once; then, at the end of each window, the latest
  /// (or the first) of those that were held meanwhile. Letting one through starts a window.
  ///
  /// - Parameters:
  ///   - latest: which of the held effects is let through.
  ///   - clock: by default the `continuousClock` dependency.
  public func throttle(
    id: some Hashable & Sendable, for duration: Duration, clock: (any Clock<Duration>)? = nil,
    latest: Bool
  ) -> Effect {
    guard !isNone else { return self }
    let window = EffectWait(duration, on: clock)
    return Effect(.throttle(node, id: EffectID(id), window: window, latest: latest))
  }
}
