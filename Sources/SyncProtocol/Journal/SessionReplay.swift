/// The fold of rows into the session table: what recovery does with the rows after a snapshot, and
/// what the daemon's machine must agree with.
///
/// A session is known by its journalled entries alone; what a client has acknowledged is not in the
/// rows, so recovery may keep more outcomes than the daemon did, never fewer.
package struct SessionReplay: Sendable {
  package private(set) var table: SessionTable
  /// How many outcomes are kept of each session.
  private let window: Int

  package init(from table: SessionTable = SessionTable(), window: Int = Limits().window) {
    self.table = table
    self.window = window
  }

  /// Takes in the next row.
  package mutating func apply(_ row: JournalRow) {
    // Dropped first: only a session without entries under way is dropped, so entries of the same id
    // are of one that was opened anew behind it.
    for session in row.droppedSessions { table.records[session] = nil }
    table.floor = row.floor
    for entry in row.entries { apply(entry) }
  }

  private mutating func apply(_ entry: JournalEntry) {
    if case .presence(let attendance) = entry.kind {
      // One that never acted is no record, but its number is in the history: it is not given again.
      table.nextPublicNumber = max(table.nextPublicNumber, attendance.client &+ 1)
    }
    guard let session = entry.session else { return }
    let publicNumber = entry.origin ?? table.nextPublicNumber
    table.nextPublicNumber = max(table.nextPublicNumber, publicNumber &+ 1)
    let fresh = SessionTable.Record(
      base: entry.sessionBase, owner: entry.owner, publicNumber: publicNumber, last: 0, acked: 0,
      outcomes: [])
    let window = window
    // In place: taking the record out and putting it back would copy its outcomes for every entry.
    Self.record(
      SessionTable.Kept(outcome: entry.outcome, payloadHash: entry.payloadHash),
      window: window, in: &table.records[session, default: fresh])
  }

  private static func record(
    _ kept: SessionTable.Kept, window: Int, in record: inout SessionTable.Record
  ) {
    record.last = kept.outcome.number
    record.outcomes.append(kept)
    // Twice the window before it is cut: the cost of moving the rest is paid once a window.
    if record.outcomes.count >= 2 * window {
      record.outcomes.removeFirst(record.outcomes.count - window)
    }
  }

  /// The table with every window cut to its size.
  package func finish() -> SessionTable {
    var table = table
    for (session, record) in table.records where record.outcomes.count > window {
      table.records[session]?.outcomes.removeFirst(record.outcomes.count - window)
    }
    return table
  }
}
