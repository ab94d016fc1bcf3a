internal import Glibc

/// The date as the state model keeps it.
enum WallClock {
  /// Between 1970-01-01 and 2001-01-01, in seconds.
  private static let reference = 978_307_200.0

  /// Seconds since 2001-01-01.
  static func now() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) - reference + Double(time.tv_nsec) / 1e9
  }
}
