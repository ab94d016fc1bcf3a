/// How much was published within the last heartbeat time-out: what one stopped subscriber can cost
/// before the transport finds it.
///
/// Counts in eighths of the time-out and keeps nine of them, so it never counts too little.
struct BurstMeter {
  private var parts: [Int] = Array(repeating: 0, count: 9)
  private var sum = 0
  private var eighth: Int64 = 0

  /// Bytes within the time-out up to `now`.
  mutating func total(at now: Moment, heartbeat: Duration) -> Int {
    let length = max(1, heartbeat.nanoseconds / 8)
    let present = now.nanoseconds / length
    if present - eighth >= 9 {
      if sum > 0 {
        parts = Array(repeating: 0, count: 9)
        sum = 0
      }
      eighth = present
    }
    while eighth < present {
      eighth += 1
      let part = Int(eighth % 9)
      sum -= parts[part]
      parts[part] = 0
    }
    return sum
  }

  /// Adds what is published now; `total` has been called at this moment.
  mutating func add(_ bytes: Int) {
    parts[Int(eighth % 9)] += bytes
    sum += bytes
  }
}
