internal import SQLite
internal import StateModel
internal import SyncProtocol

/// Everything that a database file says, checked. Damage is something that is read, not thrown.
struct JournalReading {
  /// Where the database contradicts itself; empty when all is well.
  var damages: [String] = []
  /// Where it contradicts the mark: sound by itself, but not what it was.
  var contradictions: [String] = []
  /// Set when the file is of a newer format: the version that reads it. Nothing else is read then.
  var newer: (format: Int64, readableSince: String)?
  var lineage: Lineage?
  /// The schemas that its states have had.
  var schemas = SchemaHistory()
  var epochs: [EpochRecord] = []
  /// Whether the starts may be other ones than those that were written.
  var startsAreDamaged = false
  /// The number of the last epoch.
  var lastEpoch: UInt64 = 0
  /// What can be proved; nil when nothing can.
  var fold: RecoveryFold?
  /// The snapshot's row and its parts.
  var snapshot: (row: UInt64, first: Int64, partsEnd: Int64)?
  /// Bytes of all rows.
  var bytes = 0

  /// Whether every acknowledged commit is there.
  var isSound: Bool { damages.isEmpty && contradictions.isEmpty }

  /// Why a file of a newer format is not read; nil when it is of one that is.
  func tooNew(in path: String) -> JournalError? {
    guard let (format, since) = newer else { return nil }
    return JournalError(
      .tooNew,
      "the journal in \(path) has format \(format), and this Statecast reads formats up to "
        + "\(JournalFormat.current). Nothing has been changed. Try: Statecast \(since) or later.")
  }

  /// The mark that belongs to what was read; nil where nothing can be proved.
  var ownMark: JournalMark? {
    guard let lineage, let fold else { return nil }
    return JournalMark(
      sequence: 0, row: fold.lastRow, commit: fold.commit, hash: fold.lastHash,
      epochs: lastEpoch, lineage: lineage)
  }

  /// Nothing read.
  init() {}

  /// Reads the file; throws only where the disk or a lock is in the way.
  init(
    _ connection: Connection, mark: JournalMark?, verifiesEveryRow: Bool
  ) throws(SQLiteError) {
    do throws(SQLiteError) {
      // One transaction: one state of the file.
      try connection.execute("BEGIN")
      try readMeta(connection)
      if newer == nil, let lineage {
        try readEpochs(connection)
        try readRows(connection, lineage, verifiesEveryRow)
        try compare(mark, connection, lineage)
      }
      try connection.execute("COMMIT")
    } catch {
      connection.rollBack()
      switch error.kind {
      case .inputOutput, .busy, .full, .other: throw error
      case .corrupt, .notADatabase, .tooBig, .statement:
        damages.append("journal.db: \(error.message)")
      }
    }
  }

  private mutating func readMeta(_ connection: Connection) throws(SQLiteError) {
    guard try connection.value("PRAGMA application_id") == JournalFormat.applicationID else {
      damages.append("journal.db is no journal of Statecast")
      return
    }
    let meta = try connection.prepare("SELECT value FROM meta WHERE key = ?")
    defer { meta.reset() }
    try meta.bind([.text("format")])
    let format = try meta.step() ? meta.integer(0) : 0
    if format > JournalFormat.current {
      try meta.bind([.text("readable since")])
      newer = (format, try meta.step() ? meta.text(0) : "a newer version")
      return
    }
    try meta.bind([.text("lineage")])
    lineage = try meta.step() ? Bytes16(meta.blob(0)).map(Lineage.init) : nil
    try meta.bind([.text(SchemaHistory.key)])
    schemas = SchemaHistory(try meta.step() ? meta.text(0) : "")
    if format < 1 || lineage == nil { damages.append("journal.db does not say what it is") }
    if let damage = try TableSeal.damage(connection, format: format) {
      damages.append(damage)
      startsAreDamaged = true
    }
  }

  private mutating func readEpochs(_ connection: Connection) throws(SQLiteError) {
    let rows = try connection.prepare("SELECT id, epoch, after FROM epoch ORDER BY id")
    while try rows.step() {
      let record = EpochRecord(
        epoch: Epoch(rawValue: rows.unsigned(1)), after: CommitNumber(rawValue: rows.unsigned(2)))
      // Older journals have no seal, and wrong starts would call positions ours that are not.
      if let before = epochs.last {
        if rows.unsigned(0) != lastEpoch + 1 || record.after < before.after {
          damages.append("the table of starts is damaged at start number \(rows.unsigned(0))")
        }
      }
      lastEpoch = rows.unsigned(0)
      epochs.append(record)
    }
  }

  private mutating func readRows(
    _ connection: Connection, _ lineage: Lineage, _ verifiesEveryRow: Bool
  ) throws(SQLiteError) {
    let base = try readSnapshot(connection)
    let rows = try connection.prepare("SELECT id, data, base, last, hash FROM batch ORDER BY id")
    defer { rows.reset() }
    var fold: RecoveryFold
    do throws(JournalDamage) {
      fold = try RecoveryFold(lineage: lineage, base: base, verifiesEveryRow: verifiesEveryRow)
    } catch {
      damages.append(error.text)
      return
    }
    // Also where SQLite cannot read on: what is before that is proved.
    defer { self.fold = fold }
    do {
      while try rows.step() {
        let data = rows.blob(1)
        bytes += data.count
        let columns = RowColumns(
          id: rows.unsigned(0), base: CommitNumber(rawValue: rows.unsigned(2)),
          last: CommitNumber(rawValue: rows.unsigned(3)), hash: rows.unsigned(4))
        try fold.take(columns, bytes: data)
      }
      try fold.finish()
    } catch let error as JournalDamage {
      damages.append(error.text)
    } catch let error as SQLiteError {
      throw error
    } catch {
      damages.append("\(error)")
    }
  }

  /// The snapshot; nil when there is none, or a damaged one, which is noted.
  private mutating func readSnapshot(
    _ connection: Connection
  ) throws(SQLiteError) -> SnapshotEnvelope? {
    let header = try connection.prepare("SELECT row, first, parts, hash FROM snapshot")
    guard try header.step() else { return nil }
    let row = header.unsigned(0)
    let first = header.integer(1)
    let end = first &+ header.integer(2)
    let hash = header.unsigned(3)
    header.reset()
    let parts = try connection.prepare(
      "SELECT data FROM snapshot_part WHERE id >= ? AND id < ? ORDER BY id")
    try parts.bind([.integer(first), .integer(end)])
    var bytes: [UInt8] = []
    while try parts.step() { bytes += parts.blob(0) }
    do {
      guard SnapshotEnvelope.hash(bytes) == hash else {
        throw JournalDamage("its bytes changed")
      }
      let envelope = try SnapshotEnvelope(encoded: bytes)
      guard envelope.snapshot.row == row else { throw JournalDamage("it is of another row") }
      snapshot = (row, first, end)
      return envelope
    } catch {
      let why = (error as? JournalDamage)?.text ?? "\(error)"
      damages.append("the snapshot of row \(row) is damaged: \(why)")
      return nil
    }
  }

  /// Whether what was durable is there.
  private mutating func compare(
    _ mark: JournalMark?, _ connection: Connection, _ lineage: Lineage
  ) throws(SQLiteError) {
    guard let mark else {
      contradictions.append(
        "journal.mark is missing or damaged, and only it says where the journal ended")
      return
    }
    guard mark.lineage == lineage else {
      contradictions.append("journal.mark belongs to another journal")
      return
    }
    if mark.epochs > lastEpoch {
      contradictions.append("the record of start number \(mark.epochs) is missing")
    }
    // Damage explains the rest.
    guard damages.isEmpty, let fold else { return }
    if mark.row > fold.lastRow {
      contradictions.append("it ends at row \(fold.lastRow), and row \(mark.row) was durable")
      return
    }
    let rows = try connection.prepare("SELECT hash FROM batch WHERE id = ?")
    defer { rows.reset() }
    try rows.bind([.unsigned(mark.row)])
    let hash =
      mark.row == fold.lastRow ? fold.lastHash : try rows.step() ? rows.unsigned(0) : mark.hash
    if hash != mark.hash {
      contradictions.append("row \(mark.row) is not the one that was durable")
    }
  }
}
