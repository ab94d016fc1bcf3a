package import StateModel
package import SyncProtocol

/// What a check of a journal found, and what can be done about it.
package struct JournalReport: Equatable, Sendable {
  package enum Verdict: String, Sendable {
    /// Every acknowledged commit is there.
    case sound
    /// Acknowledged commits are missing or damaged.
    case damaged
    /// Written by a newer version: nothing else was looked at.
    case tooNew = "too-new"
  }

  package var folder: String
  package var verdict: Verdict
  /// What is wrong; a sentence each.
  package var findings: [String] = []
  /// What is worth knowing and no damage.
  package var notes: [String] = []
  /// What can be done; a sentence each.
  package var remedies: [String] = []

  package var lineage: Lineage?
  /// How often a daemon has started on it.
  package var epochs: UInt64 = 0
  /// The starts that are kept.
  package var starts: [EpochRecord] = []
  /// The last commit and row that can be proved, and the digest of the state there.
  package var commit: CommitNumber?
  package var row: UInt64?
  package var digest: Digest?
  /// The rows that are kept, and their bytes.
  package var keptRows: ClosedRange<UInt64>?
  package var keptBytes = 0
  /// The row of the snapshot that recovery begins with.
  package var snapshotRow: UInt64?
  package var sessions = 0
  /// The last row that the mark says was durable.
  package var markRow: UInt64?

  package init(folder: String, verdict: Verdict) {
    self.folder = folder
    self.verdict = verdict
  }
}
