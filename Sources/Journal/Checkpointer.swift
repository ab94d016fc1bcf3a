internal import SQLite
internal import Synchronization

/// The thread that copies the write-ahead log into the main file while rows are appended, and syncs
/// the mark.
///
/// It alone never reaches the end of a log that grows: what it leaves, the journal's thread copies
/// (`SQLiteJournal.work`), so that the log starts anew. Without that second phase the log grows for
/// ever.
final class Checkpointer: Sendable {
  /// How far a checkpoint came, and in which round of the log.
  struct Progress: Equatable {
    var round: Int
    var copied: Int
  }

  private struct Shared {
    var wanted: Int?
    var isCopying = false
    var progress: Progress?
    var failure: String?
    var markIsDirty = false
    var isStopping = false
  }

  private let shared = Mutex(Shared())
  private let doorbell: Doorbell
  private let thread = Mutex<WorkerThread?>(nil)
  private let mark: JournalFile
  private let markSync: Duration
  /// Held by the thread for its whole life.
  private let connection: Mutex<Connection>

  init(folder: JournalFolder, mark: JournalFile, options: JournalOptions) throws(JournalError) {
    doorbell = try Doorbell()
    self.mark = mark
    markSync = options.markSync
    do throws(SQLiteError) {
      // Here, not on the thread: whatever happens to the file later, this is the one that was opened.
      connection = Mutex(try Self.connect(folder.database, options))
    } catch {
      throw JournalError(error, folder.path)
    }
    let started = try WorkerThread(name: "checkpoint") { [self] in run() }
    thread.withLock { $0 = started }
  }

  private static func connect(
    _ path: String, _ options: JournalOptions
  ) throws(SQLiteError) -> sending Connection {
    let connection = try Connection(
      path, mode: .existing, busy: options.busy, vfs: options.fileLayer)
    // The journal's own connection decides what becomes of the log at the end.
    try connection.keepLogOnClose(true)
    try connection.execute("PRAGMA synchronous=FULL")
    return connection
  }

  /// Asks for a copy of what the log holds in this round.
  func request(round: Int) {
    let rings = shared.withLock { shared in
      guard !shared.isCopying, shared.wanted == nil else { return false }
      shared.wanted = round
      return true
    }
    if rings { doorbell.ring() }
  }

  /// What the last copying came to, once.
  func takeProgress() -> Progress? {
    shared.withLock { shared in
      defer { shared.progress = nil }
      return shared.progress
    }
  }

  /// Whether somebody should look at its progress, or why it cannot go on.
  var hasNews: Bool { shared.withLock { $0.progress != nil || $0.failure != nil } }

  /// Why it cannot go on: the disk fails.
  var failure: String? { shared.withLock { $0.failure } }

  /// The mark has been written; it is synced before long.
  func markWritten() {
    let rings = shared.withLock { shared in
      defer { shared.markIsDirty = true }
      return !shared.markIsDirty
    }
    if rings { doorbell.ring() }
  }

  /// Ends the thread and closes its connection.
  func stop() {
    shared.withLock { $0.isStopping = true }
    doorbell.ring()
    thread.withLock { thread in
      thread?.join()
      thread = nil
    }
  }

  private func run() {
    connection.withLock { connection in
      serve(connection)
      do throws(SQLiteError) { try connection.close() } catch { fail("\(error)") }
    }
  }

  private func serve(_ connection: Connection) {
    var syncAt: SuspendingClock.Instant?
    while true {
      let now = SuspendingClock.now
      doorbell.wait(atMost: syncAt.map { max(.zero, $0 - now) })
      let (wanted, isDirty, isStopping) = shared.withLock { shared in
        let wanted = shared.wanted
        shared.wanted = nil
        shared.isCopying = wanted != nil
        return (wanted, shared.markIsDirty, shared.isStopping)
      }
      if let wanted { copy(connection, round: wanted) }
      if isDirty, syncAt == nil { syncAt = SuspendingClock.now + markSync }
      if let due = syncAt, due <= SuspendingClock.now || isStopping {
        syncAt = nil
        shared.withLock { $0.markIsDirty = false }
        do throws(JournalError) { try mark.sync() } catch { fail(error.message) }
      }
      if isStopping { return }
    }
  }

  private func copy(_ connection: Connection, round: Int) {
    do throws(SQLiteError) {
      let done = try connection.checkpoint(.passive)
      shared.withLock { shared in
        shared.isCopying = false
        if let done { shared.progress = Progress(round: round, copied: done.copied) }
      }
    } catch {
      shared.withLock { $0.isCopying = false }
      // A full disk: the rows stay in the log, and appending is refused before it is full too.
      if error.kind != .full { fail("\(error)") }
    }
  }

  private func fail(_ text: String) {
    shared.withLock { shared in
      if shared.failure == nil { shared.failure = text }
    }
  }
}
