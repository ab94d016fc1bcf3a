/// What the machine counts, for `stats`.
struct AuthorityStatistics {
  var requests: UInt64 = 0
  var outcomes: UInt64 = 0
  var repeats: UInt64 = 0
  var refusals: UInt64 = 0
  var batches: UInt64 = 0
  var publications: UInt64 = 0
  var publishedBytes: UInt64 = 0
  var pulled: UInt64 = 0
  var resumes: UInt64 = 0
  var snapshots: UInt64 = 0
  var journalRefusals: UInt64 = 0
  var calls: UInt64 = 0
  var droppedActions: UInt64 = 0
  /// Attached sessions that made room for others.
  var evictions: UInt64 = 0
}
