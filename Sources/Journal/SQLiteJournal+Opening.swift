internal import SQLite
internal import StateModel
internal import SyncProtocol

extension SQLiteJournal {
  /// Opens the journal in `path`, or makes a new one, and begins a new epoch in it, durably.
  ///
  /// Proves before anything is written that no acknowledged commit is missing: the log is scanned,
  /// every row that is kept is checked, the mark compared. Otherwise the files are left as they
  /// were, a copy is kept, and an operator's word is needed (`JournalOptions.acceptLoss`).
  package static func open(
    _ path: String, options: JournalOptions = JournalOptions(),
    using generator: inout some RandomNumberGenerator
  ) throws(JournalError) -> (journal: SQLiteJournal, recovery: JournalRecovery) {
    try JournalOpening(path, options: options, using: &generator).begin()
  }
}

/// The opening of a journal, in two steps: everything is read and proved, and whoever opens it may
/// look at the state that was found; then `begin`.
package struct JournalOpening {
  private let steps: Steps
  private let found: (connection: Connection, reading: JournalReading, mark: JournalMark?)

  /// Reads and proves everything. Makes a new journal where there is none.
  package init(
    _ path: String, options: JournalOptions = JournalOptions(),
    using generator: inout some RandomNumberGenerator
  ) throws(JournalError) {
    steps = Steps(
      folder: try JournalFolder(path), options: options,
      newLineage: Lineage(.random(using: &generator)), epoch: Epoch(rawValue: generator.next()))
    found = try steps.find()
  }

  /// The state at the end, for one whose own states have a schema of this hash; nil in a new journal.
  package func state(for schemaHash: UInt64) -> RecoveredState? {
    guard let fold = found.reading.fold, let state = fold.state, let written = fold.schemaHash
    else { return nil }
    return RecoveredState(
      value: state, schemaHash: written,
      isLater: found.reading.schemas.isReplaced(schemaHash, by: written))
  }

  /// Begins the epoch. States of a schema of this hash will be written; nil where it is not known.
  package consuming func begin(
    schemaHash: UInt64? = nil
  ) throws(JournalError) -> (journal: SQLiteJournal, recovery: JournalRecovery) {
    try steps.begin(found.connection, found.reading, found.mark, schemaHash)
  }
}

extension CommitNumber {
  /// What is left of a journal of which no more than this can be proved, in words.
  var whatIsKept: String {
    self == .zero
      ? "none of its commits is kept, and it begins at the state before the first one"
      : "it goes on from commit \(self), and what came after is lost"
  }
}

/// The steps of an opening.
private struct Steps {
  let folder: JournalFolder
  let options: JournalOptions
  /// For a journal that has to be made.
  let newLineage: Lineage
  /// This process's.
  let epoch: Epoch

  private var inspection: JournalInspection {
    JournalInspection(folder: folder, options: options)
  }

  /// A journal that is sound, made where there was none, not yet written to by this process.
  func find() throws(JournalError) -> (
    connection: Connection, reading: JournalReading, mark: JournalMark?
  ) {
    if folder.exists(folder.failure) {
      // The process before could not sync: what SQLite makes of the files may differ from what it
      // saw, and opening changes them.
      try folder.dropCopies(of: "failed", keeping: max(0, options.keptFailureCopies - 1))
      _ = try folder.keepCopy(why: "failed")
    }
    let mark = try inspection.readMark()
    if folder.exists(folder.database) {
      let (connection, reading) = try inspect(mark)
      try refuseNewer(reading)
      if reading.isSound { return (connection, reading, mark) }
      try settle(reading)
    } else if let damage = try JournalInspection.missing(folder, mark) {
      var reading = JournalReading()
      reading.damages = [damage]
      try settle(reading)
    } else {
      try make(lineage: newLineage, epochs: [], base: nil)
    }
    let made = try inspection.readMark()
    let (connection, reading) = try inspect(made)
    guard reading.isSound else { throw damaged(reading, copy: "none was made") }
    return (connection, reading, made)
  }

  // MARK: A new database

  /// Makes a database beside the place, complete, and puts it there; then the mark.
  private func make(
    lineage: Lineage, epochs: [EpochRecord], base: SnapshotEnvelope?
  ) throws(JournalError) {
    let leftovers = ["", "-wal", "-shm", "-journal"].map { folder.unfinished + $0 }
    for file in leftovers { try folder.remove(file) }
    do throws(SQLiteError) {
      let connection = try Connection(
        folder.unfinished, mode: .create, busy: options.busy, vfs: options.fileLayer)
      try connection.execute("PRAGMA page_size=\(JournalFormat.pageBytes)")
      try connection.execute("PRAGMA journal_mode=WAL")
      try connection.execute("PRAGMA synchronous=FULL")
      try connection.execute("PRAGMA application_id=\(JournalFormat.applicationID)")
      try connection.transaction { () throws(SQLiteError) in
        try connection.execute(JournalFormat.tables)
        let meta = try connection.prepare("INSERT INTO meta(key, value) VALUES (?, ?)")
        try meta.run([.text("format"), .integer(JournalFormat.current)])
        try meta.run([.text("readable since"), .text(JournalFormat.readableSince)])
        try meta.run([.text("lineage"), .blob(lineage.bytes.bytes)])
        let insert = try connection.prepare("INSERT INTO epoch(epoch, after) VALUES (?, ?)")
        for record in epochs {
          try insert.run([
            .unsigned(record.epoch.rawValue), .unsigned(record.after.rawValue),
          ])
        }
        try TableSeal.write(connection)
        if let base { try insertSnapshot(base, connection) }
      }
      try connection.close()
    } catch {
      throw JournalError(error, folder.path)
    }
    // The mark first: a mark without a database is a new journal, a database without a mark is
    // damage. The old log before the database gets a new one: it would be applied to it.
    try folder.writeMark(
      JournalMark(
        sequence: 0, row: base?.snapshot.row ?? 0, commit: base?.snapshot.commit ?? .zero,
        hash: base?.rowHash ?? RowEnvelope.chainStart(lineage), epochs: UInt64(epochs.count),
        lineage: lineage))
    for file in [folder.log, folder.index] { try folder.remove(file) }
    try folder.rename(folder.unfinished, to: folder.database)
    try folder.sync()
  }

  private func insertSnapshot(
    _ base: SnapshotEnvelope, _ connection: Connection
  ) throws(SQLiteError) {
    let bytes = base.encoded()
    let insert = try connection.prepare("INSERT INTO snapshot_part(data) VALUES (?)")
    var start = 0
    var parts: Int64 = 0
    while start < bytes.count {
      let end = min(start + options.snapshotPieceBytes, bytes.count)
      try insert.run([.blob(Array(bytes[start..<end]))])
      start = end
      parts += 1
    }
    try connection.prepare("INSERT INTO snapshot(row, first, parts, hash) VALUES (?, 1, ?, ?)").run(
      [
        .unsigned(base.snapshot.row), .integer(parts), .unsigned(SnapshotEnvelope.hash(bytes)),
      ])
  }

  // MARK: Inspection

  /// Reads and checks everything. Changes nothing, also when the connection is closed after it.
  private func inspect(
    _ mark: JournalMark?
  ) throws(JournalError) -> (connection: Connection, reading: JournalReading) {
    let damage = try inspection.scanLog()
    // Before SQLite opens it.
    if damage != nil { _ = try? folder.keepCopy(why: "damaged") }
    return try inspection.read(mark, logDamage: damage)
  }

  private func refuseNewer(_ reading: JournalReading) throws(JournalError) {
    if let error = reading.tooNew(in: folder.path) { throw error }
  }

  /// Damage was found: refuses, or with an operator's word makes a journal of what can be proved.
  private func settle(
    _ reading: JournalReading
  ) throws(JournalError) {
    guard options.acceptLoss else {
      let copy: String
      do throws(JournalError) {
        copy = "a copy is in " + (try folder.keepCopy(why: "damaged"))
      } catch {
        copy = "no copy could be made (\(error.message))"
      }
      throw damaged(reading, copy: copy)
    }
    _ = try folder.keepCopy(why: "damaged")
    guard let lineage = reading.lineage, let fold = reading.fold, let state = fold.state else {
      return try make(lineage: newLineage, epochs: [], base: nil)
    }
    if reading.damages.isEmpty {
      // Sound by itself: it goes on as it is.
      return try folder.writeMark(
        JournalMark(
          sequence: 0, row: fold.lastRow, commit: fold.commit, hash: fold.lastHash,
          epochs: reading.lastEpoch, lineage: lineage))
    }
    let snapshot = JournalSnapshot(
      row: fold.lastRow, commit: fold.commit, state: state.encoded(), digest: state.digest,
      schemaHash: fold.schemaHash ?? 0, sessions: fold.sessions)
    // A start behind what is lost is one at its end, and starts that are damaged are none: else
    // positions of lost commits would be ours.
    let starts = reading.startsAreDamaged ? [] : reading.epochs
    let epochs = starts.map {
      EpochRecord(epoch: $0.epoch, after: min($0.after, fold.commit))
    }
    try make(
      lineage: lineage, epochs: epochs,
      base: SnapshotEnvelope(snapshot: snapshot, rowHash: fold.lastHash))
  }

  private func damaged(_ reading: JournalReading, copy: String) -> JournalError {
    let proved: String
    let way: String
    if let fold = reading.fold, fold.state != nil {
      proved = "What can be proved ends at commit \(fold.commit) (row \(fold.lastRow))."
      way = "start once with --journal-accept-loss: " + fold.commit.whatIsKept
    } else {
      proved = "No state can be proved."
      way = "start once with --journal-accept-loss: it begins anew with an empty journal"
    }
    return JournalError(
      .damaged,
      "acknowledged commits are missing or damaged in the journal in \(folder.path): "
        + (reading.damages + reading.contradictions).joined(separator: "; ")
        + ". \(proved) The files are as they were, and \(copy). "
        + "Try: restore the folder from a backup, or \(way).")
  }

  // MARK: Beginning

  /// The journal is sound: begins the epoch and prepares for appending.
  func begin(
    _ connection: Connection, _ reading: JournalReading, _ mark: JournalMark?,
    _ schemaHash: UInt64?
  ) throws(JournalError) -> (journal: SQLiteJournal, recovery: JournalRecovery) {
    guard let lineage = reading.lineage, let fold = reading.fold, var mark else {
      throw damaged(reading, copy: "none was made")
    }
    var schemas = reading.schemas
    if let schemaHash { schemas.append(schemaHash, replacing: fold.schemaHash) }
    var epochs = reading.epochs
    epochs.append(EpochRecord(epoch: epoch, after: fold.commit))
    var copiedFrames = 0
    do throws(SQLiteError) {
      try connection.execute("PRAGMA synchronous=FULL")
      try connection.transaction { () throws(SQLiteError) in
        try connection.prepare("INSERT INTO epoch(id, epoch, after) VALUES (?, ?, ?)").run([
          .unsigned(reading.lastEpoch + 1), .unsigned(epoch.rawValue),
          .unsigned(fold.commit.rawValue),
        ])
        try connection.prepare("DELETE FROM epoch WHERE id <= ?").run([
          .integer(Int64(reading.lastEpoch) + 1 - Int64(options.keptEpochs))
        ])
        let meta = try connection.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES (?, ?)")
        try meta.run([.text("format"), .integer(JournalFormat.current)])
        try meta.run([.text("readable since"), .text(JournalFormat.readableSince)])
        try meta.run([.text(SchemaHistory.key), .text(schemas.text)])
        try TableSeal.write(connection)
        // What a process left half-way when it ended.
        try connection.prepare("DELETE FROM snapshot_part WHERE id >= ?").run([
          .integer(reading.snapshot?.partsEnd ?? 0)
        ])
      }
      // All of it is in the main file from here on, and the log starts anew. Where the disk has no room
      // for that it stays in the log: what is there can be read, and rows are refused until there is.
      do throws(SQLiteError) {
        copiedFrames = try connection.checkpoint(.restart)?.copied ?? 0
      } catch {
        guard error.kind == .full else { throw error }
      }
      try connection.keepLogOnClose(false)
    } catch {
      throw JournalError(error, folder.path)
    }
    try extendLog()
    let markFile = try JournalFile(folder.mark, .write)
    mark.sequence += 1
    mark.row = fold.lastRow
    mark.commit = fold.commit
    mark.hash = fold.lastHash
    mark.epochs = reading.lastEpoch + 1
    try markFile.write(mark.encoded(), at: mark.offset)
    try markFile.sync()
    try folder.remove(folder.failure)
    let journal = try SQLiteJournal(
      SQLiteJournal.Parts(
        folder: folder, options: options, connection: connection, markFile: markFile, mark: mark,
        fold: fold, snapshot: reading.snapshot.map { ($0.row, $0.first) },
        keptBytes: reading.bytes, copiedFrames: copiedFrames))
    let history = RecoveredHistory(
      lineage: lineage, epochs: epochs.suffix(options.keptEpochs), lastRow: fold.lastRow,
      commit: fold.commit, oldest: journal.oldest, sessions: fold.sessions)
    return (
      journal, JournalRecovery(history: history, state: fold.state, schemaHash: fold.schemaHash)
    )
  }

  /// Writes zeros behind the log: SQLite then writes into the file instead of lengthening it.
  private func extendLog() throws(JournalError) {
    if let free = folder.freeBytes, free < options.reserveBytes + options.logBytes { return }
    let file = try JournalFile(folder.log, .write)
    var end = try file.size
    guard end < options.logBytes else { return }
    while end < options.logBytes {
      let count = min(1 << 20, options.logBytes - end)
      try file.write([UInt8](repeating: 0, count: count), at: end)
      end += count
    }
    try file.sync()
  }
}
