internal import CSQLite

/// One connection to a database file, used by one thread at a time.
///
/// Wraps what a journal needs of SQLite and no more: statements, the write-ahead log's length, and
/// checkpoints that say how far they came.
package final class Connection {
  /// How the file is opened.
  package enum Mode: Sendable {
    /// It must exist.
    case existing
    /// It is made when it does not exist.
    case create
  }

  let handle: OpaquePointer
  private let log = LogLength()
  private var isOpen = true

  /// Opens `path`, with extended result codes and a busy handler that waits up to `busy`.
  ///
  /// - Parameter vfs: the name of a registered file layer; nil for the system's.
  package init(
    _ path: String, mode: Mode, busy: Duration = .seconds(5), vfs: String? = nil
  ) throws(SQLiteError) {
    var opened: OpaquePointer?
    var flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    if mode == .create { flags |= SQLITE_OPEN_CREATE }
    let result = sqlite3_open_v2(path, &opened, flags, vfs)
    guard result == SQLITE_OK, let opened else {
      let error = Self.error("open \(path)", result, opened)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    let (seconds, attoseconds) = busy.components
    let milliseconds = seconds &* 1000 &+ attoseconds / 1_000_000_000_000_000
    sqlite3_busy_timeout(opened, Int32(clamping: milliseconds))
    // Replaces SQLite's own hook, which would checkpoint inside COMMIT and swallow its errors
    // (https://www.sqlite.org/c3ref/wal_hook.html).
    sqlite3_wal_hook(
      opened,
      { context, _, _, frames in
        if let context {
          Unmanaged<LogLength>.fromOpaque(context).takeUnretainedValue().frames = Int(frames)
        }
        return SQLITE_OK
      }, Unmanaged.passUnretained(log).toOpaque())
  }

  deinit { if isOpen { sqlite3_close_v2(handle) } }

  /// Closes. Every statement of the connection must be gone.
  ///
  /// The last connection to a file copies the log into it and deletes the log, unless told to keep it.
  package func close() throws(SQLiteError) {
    guard isOpen else { return }
    try check(sqlite3_close(handle), "close")
    isOpen = false
  }

  /// Whether the log is left as it is when this, the last connection, closes.
  package func keepLogOnClose(_ keep: Bool) throws(SQLiteError) {
    try check(statecast_sqlite_keep_wal_on_close(handle, keep ? 1 : 0), "keep the log on close")
  }

  /// Runs statements that need no parameters and give nothing back.
  package func execute(_ sql: String) throws(SQLiteError) {
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql)
  }

  /// Compiles one statement.
  package func prepare(_ sql: String) throws(SQLiteError) -> Statement {
    try Statement(sql, on: self)
  }

  /// The first column of a statement's first row; nil when there is none.
  package func value(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// Runs `body` as one transaction; all of it is undone when it throws.
  package func transaction<Failure: Error>(
    _ body: () throws(Failure) -> Void, failure: (SQLiteError) -> Failure
  ) throws(Failure) {
    do throws(SQLiteError) { try execute("BEGIN IMMEDIATE") } catch { throw failure(error) }
    do throws(Failure) {
      try body()
    } catch {
      rollBack()
      throw error
    }
    do throws(SQLiteError) {
      try execute("COMMIT")
    } catch {
      rollBack()
      throw failure(error)
    }
  }

  /// Runs `body` as one transaction; all of it is undone when it throws.
  package func transaction(_ body: () throws(SQLiteError) -> Void) throws(SQLiteError) {
    try transaction(body, failure: { $0 })
  }

  /// Undoes the open transaction, if there is one. SQLite has often done so by itself.
  package func rollBack() {
    if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
  }

  /// Whether a transaction is open.
  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// How many frames the write-ahead log held after this connection's last commit.
  package var logFrames: Int { log.frames }

  /// How a checkpoint deals with what is in its way.
  package enum CheckpointMode: Sendable {
    /// Copies what it can without waiting for anybody.
    case passive
    /// Copies all, so that the next commit starts the log at its beginning.
    case restart
  }

  /// How far a checkpoint came.
  package struct Checkpoint: Equatable, Sendable {
    /// The frames in the log.
    package var frames: Int
    /// Those of them that are in the main file now.
    package var copied: Int
  }

  /// Copies the log into the main file; nil when another connection was in the way.
  package func checkpoint(_ mode: CheckpointMode) throws(SQLiteError) -> Checkpoint? {
    var frames: Int32 = 0
    var copied: Int32 = 0
    let flag = mode == .passive ? SQLITE_CHECKPOINT_PASSIVE : SQLITE_CHECKPOINT_RESTART
    let result = sqlite3_wal_checkpoint_v2(handle, nil, flag, &frames, &copied)
    if result & 0xFF == SQLITE_BUSY { return nil }
    try check(result, "checkpoint")
    return Checkpoint(frames: Int(frames), copied: Int(copied))
  }

  func check(_ result: Int32, _ operation: @autoclosure () -> String) throws(SQLiteError) {
    if result != SQLITE_OK { throw Self.error(operation(), result, handle) }
  }

  static func error(_ operation: String, _ result: Int32, _ handle: OpaquePointer?) -> SQLiteError {
    let message = handle.map { String(cString: sqlite3_errmsg($0)) }
    return SQLiteError(
      operation: operation, code: result & 0xFF, extendedCode: result,
      message: message ?? String(cString: sqlite3_errstr(result)))
  }
}

/// Where the log's hook leaves its length; a class so that C can hold it.
private final class LogLength {
  var frames = 0
}
