/// A time to wait, on a clock.
package struct EffectWait: Sendable {
  package var duration: Duration
  package var clock: any Clock<Duration>
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
    let wait = EffectWait(duration: duration, clock: clock ?? Self.dependencyClock)
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
    let window = EffectWait(duration: duration, clock: clock ?? Self.dependencyClock)
    return Effect(.throttle(node, id: EffectID(id), window: window, latest: latest))
  }

  private static var dependencyClock: any Clock<Duration> {
    DependencyValues.current.continuousClock
  }
}
