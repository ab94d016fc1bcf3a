internal import SQLite
internal import StateModel
internal import SyncProtocol

/// Checks a journal that no daemon has open: the log, the chain of rows, the state's digest, the
/// sessions, the mark. Changes nothing.
package enum JournalDoctor {
  /// Checks the journal in `path`, a folder or its `journal.db`.
  ///
  /// Throws where it cannot be looked at; damage is in the report.
  package static func examine(
    _ path: String, options: JournalOptions = JournalOptions()
  ) throws(JournalError) -> JournalReport {
    let folder = try JournalFolder(existing: JournalFolder.path(of: path), isExclusive: true)
    defer { folder.release() }
    let (report, _) = try examine(folder, options)
    return report
  }

  /// With the mark that belongs to what was found; nil unless it is sound.
  static func examine(
    _ folder: JournalFolder, _ options: JournalOptions
  ) throws(JournalError) -> (report: JournalReport, mark: JournalMark?) {
    let inspection = JournalInspection(folder: folder, options: options)
    let mark = try inspection.readMark()
    guard folder.exists(folder.database) else { return (try missing(folder, mark), nil) }
    let hadIndex = folder.exists(folder.index)
    let hadLog = folder.exists(folder.log)
    let damage = try inspection.scanLog()
    let (connection, reading) = try inspection.read(mark, logDamage: damage)
    let audit = try audit(connection, reading, folder)
    do throws(SQLiteError) { try connection.close() } catch {
      throw JournalError(error, folder.path)
    }
    // SQLite's own, made by looking.
    if !hadIndex { try folder.remove(folder.index) }
    if !hadLog { try folder.remove(folder.log) }
    var report = report(reading, audit, folder)
    report.markRow = mark?.row
    return (report, report.verdict == .sound ? reading.ownMark : nil)
  }

  // MARK: Looking

  private static func audit(
    _ connection: Connection, _ reading: JournalReading, _ folder: JournalFolder
  ) throws(JournalError) -> HistoryAudit? {
    // Damage explains the rest, and the rows behind it may not even decode.
    guard reading.damages.isEmpty, let lineage = reading.lineage, let fold = reading.fold else {
      return nil
    }
    let isComplete = reading.lastEpoch == UInt64(reading.epochs.count)
    var audit = HistoryAudit(lineage: lineage, epochs: isComplete ? reading.epochs : nil)
    do {
      let rows = try connection.prepare("SELECT data FROM batch ORDER BY id")
      defer { rows.reset() }
      while try rows.step() {
        guard let (envelope, _) = RowEnvelope.open(rows.blob(0)) else { continue }
        audit.take(try JournalRow(encoded: envelope.row))
      }
    } catch let error as SQLiteError {
      throw JournalError(error, folder.path)
    } catch {
      throw JournalError(
        .damaged,
        "a row of the journal in \(folder.path) cannot be read: \(error). Try: restore a backup.")
    }
    audit.finish(at: fold.commit, fold.sessions)
    return audit
  }

  private static func missing(
    _ folder: JournalFolder, _ mark: JournalMark?
  ) throws(JournalError) -> JournalReport {
    guard let damage = try JournalInspection.missing(folder, mark) else {
      throw JournalInspection.none(in: folder.path)
    }
    var report = JournalReport(folder: folder.path, verdict: .damaged)
    report.findings = [damage]
    report.markRow = mark?.row
    report.remedies = remedies(folder, anew: true, commit: nil)
    return report
  }

  // MARK: Telling

  private static func report(
    _ reading: JournalReading, _ audit: HistoryAudit?, _ folder: JournalFolder
  ) -> JournalReport {
    var report = JournalReport(folder: folder.path, verdict: .sound)
    if let (format, since) = reading.newer {
      report.verdict = .tooNew
      report.findings = [
        "it has format \(format), and this version reads up to \(JournalFormat.current)"
      ]
      report.remedies = ["use Statecast \(since) or later"]
      return report
    }
    report.findings = reading.damages + reading.contradictions + (audit?.contradictions ?? [])
    report.lineage = reading.lineage
    report.epochs = reading.lastEpoch
    report.starts = reading.epochs
    report.keptBytes = reading.bytes
    report.snapshotRow = reading.snapshot?.row
    if let fold = reading.fold {
      report.commit = fold.commit
      report.row = fold.lastRow
      report.digest = fold.state?.digest
      report.sessions = fold.sessions.records.count
      if let first = fold.first?.id, first <= fold.lastRow {
        report.keptRows = first...fold.lastRow
      }
    }
    if !report.findings.isEmpty {
      report.verdict = .damaged
      report.remedies = remedies(
        folder, anew: reading.fold?.state == nil, commit: reading.fold?.commit)
    }
    if let text = lastFailure(folder) {
      report.notes.append("the daemon before could not write: \(text)")
    }
    let copies = JournalFolder.names(in: folder.copies)
    if !copies.isEmpty {
      report.notes.append("\(folder.copies) holds \(copies.joined(separator: ", "))")
    }
    return report
  }

  private static func remedies(
    _ folder: JournalFolder, anew: Bool, commit: CommitNumber?
  ) -> [String] {
    [
      "restore a backup: statecast restore BACKUP \(folder.path)",
      anew
        ? "start the daemon once with --journal-accept-loss: it begins anew with an empty journal"
        : "start the daemon once with --journal-accept-loss: " + (commit ?? .zero).whatIsKept,
    ]
  }

  /// What the process before left about its end, as one line.
  private static func lastFailure(_ folder: JournalFolder) -> String? {
    guard folder.exists(folder.failure),
      let file = try? JournalFile(folder.failure, .read), let size = try? file.size,
      let bytes = try? file.read(min(size, 4096), at: 0)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").joined(separator: " ")
  }
}
