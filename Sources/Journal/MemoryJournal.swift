internal import StateModel
package import SyncProtocol

/// No journal at all: every row is durable at once, and a restart is a new lineage.
///
/// Tests tell it what to answer instead, so that the daemon can be seen to refuse, fail and step
/// down.
package final class MemoryJournal: Journal {
  /// What the next appends answer, in order; `durable` when there is none left. Only what is durable
  /// is kept. After a `failed` everything fails, as on a disk.
  package var answers: [AppendResult]
  /// Snapshots that were taken, for tests to look at; the newest alone.
  package private(set) var snapshot: JournalSnapshot?

  private let keptRows: Int
  private var kept: [JournalRow] = []
  private var lastRow: UInt64
  private var lastCommit: CommitNumber
  package private(set) var failure: String?

  /// - Parameter keptRows: how many rows are kept for `log`.
  package init(
    lastRow: UInt64 = 0, commit: CommitNumber = .zero, keptRows: Int = 1024,
    answers: [AppendResult] = []
  ) {
    self.lastRow = lastRow
    lastCommit = commit
    self.keptRows = keptRows
    self.answers = answers
  }

  /// A new journal, and what opening one on disk would have found: nothing.
  package static func open(
    keptRows: Int = 1024, using generator: inout some RandomNumberGenerator
  ) -> (journal: MemoryJournal, recovery: JournalRecovery) {
    let epoch = EpochRecord(epoch: Epoch(rawValue: generator.next()), after: .zero)
    let history = RecoveredHistory(
      lineage: Lineage(.random(using: &generator)), epochs: [epoch], lastRow: 0, commit: .zero,
      oldest: .zero, sessions: SessionTable())
    return (
      MemoryJournal(keptRows: keptRows),
      JournalRecovery(history: history, state: nil, schemaHash: nil)
    )
  }

  package func append(_ row: JournalRow, after head: UInt64) -> AppendResult {
    if let failure { return .failed(failure) }
    guard head == lastRow else { return .fenced }
    precondition(row.id == head + 1, "row \(row.id) was to follow row \(head)")
    let answer = answers.isEmpty ? .durable : answers.removeFirst()
    switch answer {
    case .durable:
      lastRow = row.id
      lastCommit = row.last
      kept.append(row)
      // Dropping half at a time costs nothing a row.
      if kept.count >= 2 * max(1, keptRows) { kept.removeFirst(kept.count - keptRows) }
    case .failed(let text): failure = text
    case .refused, .fenced: break
    }
    return answer
  }

  package func stage(_ snapshot: JournalSnapshot) {
    if failure == nil, snapshot.row <= lastRow { self.snapshot = snapshot }
  }

  package func work() -> Bool { false }

  package var isWorkDue: Bool { false }

  package var oldest: CommitNumber { kept.suffix(keptRows).first?.base ?? lastCommit }

  package func rows(from first: UInt64, limit: Int) -> [JournalRow] {
    Array(kept.suffix(keptRows).lazy.drop { $0.id < first }.prefix(limit))
  }

  package func idle() {}

  package func close() {}
}
