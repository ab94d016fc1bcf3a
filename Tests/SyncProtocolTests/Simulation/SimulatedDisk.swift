import StateModel
import SyncProtocol

/// A journal's file: what was written stays, in the order in which it was written, until a crash
/// finds a backup copied over it. A value, so a backup is a copy.
struct SimulatedDisk {
  struct OutcomeKey: Hashable {
    var session: SessionID
    var number: ActionNumber
  }

  let lineage: Lineage
  private(set) var epochs: [EpochRecord] = []
  /// Those that are kept.
  private(set) var rows: [JournalRow] = []
  private var lastRow: UInt64 = 0
  /// The commit from which rows are kept.
  private(set) var oldest = CommitNumber.zero
  /// The state after the last row, as the rows' deltas make it.
  private(set) var state = ToyState()
  private(set) var commit = CommitNumber.zero
  /// The state at each commit that ends a row.
  private(set) var states: [CommitNumber: ToyState] = [.zero: ToyState()]
  /// What is recorded of each action that consumed its number.
  private(set) var outcomes: [OutcomeKey: Outcome] = [:]
  private var snapshot = (sessions: SessionTable(), row: UInt64(0))

  init(lineage: Lineage) { self.lineage = lineage }

  /// Appends a row. What is wrong with it; nil when it fits.
  mutating func append(_ row: JournalRow) -> String? {
    guard row.id == lastRow + 1 else { return "row \(row.id) follows row \(lastRow)" }
    guard row.base == commit else {
      return "row \(row.id) begins after commit \(row.base), the journal ends at \(commit)"
    }
    var values = state.values
    var expected = commit
    for entry in row.entries {
      do { try ToyValue.apply(entry.rootDelta, to: &values) } catch {
        return "row \(row.id): a delta does not fit: \(error)"
      }
      // The entries of an atomic request are one commit.
      if let number = entry.outcome.commit, number != expected || expected == row.base {
        expected = expected.next
        guard number == expected else { return "commit \(number) stands where \(expected) belongs" }
      }
      if let session = entry.session {
        let key = OutcomeKey(session: session, number: entry.number)
        if outcomes[key] != nil { return "number \(entry.number) is in the journal twice" }
        outcomes[key] = entry.outcome
      }
    }
    guard expected == row.last else { return "row \(row.id) ends at \(expected), not \(row.last)" }
    guard ToyValue.digest(values) == row.rootDigest else {
      return "row \(row.id): the deltas do not lead to the state of the digest"
    }
    for session in row.droppedSessions {
      outcomes = outcomes.filter { $0.key.session != session }
    }
    state = ToyState(values: values)
    commit = row.last
    states[commit] = state
    rows.append(row)
    lastRow = row.id
    return nil
  }

  /// Without a journal: the state that was published.
  mutating func note(_ state: ToyState, at commit: CommitNumber) {
    self.state = state
    self.commit = commit
    states[commit] = state
  }

  mutating func save(_ sessions: SessionTable, at commit: CommitNumber) {
    guard let row = rows.last(where: { $0.last <= commit }), rows.last?.id == row.id else { return }
    snapshot = (sessions, row.id)
  }

  /// Drops the rows that the snapshot holds; the oldest commit that is kept after that.
  mutating func prune() -> CommitNumber {
    rows.removeAll { $0.id <= snapshot.row }
    oldest = rows.first?.base ?? commit
    return oldest
  }

  /// A daemon opens the journal: its epoch is written down, and everything is read.
  mutating func open(epoch: Epoch, window: Int) -> RecoveredHistory {
    epochs.append(EpochRecord(epoch: epoch, after: commit))
    var replay = SessionReplay(from: snapshot.sessions, window: window)
    for row in rows where row.id > snapshot.row { replay.apply(row) }
    return RecoveredHistory(
      lineage: lineage, epochs: epochs, lastRow: lastRow, commit: commit,
      oldest: oldest, sessions: replay.finish())
  }
}
