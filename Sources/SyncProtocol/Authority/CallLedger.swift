/// What a session's newest calls were answered, so that a repeated one is answered the same and never
/// done again.
struct CallLedger {
  struct Kept {
    var id: UInt64
    /// Of the handle and the argument; nil for an id that was cancelled before it came.
    var hash: Bytes16?
    var code: Code
    var text: String
  }

  private var kept: [Kept] = []
  /// The highest id that was seen.
  private(set) var last: UInt64 = 0

  /// What a call was answered, if that is still known.
  func find(_ id: UInt64) -> Kept? {
    guard id <= last else { return nil }
    return kept.last { $0.id == id }
  }

  mutating func add(_ call: Kept, limit: Int) {
    last = max(last, call.id)
    if kept.count >= limit { kept.removeFirst(kept.count - limit + 1) }
    kept.append(call)
  }
}
