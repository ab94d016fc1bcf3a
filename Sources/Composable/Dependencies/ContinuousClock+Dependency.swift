extension DependencyValues {
  /// What effects wait with.
  public var continuousClock: any Clock<Duration> {
    get { self[ContinuousClockKey.self] }
    set { self[ContinuousClockKey.self] = newValue }
  }

  private enum ContinuousClockKey: DependencyKey {
    static let liveValue: any Clock<Duration> = ContinuousClock()
    static let testValue: any Clock<Duration> = UnstubbedClock()
  }
}

/// The clock of a test that sets none: reports that it is used, and waits for real.
private struct UnstubbedClock: Clock {
  private let clock = ContinuousClock()

  var now: ContinuousClock.Instant { clock.now }
  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: ContinuousClock.Instant, tolerance: Duration?) async throws {
    UnstubbedDependency.reportUse(of: "continuousClock")
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
