import Journal
import StateModel
import SyncProtocol
import Testing

@Suite("A journal on disk")
struct SQLiteJournalTests {
  let scratch = Scratch()

  func open(
    _ options: JournalOptions = .small, seed: UInt64 = 42
  ) throws(JournalError) -> (journal: SQLiteJournal, recovery: JournalRecovery) {
    var random = SeededRandom(seed: seed)
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
    try scratch.copyJournal(to: killed)
    journal.close()
    var random = SeededRandom(seed: 5)
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
}
