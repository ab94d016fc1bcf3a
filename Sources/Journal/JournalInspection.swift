internal import SQLite
internal import SyncProtocol

/// Looks at the files of a journal as a whole: the mark, the log before SQLite sees it, every row.
///
/// Changes nothing, also when the connection is closed after it: an opening, a check by an operator
/// and a backup begin with the same look.
struct JournalInspection {
  let folder: JournalFolder
  let options: JournalOptions

  /// The high-water mark; nil where there is none that can be read.
  func readMark() throws(JournalError) -> JournalMark? {
    guard folder.exists(folder.mark) else { return nil }
    return JournalMark(file: try JournalFile(folder.mark, .read).read(JournalMark.fileBytes, at: 0))
  }

  /// Where the log is damaged in a way that SQLite takes for its end; nil when it is not.
  ///
  /// Only where nobody writes: a log that is read while it changes contradicts itself.
  func scanLog() throws(JournalError) -> String? {
    guard folder.exists(folder.log) else { return nil }
    let file = try JournalFile(folder.log, .read)
    let size = try file.size
    guard let header = WALScan.Header(try file.read(WALScan.Header.bytes, at: 0)) else {
      return nil
    }
    var scan = WALScan(header)
    var offset = WALScan.Header.bytes
    let piece = header.frameBytes * max(1, (1 << 20) / header.frameBytes)
    while offset + header.frameBytes <= size {
      let bytes = try file.read(piece, at: offset)
      var start = 0
      while start + header.frameBytes <= bytes.count {
        scan.take(bytes[start..<(start + header.frameBytes)])
        start += header.frameBytes
      }
      if start == 0 { break }
      offset += start
    }
    guard scan.isDamaged, let frame = scan.firstBad else { return nil }
    return "frame \(frame + 1) of journal.db-wal is damaged, and at least "
      + "\(scan.commitsBehind) synced transactions are behind it"
  }

  /// Why a folder without a database is no new journal; nil when it is one.
  static func missing(
    _ folder: JournalFolder, _ mark: JournalMark?
  ) throws(JournalError) -> String? {
    if let mark, mark.row > 0 { return "journal.db is missing, and it held \(mark.row) rows" }
    // A log never stands alone: the database is there before it.
    if folder.exists(folder.log), try JournalFile(folder.log, .read).size > 0 {
      return "journal.db is missing, and its log is there"
    }
    return nil
  }

  /// There is nothing to look at.
  static func none(in path: String) -> JournalError {
    JournalError(
      .inputOutput,
      "there is no journal in \(path). Try: the folder that the daemon was given with "
        + "--state-directory; its log names it.")
  }

  /// Opens the database and checks everything in it.
  ///
  /// - Parameter logDamage: what `scanLog` said.
  func read(
    _ mark: JournalMark?, logDamage: String?
  ) throws(JournalError) -> (connection: Connection, reading: JournalReading) {
    do throws(SQLiteError) {
      let connection = try connect()
      var reading = try JournalReading(connection, mark: mark, verifiesEveryRow: false)
      if !reading.damages.isEmpty, reading.fold != nil {
        // Now for the last row that can be proved.
        reading = try JournalReading(connection, mark: mark, verifiesEveryRow: true)
      }
      if let logDamage { reading.damages.insert(logDamage, at: 0) }
      return (connection, reading)
    } catch {
      throw JournalError(error, folder.path)
    }
  }

  /// A connection that leaves the log as it is when it closes; where there is none it leaves none.
  func connect() throws(SQLiteError) -> Connection {
    let hasLog = folder.exists(folder.log)
    let connection = try Connection(
      folder.database, mode: .existing, busy: options.busy, vfs: options.fileLayer)
    try connection.keepLogOnClose(hasLog)
    return connection
  }
}
