import Glibc
import SQLite
import StateModel
import SyncProtocol
import Synchronization
import Testing

@testable import Journal

@Suite("A journal on disk")
struct SQLiteJournalTests {
  let scratch = Scratch()

  func open(
    _ options: JournalOptions = .small, seed: UInt64 = 42
  ) throws(JournalError) -> (journal: SQLiteJournal, recovery: JournalRecovery) {
    var random = SeededGenerator(seed: seed)
    return try SQLiteJournal.open(scratch.journal, options: options, using: &random)
  }

  @Test("a new journal has no state, one epoch and nothing in it")
  func new() throws {
    let (journal, recovery) = try open()
    defer { journal.close() }
    #expect(recovery.state == nil)
    #expect(recovery.schemaHash == nil)
    #expect(recovery.history.lastRow == 0)
    #expect(recovery.history.commit == .zero)
    #expect(recovery.history.epochs.map(\.after) == [.zero])
  }

  @Test("state, sessions, commits and epochs are the same after it is opened again")
  func reopen() throws {
    var (journal, recovery) = try open()
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<50 { #expect(journal.append(history.next(), after: history.row - 1) == .durable) }
    journal.close()

    for round in 2...3 {
      let first = recovery.history
      (journal, recovery) = try open(seed: UInt64(round))
      #expect(recovery.state == history.state)
      #expect(recovery.schemaHash == 11)
      #expect(recovery.history.sessions == history.replay.finish())
      #expect(recovery.history.lineage == first.lineage)
      #expect(recovery.history.commit == history.commit)
      #expect(recovery.history.lastRow == history.row)
      #expect(recovery.history.epochs.count == round)
      #expect(recovery.history.epochs.dropLast() == first.epochs[...])
      #expect(recovery.history.epochs.last?.after == history.commit)
      #expect(journal.append(history.next(), after: history.row - 1) == .durable)
      journal.close()
    }
  }

  @Test("what was appended is there when the process ends without closing")
  func killed() throws {
    let (journal, recovery) = try open()
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<30 { #expect(journal.append(history.next(), after: history.row - 1) == .durable) }
    let killed = Scratch()
    defer { withExtendedLifetime(killed) {} }
    try scratch.copyJournal(to: killed)
    journal.close()
    var random = SeededGenerator(seed: 5)
    let (again, found) = try SQLiteJournal.open(killed.journal, options: .small, using: &random)
    again.close()
    #expect(found.state == history.state)
    #expect(found.history.lastRow == 30)
  }

  @Test("recovery goes on from the newest snapshot, and rows before it are kept for the log")
  func snapshots() throws {
    var options = JournalOptions.small
    options.snapshotPieceBytes = 100
    var (journal, recovery) = try open(options)
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<5 {
      for _ in 0..<10 { _ = journal.append(history.next(), after: history.row - 1) }
      try journal.save(history.snapshot)
    }
    _ = journal.append(history.next(), after: history.row - 1)
    journal.close()
    (journal, recovery) = try open(options)
    defer { journal.close() }
    #expect(recovery.state == history.state)
    #expect(recovery.history.sessions == history.replay.finish())
    #expect(recovery.history.oldest == .zero)
    let rows = try journal.rows(from: 49, limit: 10)
    #expect(rows.map(\.id) == [49, 50, 51])
    #expect(try journal.rows(from: 1, limit: 2).map(\.id) == [1, 2])
  }

  @Test("rows beyond those kept are pruned once a snapshot covers them")
  func retention() throws {
    var options = JournalOptions.small
    options.keptRows = 20
    options.prunedAtOnce = 8
    var (journal, recovery) = try open(options)
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<100 {
      #expect(journal.append(history.next(), after: history.row - 1) == .durable)
      while try journal.work() {}
    }
    #expect(journal.oldest == .zero, "no snapshot covers them")
    try journal.save(history.snapshot)
    let rows = try journal.rows(from: 1, limit: 1000)
    #expect(rows.map(\.id) == Array(81...100))
    #expect(journal.oldest == rows.first?.base)
    journal.close()
    (journal, recovery) = try open(options)
    defer { journal.close() }
    #expect(recovery.state == history.state)
    #expect(recovery.history.oldest == rows.first?.base)
    #expect(journal.append(history.next(), after: history.row - 1) == .durable)
  }

  @Test("rows are pruned by their bytes too, but never the last one")
  func retentionByBytes() throws {
    var options = JournalOptions.small
    options.keptBytes = 20_000
    options.prunedAtOnce = 4
    let (journal, recovery) = try open(options)
    defer { journal.close() }
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<40 {
      _ = journal.append(history.next(2, bytes: 900), after: history.row - 1)
    }
    try journal.save(history.snapshot)
    let rows = try journal.rows(from: 1, limit: 1000)
    #expect(rows.last?.id == 40)
    #expect((4...20).contains(rows.count))
  }

  @Test("a snapshot that was half written is not used, and its parts go")
  func halfSnapshot() throws {
    var options = JournalOptions.small
    options.snapshotPieceBytes = 64
    var (journal, recovery) = try open(options)
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<10 { _ = journal.append(history.next(), after: history.row - 1) }
    journal.stage(history.snapshot)
    #expect(try journal.work())
    #expect(try journal.work())
    _ = journal.append(history.next(), after: history.row - 1)
    journal.close()
    (journal, recovery) = try open(options)
    #expect(recovery.state == history.state)
    try journal.save(history.snapshot)
    journal.close()
    (journal, recovery) = try open(options)
    defer { journal.close() }
    #expect(recovery.state == history.state)
  }

  @Test("an append that expects another head is fenced and writes nothing")
  func fenced() throws {
    let (journal, recovery) = try open()
    defer { journal.close() }
    var history = History(recovery)
    try journal.save(history.snapshot)
    _ = journal.append(history.next(), after: 0)
    var row = history.next()
    row.id = 5
    #expect(journal.append(row, after: 4) == .fenced)
    row.id = 1
    #expect(journal.append(row, after: 0) == .fenced)
    row.id = 2
    #expect(journal.append(row, after: 1) == .durable)
  }

  @Test("a second opening is refused while the first lives")
  func busy() throws {
    let (journal, _) = try open()
    let error = #expect(throws: JournalError.self) { _ = try open() }
    #expect(error?.kind == .busy)
    #expect(
      error?.message == "the journal in \(scratch.journal) is in use by another process. "
        + "Try: stop the other daemon, or give this one a folder of its own.")
    journal.close()
  }

  @Test(
    "a FIFO or a folder in a file's place is refused at once, not waited for",
    arguments: [
      "journal.mark", "journal.db", "journal.db-wal", "journal.db-shm", "journal.failed",
    ],
    [true, false])
  func irregular(name: String, isFIFO: Bool) throws {
    try open().journal.close()
    let path = "\(scratch.journal)/\(name)"
    unlink(path)
    try #require((isFIFO ? mkfifo(path, 0o600) : mkdir(path, 0o700)) == 0)
    for attempt in 0..<2 {
      let error = #expect(throws: JournalError.self) {
        if attempt == 0 { _ = try open() } else { _ = try JournalFile(path, .read) }
      }
      #expect(
        error?.message == "\(path) is no regular file, and so no part of a journal. Nothing has "
          + "been changed. Try: find out what put it there and remove it, or give the journal a "
          + "folder of its own.")
    }
  }

  @Test("a file that is refused is closed once: its number may be another's by then")
  func closedOnce() throws {
    let path = "\(scratch.path)/fifo"
    try #require(mkfifo(path, 0o600) == 0)
    let isOver = Atomic(false)
    let found = Mutex(0)
    // What is opened meanwhile stays open.
    let other = try WorkerThread(name: "other") {
      while !isOver.load(ordering: .relaxed) {
        let descriptor = Glibc.open("/dev/null", O_RDONLY)
        var status = stat()
        if fstat(descriptor, &status) != 0 || Glibc.close(descriptor) != 0 {
          found.withLock { $0 += 1 }
        }
      }
    }
    for _ in 0..<20_000 {
      #expect(throws: JournalError.self) { _ = try JournalFile(path, .read) }
    }
    isOver.store(true, ordering: .relaxed)
    other.join()
    #expect(found.withLock { $0 } == 0)
  }

  @Test("a folder that is refused is free again, also while a program that starts holds a copy")
  func freeAgain() throws {
    try open().journal.close()
    var identity = stat()
    try #require(stat(scratch.journal, &identity) == 0)
    var copies: [Int32] = []
    defer { for copy in copies { Glibc.close(copy) } }
    do {
      let file = try JournalFile(scratch.journal, .folder)
      try #require(file.lock())
      // As a program has them between its fork and its exec.
      for descriptor in Int32(3)..<256 {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_ino == identity.st_ino else { continue }
        copies.append(dup(descriptor))
      }
      try #require(!copies.isEmpty)
    }
    try open().journal.close()
  }

  @Test("a journal of a newer format is left alone, and the version that reads it is named")
  func tooNew() throws {
    try open().journal.close()
    let connection = try Connection(scratch.database, mode: .existing)
    try connection.execute("UPDATE meta SET value = 4 WHERE key = 'format'")
    try connection.execute("UPDATE meta SET value = '0.9.0' WHERE key = 'readable since'")
    try connection.close()
    let before = try Scratch.bytes(scratch.database)
    let error = #expect(throws: JournalError.self) { _ = try open() }
    #expect(error?.kind == .tooNew)
    #expect(
      error?.message == "the journal in \(scratch.journal) has format 4, and this Statecast reads "
        + "formats up to 3. Nothing has been changed. Try: Statecast 0.9.0 or later.")
    #expect(try Scratch.bytes(scratch.database) == before)
    var options = JournalOptions.small
    options.acceptLoss = true
    let again = #expect(throws: JournalError.self) { _ = try open(options) }
    #expect(again?.kind == .tooNew, "an operator's word does not help")
  }

  @Test("appending is refused while less than the reserve is free, and works again afterwards")
  func reserve() throws {
    var options = JournalOptions.small
    options.reserveBytes = 1 << 60
    let (journal, recovery) = try open(options)
    defer { journal.close() }
    var history = History(recovery)
    let result = journal.append(history.next(), after: 0)
    guard case .refused(let text) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(text.hasPrefix("the disk of \(scratch.journal) has "))
    #expect(
      text.hasSuffix(
        " MiB left, and the journal keeps 1099511627776 MiB in reserve. "
          + "Try: free space on it; actions are taken again at once."))
  }

  @Test("the log starts anew again and again, however much is appended without a pause")
  func logStaysShort() throws {
    var options = JournalOptions.small
    options.checkpointFrames = 40
    options.secondPhaseFrames = 20
    options.longestLogFrames = 120
    let (journal, recovery) = try open(options)
    defer { journal.close() }
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<2000 {
      guard journal.append(history.next(1), after: history.row - 1) == .durable else {
        Issue.record("row \(history.row)")
        return
      }
      _ = try journal.work()
    }
    #expect(journal.round > 5)
    let size = try Scratch.bytes(scratch.log).count
    #expect(size <= 2 * options.longestLogFrames * 4120 + 32)
  }

  @Test("the log stays short also where nobody does the work beside appending")
  func logStaysShortWithoutWork() throws {
    var options = JournalOptions.small
    options.longestLogFrames = 50
    let (journal, recovery) = try open(options)
    defer { journal.close() }
    var history = History(recovery)
    for _ in 0..<500 { _ = journal.append(history.next(1), after: history.row - 1) }
    #expect(journal.round > 1)
  }

  @Test("a log that another process pins is reported, once each time it has doubled")
  func pinnedLog() throws {
    var options = JournalOptions.small
    options.longestLogFrames = 20
    let (journal, recovery) = try open(options)
    defer { journal.close() }
    let reader = try Connection(scratch.database, mode: .existing)
    try reader.execute("BEGIN")
    _ = try reader.value("SELECT count(*) FROM batch")
    var history = History(recovery)
    var reports: [String] = []
    for _ in 0..<300 {
      #expect(journal.append(history.next(1), after: history.row - 1) == .durable)
      do throws(JournalError) { _ = try journal.work() } catch { reports.append(error.message) }
    }
    reader.rollBack()
    try reader.close()
    #expect((2...6).contains(reports.count))
    #expect(
      reports.first == "\(scratch.log) has grown to 0 MiB, because another process keeps reading "
        + "\(scratch.database). Try: end that process.")
  }

  @Test("after idling the next commit starts the log at its beginning")
  func idle() throws {
    let (journal, recovery) = try open()
    defer { journal.close() }
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<20 { _ = journal.append(history.next(1), after: history.row - 1) }
    let round = journal.round
    journal.idle()
    _ = journal.append(history.next(1), after: history.row - 1)
    #expect(journal.round == round + 1)
    #expect(journal.frames < 5)
  }

  @Test("old epochs are dropped beyond those kept")
  func keptEpochs() throws {
    var options = JournalOptions.small
    options.keptEpochs = 3
    var epochs: [EpochRecord] = []
    for start in 0..<6 {
      let (journal, recovery) = try open(options, seed: UInt64(start))
      journal.close()
      epochs = Array((epochs + recovery.history.epochs.suffix(1)).suffix(3))
      #expect(recovery.history.epochs == epochs)
    }
  }
}
