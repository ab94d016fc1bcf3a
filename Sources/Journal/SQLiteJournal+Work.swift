internal import SQLite
internal import SyncProtocol

/// A snapshot on its way to the disk, piece by piece.
struct StagedSnapshot {
  var row: UInt64
  var bytes: [UInt8]
  var hash: UInt64
  /// How much of it has been written, and as which parts.
  var written = 0
  var first: Int64?
  var parts = 0
}

/// What a journal does beside appending, in pieces so small that a batch never waits for long.
extension SQLiteJournal {
  package func stage(_ snapshot: JournalSnapshot) {
    guard failure == nil, snapshot.row <= lastRow else { return }
    if let newest = self.snapshot?.row, snapshot.row < newest { return }
    guard let rowHash = hash(of: snapshot.row) else { return }
    let bytes = SnapshotEnvelope(snapshot: snapshot, rowHash: rowHash).encoded()
    // The parts of one that it replaces half-way are deleted as left over.
    staged = StagedSnapshot(row: snapshot.row, bytes: bytes, hash: SnapshotEnvelope.hash(bytes))
  }

  package func work() throws(JournalError) -> Bool {
    guard failure == nil else { return false }
    if let text = checkpointer.failure {
      fail(text)
      return false
    }
    try reportGrownLog()
    if keepLogShort() { return hasWork }
    do throws(SQLiteError) {
      if try doNextPiece() { noteLogLength() }
    } catch {
      staged = nil
      switch undo(error) {
      case .failed(let text): throw JournalError(.inputOutput, text)
      case .refused(let text): throw JournalError(.noSpace, text)
      case .durable, .fenced: break
      }
    }
    return hasWork
  }

  package var isWorkDue: Bool {
    hasWork || frames - copiedFrames >= options.checkpointFrames || checkpointer.hasNews
  }

  package func idle() {
    guard failure == nil, frames > 0 else { return }
    do throws(SQLiteError) {
      // The next commit then starts the log at its beginning.
      if let done = try connection.checkpoint(.restart), done.copied == done.frames {
        copiedFrames = frames
      }
    } catch {
      if error.kind != .full { fail("\(error)") }
    }
  }

  private func doNextPiece() throws(SQLiteError) -> Bool {
    if try writeStagedPiece() { return true }
    if try deleteLeftover() { return true }
    return try pruneRows()
  }

  private var hasWork: Bool {
    failure == nil && (staged != nil || hasLeftover || isPruningDue)
  }

  // MARK: Checkpoints

  /// Starts and completes the copying of the log; true when it took time.
  private func keepLogShort() -> Bool {
    if let progress = checkpointer.takeProgress(), progress.round == round {
      copiedFrames = max(copiedFrames, progress.copied)
      let left = frames - copiedFrames
      if left > 0, left <= options.secondPhaseFrames {
        // The second phase: nothing is appended meanwhile, so that it reaches the end.
        copyLog()
        return true
      }
    }
    if frames - copiedFrames >= options.checkpointFrames { checkpointer.request(round: round) }
    return copyLongLog(from: options.longestLogFrames)
  }

  /// A log that never starts anew is somebody else's doing: a reader pins it.
  private func reportGrownLog() throws(JournalError) {
    guard frames >= reportAtFrames else { return }
    reportAtFrames = frames * 2
    throw JournalError(
      .busy,
      "\(folder.log) has grown to \(frames >> 8) MiB, because another process keeps reading "
        + "\(folder.database). Try: end that process.")
  }

  /// Copies the log where it has become too long. Where somebody pins it, that is in vain and not
  /// free: it is tried again only after it has grown.
  @discardableResult
  func copyLongLog(from limit: Int) -> Bool {
    guard frames >= max(limit, copyAtFrames), frames > copiedFrames else { return false }
    copyAtFrames = frames + options.secondPhaseFrames
    copyLog()
    return true
  }

  /// Copies what nobody pins; what is copied is not counted as to be copied any more.
  func copyLog() {
    do throws(SQLiteError) {
      // Nil while the checkpoint thread is at it.
      if let done = try connection.checkpoint(.passive) { copiedFrames = done.copied }
    } catch {
      if error.kind != .full { fail("\(error)") }
    }
  }

  // MARK: Snapshots

  private func hash(of row: UInt64) -> UInt64? {
    if row == lastRow { return lastHash }
    return try? connection.value(
      "SELECT hash FROM batch WHERE id = \(Int64(bitPattern: row))"
    ).map { UInt64(bitPattern: $0) }
  }

  /// One piece of the staged snapshot, or its completion.
  private func writeStagedPiece() throws(SQLiteError) -> Bool {
    guard var writing = staged else { return false }
    if writing.written < writing.bytes.count {
      let end = min(writing.written + options.snapshotPieceBytes, writing.bytes.count)
      let statement = try connection.prepare("INSERT INTO snapshot_part(id, data) VALUES (?, ?)")
      let id = (try connection.value("SELECT max(id) FROM snapshot_part") ?? 0) + 1
      try connection.transaction { () throws(SQLiteError) in
        try statement.run([.integer(id), .blob(Array(writing.bytes[writing.written..<end]))])
      }
      if writing.first == nil { writing.first = id }
      if firstPart == nil { firstPart = id }
      writing.written = end
      writing.parts += 1
      staged = writing
      return true
    }
    guard let first = writing.first else { return false }
    try connection.transaction { () throws(SQLiteError) in
      try connection.execute("DELETE FROM snapshot")
      try connection.prepare("INSERT INTO snapshot(row, first, parts, hash) VALUES (?, ?, ?, ?)")
        .run([
          .unsigned(writing.row), .integer(first), .integer(Int64(writing.parts)),
          .unsigned(writing.hash),
        ])
    }
    snapshot = (writing.row, first)
    staged = nil
    return true
  }

  /// Parts of older snapshots, and of ones that were never completed.
  private var hasLeftover: Bool {
    guard let firstPart, let keep = snapshot?.firstPart else { return false }
    return firstPart < keep && staged == nil
  }

  private func deleteLeftover() throws(SQLiteError) -> Bool {
    guard hasLeftover, let id = firstPart else { return false }
    try connection.transaction { () throws(SQLiteError) in
      try connection.prepare("DELETE FROM snapshot_part WHERE id = ?").run([.integer(id)])
    }
    firstPart = try connection.value("SELECT min(id) FROM snapshot_part")
    return true
  }

  // MARK: Retention

  /// The last row that may go: a snapshot covers it, and `log` does not need it.
  private var lastPrunable: UInt64 {
    guard let snapshot else { return 0 }
    let kept = UInt64(options.keptRows)
    let byCount = lastRow > kept ? lastRow - kept : 0
    let byBytes = keptBytes > options.keptBytes ? lastRow - min(lastRow, 1) : 0
    return min(snapshot.row, max(byCount, byBytes), lastRow - min(lastRow, 1))
  }

  private var isPruningDue: Bool {
    guard let firstRow, firstRow.id <= lastPrunable else { return false }
    return appendedSincePruning >= options.prunedAtOnce
      || lastPrunable - firstRow.id >= UInt64(options.prunedAtOnce)
  }

  private func pruneRows() throws(SQLiteError) -> Bool {
    guard isPruningDue, let first = firstRow else { return false }
    var end = min(lastPrunable, first.id + UInt64(options.prunedAtOnce) - 1)
    let lengths = try connection.prepare(
      "SELECT id, length(data), last FROM batch WHERE id BETWEEN ? AND ? ORDER BY id")
    try lengths.bind([.unsigned(first.id), .unsigned(end)])
    var bytes = 0
    var base = first.base
    while try lengths.step() {
      bytes += Int(lengths.integer(1))
      base = CommitNumber(rawValue: lengths.unsigned(2))
      // Large rows are many pages: fewer at once.
      if bytes >= options.snapshotPieceBytes {
        end = lengths.unsigned(0)
        break
      }
    }
    lengths.reset()
    try connection.transaction { () throws(SQLiteError) in
      try connection.prepare("DELETE FROM batch WHERE id BETWEEN ? AND ?")
        .run([.unsigned(first.id), .unsigned(end)])
    }
    keptBytes = max(0, keptBytes - bytes)
    firstRow = (end + 1, base)
    if end == lastPrunable { appendedSincePruning = 0 }
    return true
  }
}
