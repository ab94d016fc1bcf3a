internal import SyncProtocol

/// What running a journal's actions again came to.
struct ReplayReport: Equatable, Sendable {
  /// The first place where the reducer does not do what it did.
  struct Difference: Equatable, Sendable {
    var row: UInt64
    /// The commit; for an action that had been refused the one before it.
    var commit: CommitNumber
    /// Which action: whose, never its content.
    var action: String
    /// What is different.
    var text: String
    /// The schema with which it was written, where that is another version's.
    var otherSchema: UInt64?
  }

  /// The commit that it began after, and how far it came.
  var base: CommitNumber
  var last: CommitNumber
  /// Actions that were run again, those among them that are refused again, and those that cannot be
  /// judged (their conditions are not in the journal).
  var actions = 0
  var refused = 0
  var skipped = 0
  /// Why it did not begin at the first commit that is kept; nil where it did.
  var note: String?
  var difference: Difference?

  /// One line for a person.
  var line: String {
    if let difference {
      return "commit \(difference.commit) (row \(difference.row)), \(difference.action): "
        + difference.text
    }
    let counts = "\(actions) actions run again, \(refused) of them refused as before"
    return base == last
      ? "there is no commit behind \(base) to run again"
      : "commits \(base.next) to \(last) give the same states again (\(counts))"
  }
}
