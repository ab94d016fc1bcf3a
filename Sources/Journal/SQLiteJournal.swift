internal import SQLite
internal import StateModel
package import SyncProtocol

/// The journal on one machine: a row is one transaction in a write-ahead log, synced at its commit.
///
/// Three files in a folder: `journal.db`, its log `journal.db-wal`, and `journal.mark`. What was
/// measured, and why it is done this way: one row a batch, a log that is extended beforehand and
/// never truncated, and copied into the main file in two phases, costs 1.1 to 1.9 times the sync
/// itself.
package final class SQLiteJournal: Journal {
  let folder: JournalFolder
  let options: JournalOptions
  let connection: Connection
  let checkpointer: Checkpointer
  private let markFile: JournalFile
  private var mark: JournalMark
  private var statements: Statements?
  private var watch: JournalWatch

  /// The last row, its hash, and whether the table holds any row at all.
  private(set) var lastRow: UInt64
  private(set) var lastHash: UInt64
  var hasRows: Bool { firstRow != nil }
  /// The first row that is kept, and the commit before it.
  var firstRow: (id: UInt64, base: CommitNumber)?
  private(set) var lastCommit: CommitNumber

  /// Why nothing more may be written: what is on the disk is unknown.
  package private(set) var failure: String?

  /// The round of the log: how often it has started anew.
  var round = 0
  /// Its length after the last commit, and how much of that is in the main file.
  var frames = 0
  var copiedFrames = 0
  /// The length at which copying a log that is too long is tried again.
  var copyAtFrames = 0
  /// The length at which somebody is told.
  var reportAtFrames: Int

  /// The snapshot that is being written, and what is left over from the ones before.
  var staged: StagedSnapshot?
  /// The row of the newest whole snapshot, and its first part; nil when there is none.
  var snapshot: (row: UInt64, firstPart: Int64)?
  /// The first part that is still in the table; parts before the snapshot's are to be deleted.
  var firstPart: Int64?
  /// Bytes of the rows that are kept.
  var keptBytes: Int
  /// Rows appended since retention was last looked at.
  var appendedSincePruning = 0

  /// What the opening found and made.
  struct Parts {
    var folder: JournalFolder
    var options: JournalOptions
    var connection: Connection
    var markFile: JournalFile
    var mark: JournalMark
    var fold: RecoveryFold
    var snapshot: (row: UInt64, firstPart: Int64)?
    var keptBytes: Int
    /// How much of the log is in the main file.
    var copiedFrames: Int
  }

  init(_ parts: Parts) throws(JournalError) {
    folder = parts.folder
    options = parts.options
    connection = parts.connection
    markFile = parts.markFile
    mark = parts.mark
    lastRow = parts.fold.lastRow
    lastHash = parts.fold.lastHash
    lastCommit = parts.fold.commit
    firstRow = parts.fold.first
    snapshot = parts.snapshot
    keptBytes = parts.keptBytes
    watch = JournalWatch([parts.folder.database, parts.folder.log, parts.folder.mark])
    reportAtFrames = 4 * parts.options.longestLogFrames
    checkpointer = try Checkpointer(
      folder: parts.folder, mark: parts.markFile, options: parts.options)
    do throws(SQLiteError) {
      statements = try Statements(connection)
      firstPart = try connection.value("SELECT min(id) FROM snapshot_part")
    } catch {
      checkpointer.stop()
      throw JournalError(error, folder.path)
    }
    frames = connection.logFrames
    copiedFrames = parts.copiedFrames
  }

  deinit { close() }

  /// The statements of an append, compiled once.
  private struct Statements {
    var begin: Statement
    var insert: Statement
    var commit: Statement
    var rows: Statement

    init(_ connection: Connection) throws(SQLiteError) {
      begin = try connection.prepare("BEGIN IMMEDIATE")
      // Somebody else's row would be the last one: nothing is inserted then.
      insert = try connection.prepare(
        """
        INSERT INTO batch(id, base, last, hash, data) SELECT ?1, ?2, ?3, ?4, ?5
        WHERE (SELECT hash FROM batch ORDER BY id DESC LIMIT 1) IS ?6
        """)
      commit = try connection.prepare("COMMIT")
      rows = try connection.prepare("SELECT id, data FROM batch WHERE id >= ? ORDER BY id LIMIT ?")
    }
  }

  // MARK: Appending

  package func append(_ row: JournalRow, after head: UInt64) -> AppendResult {
    if let failure { return .failed(failure) }
    if let text = checkpointer.failure { return fail(text) }
    guard let statements else { return .failed("the journal is closed") }
    guard head == lastRow else { return .fenced }
    precondition(row.id == head + 1, "row \(row.id) was to follow row \(head)")
    if let text = lackOfRoom() { return .refused(text) }
    let envelope = RowEnvelope(
      id: row.id, base: row.base, last: row.last, previous: lastHash, row: row.encoded())
    let (bytes, hash) = envelope.sealed()
    do throws(SQLiteError) {
      try statements.begin.run()
      let inserted = try statements.insert.run([
        .unsigned(row.id), .unsigned(row.base.rawValue), .unsigned(row.last.rawValue),
        .unsigned(hash), .blob(bytes), hasRows ? .unsigned(lastHash) : .null,
      ])
      guard inserted == 1 else {
        connection.rollBack()
        return .fenced
      }
      try statements.commit.run()
    } catch {
      return undo(error)
    }
    lastRow = row.id
    lastHash = hash
    lastCommit = row.last
    if firstRow == nil { firstRow = (row.id, row.base) }
    keptBytes += bytes.count
    appendedSincePruning += 1
    noteLogLength()
    mark.row = row.id
    mark.commit = row.last
    mark.hash = hash
    writeMark()
    if let change = watch.change() { return lose(change) }
    // Only where nobody calls `work` for long: the log must not grow for ever.
    copyLongLog(from: 2 * options.longestLogFrames)
    return .durable
  }

  /// Why there is no room for a row; nil where there is.
  private func lackOfRoom() -> String? {
    guard let room = folder.freeBytes, room < reserve else { return nil }
    // Most of what the log holds replaces pages that are there: copied, it takes less than was kept
    // for it. Nothing else would copy it while no row is taken.
    if room >= options.reserveBytes { copyLog() }
    guard let free = folder.freeBytes, free < reserve else { return nil }
    return "the disk of \(folder.path) has \(free >> 20) MiB left, and the journal keeps "
      + "\(reserve >> 20) MiB in reserve. Try: free space on it; actions are taken again at once."
  }

  /// What the log holds has still to be copied: where that finds no room, nothing starts any more.
  private var reserve: Int {
    options.reserveBytes + max(0, frames - copiedFrames) * JournalFormat.pageBytes
  }

  /// A transaction failed: either it is as if it had never been, or nothing more is written.
  func undo(_ error: SQLiteError) -> AppendResult {
    connection.rollBack()
    guard !connection.isInTransaction else { return fail("\(error)") }
    switch error.kind {
    case .full:
      return .refused(
        "the disk of \(folder.path) is full. Try: free space on it; actions are taken again at once."
      )
    case .busy:
      return .refused(
        "another process holds the lock of \(folder.database). "
          + "Try: end what has it open; actions are taken again at once.")
    case .tooBig:
      return .refused("a batch is larger than the journal's container takes. Try: smaller actions.")
    case .inputOutput, .corrupt, .notADatabase, .statement, .other: return fail("\(error)")
    }
  }

  /// What is on the disk is unknown from here on. The next opening copies the files first.
  @discardableResult
  func fail(_ text: String) -> AppendResult {
    let text =
      "writing the journal in \(folder.path) failed: \(text). Whether the last actions are in it is "
      + "unknown until it is opened again. Try: look at the disk, then restart the daemon."
    if let failure { return .failed(failure) }
    // Whoever finds out first, the checkpointer's thread for instance: this is what has happened.
    if let change = watch.change() { return lose(change) }
    failure = text
    // As well as it can: the disk that failed is the one this is written to.
    if let note = try? JournalFile(folder.failure, .create) {
      try? note.write(Array((text + "\n").utf8), at: 0)
      try? note.sync()
    }
    return .failed(text)
  }

  /// Somebody has taken the files away from under the journal: what is still open is written to a
  /// new place, since it is gone when this process ends.
  private func lose(_ change: String) -> AppendResult {
    if let failure { return .failed(failure) }
    let copy: String
    do throws(JournalError) {
      let target = "\(folder.copies)/rescued-\(Digest(rawValue: lastHash))"
      try JournalBackup.rescue(connection, mark, at: target, options)
      copy =
        "What it held, up to commit \(lastCommit), is in \(target). Try: find out what touched the "
        + "folder, then `statecast restore \(target) \(folder.path)`, and start the daemon."
    } catch {
      copy = "What it held could not be copied (\(error.message)) Try: restore a backup."
    }
    // Where the mark is gone as well, the next start would take the folder for a new journal.
    if !folder.exists(folder.mark) { try? folder.writeMark(mark) }
    let text =
      "\(change) while the daemon had it open: nothing more is written to the journal. \(copy)"
    failure = text
    return .failed(text)
  }

  private func writeMark() {
    mark.sequence += 1
    do throws(JournalError) {
      try markFile.write(mark.encoded(), at: mark.offset)
      checkpointer.markWritten()
    } catch {
      // A mark that stays behind is a mark all the same: the row is durable.
      if error.kind != .noSpace { fail(error.message) }
    }
  }

  /// The last commit's effect on the log's length: a shorter log has started anew.
  func noteLogLength() {
    let now = connection.logFrames
    if now < frames {
      round += 1
      copiedFrames = 0
      copyAtFrames = 0
    }
    frames = now
  }

  // MARK: Reading

  package func rows(from first: UInt64, limit: Int) throws(JournalError) -> [JournalRow] {
    guard let statements else { throw JournalError(.inputOutput, "the journal is closed") }
    var rows: [JournalRow] = []
    defer { statements.rows.reset() }
    do {
      try statements.rows.bind([.unsigned(first), .integer(Int64(limit))])
      while try statements.rows.step() {
        let id = statements.rows.unsigned(0)
        guard let (envelope, _) = RowEnvelope.open(statements.rows.blob(1)), envelope.id == id
        else { throw JournalDamage("row \(id) is damaged") }
        rows.append(try JournalRow(encoded: envelope.row))
      }
    } catch let error as SQLiteError {
      throw JournalError(error, folder.path)
    } catch {
      throw JournalError(
        .damaged,
        "the journal in \(folder.path) cannot be read: \(error). "
          + "Try: look at the disk, and restart the daemon, which checks the journal as a whole.")
    }
    return rows
  }

  package var oldest: CommitNumber { firstRow?.base ?? lastCommit }

  // MARK: Closing

  package func close() {
    guard statements != nil else { return }
    statements = nil
    staged = nil
    checkpointer.stop()
    if failure == nil, let text = checkpointer.failure { fail(text) }
    if let change = watch.change() { _ = lose(change) }
    do throws(SQLiteError) {
      // After a failure the files stay exactly as they are, for the copy that is made of them.
      if failure != nil { try connection.keepLogOnClose(true) }
      try connection.close()
    } catch {
      fail("\(error)")
    }
    folder.release()
  }
}

extension JournalError {
  /// A failure of SQLite's outside of an append.
  init(_ error: SQLiteError, _ path: String) {
    switch error.kind {
    case .full:
      self.init(.noSpace, "the disk of \(path) is full. Try: free space on it, then again.")
    case .busy:
      self.init(
        .busy,
        "the journal in \(path) is in use by another process. "
          + "Try: end what has it open, then again.")
    default:
      self.init(
        .inputOutput, "the journal in \(path): \(error). Try: look at the disk, then again.")
    }
  }
}
