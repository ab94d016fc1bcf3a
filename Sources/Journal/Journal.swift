package import StateModel
package import SyncProtocol

/// Where the order of commits is kept. Blocking: its owner calls it where that may wait.
///
/// A protocol because a replicated journal comes later: nothing of SQLite shows here.
package protocol Journal: AnyObject {
  /// Appends one row and returns once it is durable.
  ///
  /// - Parameter head: the id of the row that must be the last one now; another writer is `fenced`.
  func append(_ row: JournalRow, after head: UInt64) -> AppendResult
  /// Takes a snapshot that is to replace the kept one. `work` writes it, piece by piece; rows may be
  /// appended meanwhile. What is older may then be pruned. One of a row that was never appended, or
  /// that is older than the kept one, is dropped.
  func stage(_ snapshot: JournalSnapshot)
  /// Does a small piece of what is due beside appending: a snapshot, retention, keeping logs short.
  ///
  /// - Returns: whether there is more to do now.
  func work() throws(JournalError) -> Bool
  /// Whether a call of `work` is due after the last append.
  var isWorkDue: Bool { get }
  /// The commit before the first row that is kept: from there on the journal can replay.
  var oldest: CommitNumber { get }
  /// The rows from `first` on, at most `limit` of them; for `log`.
  func rows(from first: UInt64, limit: Int) throws(JournalError) -> [JournalRow]
  /// Why nothing more is written: whether the last rows are in it is unknown. Nil while all is well.
  var failure: String? { get }
  /// Housekeeping while there is nothing to append.
  func idle()
  /// Syncs and closes.
  func close()
}

extension Journal {
  /// Replaces the kept snapshot by a newer one, and returns once it is durable.
  ///
  /// A new journal's first is that of the initial state, at row 0: the rows are changes to it.
  package func save(_ snapshot: JournalSnapshot) throws(JournalError) {
    stage(snapshot)
    while try work() {}
    // One that had failed takes nothing and has no work: that is not a snapshot kept.
    if let failure { throw JournalError(.inputOutput, failure) }
  }
}

package enum AppendResult: Equatable, Sendable {
  case durable
  /// Rolled back cleanly: the disk is full. The journal works on.
  case refused(String)
  /// Unknown whether it is in the journal: the process must be restarted.
  case failed(String)
  /// The last row is not the expected one.
  case fenced
}

/// State and sessions as of a commit.
package struct JournalSnapshot: Equatable, Sendable {
  /// The row it is the state after.
  package var row: UInt64
  package var commit: CommitNumber
  /// The root state, encoded.
  package var state: [UInt8]
  package var digest: Digest
  package var schemaHash: UInt64
  package var sessions: SessionTable

  package init(
    row: UInt64, commit: CommitNumber, state: [UInt8], digest: Digest, schemaHash: UInt64,
    sessions: SessionTable
  ) {
    self.row = row
    self.commit = commit
    self.state = state
    self.digest = digest
    self.schemaHash = schemaHash
    self.sessions = sessions
  }
}

/// What opening a journal found.
package struct JournalRecovery: Equatable, Sendable {
  package var history: RecoveredHistory
  /// The root state at `history.commit`; nil for a new journal.
  package var state: Value?
  package var schemaHash: UInt64?

  package init(history: RecoveredHistory, state: Value?, schemaHash: UInt64?) {
    self.history = history
    self.state = state
    self.schemaHash = schemaHash
  }
}

/// The state at the end of a journal, as whoever opens it is shown it before anything is written.
package struct RecoveredState: Equatable, Sendable {
  package var value: Value
  /// Of the state's schema, by the program that wrote it.
  package var schemaHash: UInt64
  /// Whether it was written by a later version of the app than this: this one's schema has been
  /// replaced in this journal before.
  package var isLater: Bool

  package init(value: Value, schemaHash: UInt64, isLater: Bool) {
    self.value = value
    self.schemaHash = schemaHash
    self.isLater = isLater
  }
}

/// Why a journal cannot be opened or read. The file is left as it was.
package struct JournalError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: Equatable, Sendable {
    /// Acknowledged commits are missing or damaged: an operator must decide.
    case damaged
    /// Written by a newer version.
    case tooNew
    /// In use by another process.
    case busy
    case inputOutput
    case noSpace
  }
  package var kind: Kind
  /// What happened and what to do.
  package var message: String
  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }
  package var description: String { message }
}
