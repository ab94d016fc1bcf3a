internal import Glibc
internal import SQLite
internal import StateModel
internal import SyncProtocol

/// Copies of a journal that are journals: taken while a daemon writes, put back while none does.
///
/// A backup is made from the files, beside the daemon and without its help: SQLite gives one state of
/// the database to a reader, however much is appended meanwhile, and shows a row only once it is
/// durable. Its mark is made from what was copied and checked. After a restore clients notice by
/// themselves that history went back: the copy's starts do not contain what they have seen.
package enum JournalBackup {
  /// Copies the journal in `path` to the new folder `target`, checks the copy, and tells what it
  /// holds.
  package static func make(
    of path: String, at target: String, options: JournalOptions = JournalOptions()
  ) throws(JournalError) -> JournalReport {
    let source = try JournalFolder(existing: JournalFolder.path(of: path), isExclusive: false)
    guard source.exists(source.database) else {
      throw JournalInspection.none(in: source.path)
    }
    guard access(target, F_OK) != 0 else {
      throw JournalError(
        .inputOutput, "\(target) is there already. Try: a name that is new.")
    }
    try refuseDamage(source, options)
    // Before the copy: what it names is in it, or has been lost.
    let mark = try JournalInspection(folder: source, options: options).readMark()
    let unfinished = target + ".unfinished"
    try JournalFolder.removeTree(unfinished)
    let copy = try JournalFolder(unfinished)
    do throws(JournalError) {
      let report = try fill(copy, from: source, mark, options)
      copy.release()
      try copy.rename(unfinished, to: target)
      try JournalFile(JournalFolder.parent(of: target), .folder).sync()
      return moved(report, to: target)
    } catch {
      copy.release()
      try? JournalFolder.removeTree(unfinished)
      throw error
    }
  }

  /// Puts a backup in the place of the journal in `path`, which is kept in its folder `copies`.
  ///
  /// - Returns: what the backup holds, and where the journal that was there is kept.
  package static func restore(
    _ backup: String, to path: String, options: JournalOptions = JournalOptions()
  ) throws(JournalError) -> (report: JournalReport, kept: String?) {
    let source = try JournalFolder(existing: JournalFolder.path(of: backup), isExclusive: true)
    defer { source.release() }
    let (report, found) = try JournalDoctor.examine(source, options)
    guard report.verdict == .sound, let mark = found else {
      throw JournalError(
        report.verdict == .tooNew ? .tooNew : .damaged,
        "the backup in \(source.path) cannot be used, and nothing was changed: "
          + report.findings.joined(separator: "; ") + ". Try: another backup.")
    }
    guard !source.isSame(as: JournalFolder.path(of: path)) else {
      throw JournalError(
        .inputOutput,
        "\(source.path) is the backup and the journal that it is to replace, and nothing was changed. "
          + "Try: name the folder of a backup first, then the journal's.")
    }
    let folder = try place(JournalFolder.path(of: path))
    defer { folder.release() }
    let kept =
      [folder.database, folder.log, folder.mark].contains(where: folder.exists)
      ? try folder.keepCopy(why: "replaced") : nil
    let leftovers = ["", "-wal", "-shm", "-journal"].map { folder.unfinished + $0 }
    for file in leftovers { try folder.remove(file) }
    try copyDatabase(of: source, to: folder.unfinished, options)
    // Without a database, and with a mark of rows, nothing starts: a restore that was interrupted is
    // not taken for a journal. The old log goes before the database gets a new one.
    for file in [folder.database, folder.log, folder.index] { try folder.remove(file) }
    try folder.sync()
    try folder.writeMark(mark)
    try folder.remove(folder.failure)
    try folder.rename(folder.unfinished, to: folder.database)
    try folder.sync()
    return (moved(report, to: folder.path), kept)
  }

  /// Copies what an open connection sees to the new folder `target`: for files that are not at their
  /// places any more.
  static func rescue(
    _ connection: Connection, _ mark: JournalMark, at target: String, _ options: JournalOptions
  ) throws(JournalError) {
    let unfinished = target + ".unfinished"
    try JournalFolder.removeTree(unfinished)
    let copy = try JournalFolder(unfinished)
    do throws(JournalError) {
      try copyDatabase(connection, to: copy.database, options)
      _ = try complete(copy, of: target, mark, options)
      copy.release()
      try copy.rename(unfinished, to: target)
      try JournalFile(JournalFolder.parent(of: target), .folder).sync()
    } catch {
      copy.release()
      try? JournalFolder.removeTree(unfinished)
      throw error
    }
  }

  // MARK: Steps

  private static func place(_ path: String) throws(JournalError) -> JournalFolder {
    do throws(JournalError) {
      return try JournalFolder(path)
    } catch {
      guard error.kind == .busy else { throw error }
      throw JournalError(
        .busy,
        "the journal in \(path) is in use by another process, and nothing was changed. "
          + "Try: stop the daemon (`statecast stop`), then restore again.")
    }
  }

  /// Where no daemon writes, damage can be told; a backup of it would only hide it.
  private static func refuseDamage(
    _ source: JournalFolder, _ options: JournalOptions
  ) throws(JournalError) {
    let (alone, isAlone) = try JournalFolder.alone(source.path)
    guard isAlone else { return }
    defer { alone.release() }
    let (report, _) = try JournalDoctor.examine(alone, options)
    try refuse(report)
  }

  private static func refuse(_ report: JournalReport) throws(JournalError) {
    if report.verdict == .sound { return }
    throw JournalError(
      report.verdict == .tooNew ? .tooNew : .damaged,
      "the journal in \(report.folder) is not sound, and no backup was made: "
        + report.findings.joined(separator: "; ") + ". Try: statecast doctor \(report.folder).")
  }

  private static func fill(
    _ copy: JournalFolder, from source: JournalFolder, _ mark: JournalMark?,
    _ options: JournalOptions
  ) throws(JournalError) -> JournalReport {
    try copyDatabase(of: source, to: copy.database, options)
    return try complete(copy, of: source.path, mark, options)
  }

  /// Checks a copied database, and gives it its mark.
  private static func complete(
    _ copy: JournalFolder, of path: String, _ mark: JournalMark?, _ options: JournalOptions
  ) throws(JournalError) -> JournalReport {
    let reading: JournalReading
    do throws(SQLiteError) {
      let connection = try Connection(copy.database, mode: .existing, busy: options.busy)
      reading = try JournalReading(connection, mark: mark, verifiesEveryRow: false)
      try connection.close()
    } catch {
      throw JournalError(error, copy.path)
    }
    for file in [copy.log, copy.index] { try copy.remove(file) }
    if let error = reading.tooNew(in: path) { throw error }
    guard reading.isSound, let own = reading.ownMark else {
      throw JournalError(
        .damaged,
        "the journal in \(path) is not sound, and no backup was made: "
          + (reading.damages + reading.contradictions).joined(separator: "; ")
          + ". Try: stop the daemon, and statecast doctor \(path).")
    }
    try copy.writeMark(own)
    let (report, _) = try JournalDoctor.examine(copy, options)
    try refuse(report)
    return report
  }

  /// One state of the database, whole and synced, as a file without a log.
  private static func copyDatabase(
    of source: JournalFolder, to file: String, _ options: JournalOptions
  ) throws(JournalError) {
    let connection: Connection
    do throws(SQLiteError) {
      connection = try JournalInspection(folder: source, options: options).connect()
    } catch {
      throw JournalError(error, source.path)
    }
    try copyDatabase(connection, to: file, options)
    do throws(SQLiteError) { try connection.close() } catch { throw JournalError(error, file) }
  }

  private static func copyDatabase(
    _ connection: Connection, to file: String, _ options: JournalOptions
  ) throws(JournalError) {
    // Made before SQLite would, with the umask's rights: every action is in it, for its user alone.
    // SQLite takes an empty file, and gives the files beside a database the same rights.
    try JournalFile(file, .create).restrict()
    do throws(SQLiteError) {
      try connection.prepare("VACUUM INTO ?").run([.text(file)])
      let copy = try Connection(file, mode: .existing, busy: options.busy)
      // What it was, and a copy is not.
      try copy.execute("PRAGMA journal_mode=WAL")
      try copy.close()
    } catch {
      throw JournalError(error, file)
    }
    try JournalFile(file, .write).sync()
  }

  private static func moved(_ report: JournalReport, to path: String) -> JournalReport {
    var report = report
    report.folder = path
    return report
  }
}
