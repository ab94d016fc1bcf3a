internal import SQLite
internal import StateModel
package import SyncProtocol

/// One reading of a whole journal, from its first row on, for a replay; also beside a daemon that
/// goes on writing: it then ends where the journal ended when it was opened.
///
/// Not `Sendable`: one thread reads.
package final class JournalPass {
  package let lineage: Lineage
  /// The state that recovery begins with.
  package let snapshot: JournalSnapshot
  /// The rows that are kept; nil when there is none.
  package let rows: ClosedRange<UInt64>?
  private let folder: JournalFolder
  private let connection: Connection

  /// Opens the journal in `path`, and proves that all of it is there.
  package init(
    _ path: String, options: JournalOptions = JournalOptions()
  ) throws(JournalError) {
    let found = try Self.look(at: JournalFolder.path(of: path), options)
    folder = found.folder
    connection = found.connection
    let reading = found.reading
    if let error = reading.tooNew(in: folder.path) { throw error }
    guard reading.isSound, let lineage = reading.lineage, let fold = reading.fold,
      let snapshot = fold.snapshot
    else {
      throw JournalError(
        .damaged,
        "the journal in \(folder.path) is not sound: "
          + (reading.damages + reading.contradictions
          + (reading.fold?.snapshot == nil ? ["it has no snapshot"] : []))
          .joined(separator: "; ") + ". Try: statecast doctor \(folder.path).")
    }
    self.lineage = lineage
    self.snapshot = snapshot
    rows = fold.first.map { $0.id...max($0.id, fold.lastRow) }
  }

  deinit {
    try? connection.close()
    folder.release()
  }

  /// Gives the rows from `first` on, in order, until `body` says false.
  package func forEach(
    from first: UInt64, _ body: (JournalRow) -> Bool
  ) throws(JournalError) {
    guard let rows else { return }
    do {
      let statement = try connection.prepare(
        "SELECT data FROM batch WHERE id BETWEEN ? AND ? ORDER BY id")
      defer { statement.reset() }
      try statement.bind([.unsigned(first), .unsigned(rows.upperBound)])
      while try statement.step() {
        guard let (envelope, _) = RowEnvelope.open(statement.blob(0)) else {
          throw JournalDamage("a row behind \(first) is damaged")
        }
        guard body(try JournalRow(encoded: envelope.row)) else { return }
      }
    } catch let error as SQLiteError {
      throw JournalError(error, folder.path)
    } catch {
      throw JournalError(
        .damaged,
        "the journal in \(folder.path) cannot be read: \(error). Try: statecast doctor \(folder.path)."
      )
    }
  }

  private static func look(
    at path: String, _ options: JournalOptions
  ) throws(JournalError) -> (
    folder: JournalFolder, connection: Connection, reading: JournalReading
  ) {
    let (folder, isAlone) = try JournalFolder.alone(path)
    let inspection = JournalInspection(folder: folder, options: options)
    let mark = try inspection.readMark()
    guard folder.exists(folder.database) else {
      folder.release()
      throw JournalInspection.none(in: path)
    }
    let damage = isAlone ? try inspection.scanLog() : nil
    let (connection, reading) = try inspection.read(mark, logDamage: damage)
    return (folder, connection, reading)
  }
}
