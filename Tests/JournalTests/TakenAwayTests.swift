import Glibc
import StateModel
import SyncProtocol
import Testing

@testable import Journal

@Suite("A journal whose files are taken away while it is open")
struct TakenAwayTests {
  let scratch = Scratch()

  func open(_ path: String, seed: UInt64 = 1) throws(JournalError) -> (
    SQLiteJournal, JournalRecovery
  ) {
    var random = SeededGenerator(seed: seed)
    return try SQLiteJournal.open(path, options: .small, using: &random)
  }

  /// A journal with ten rows, and what comes after them.
  func filled() throws -> (SQLiteJournal, History) {
    let (journal, recovery) = try open(scratch.journal)
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<10 { #expect(journal.append(history.next(), after: history.row - 1) == .durable) }
    return (journal, history)
  }

  enum Theft: CaseIterable {
    case database, log, mark, folder, replacedDatabase, replacedLog

    func commit(on scratch: Scratch) throws {
      switch self {
      case .database: unlink(scratch.database)
      case .log: unlink(scratch.log)
      case .mark: unlink(scratch.mark)
      case .folder: Scratch.remove(scratch.journal)
      case .replacedDatabase:
        try Scratch.write(Scratch.bytes(scratch.database), to: scratch.database)
      case .replacedLog: try Scratch.write([], to: scratch.log)
      }
    }

    func text(_ scratch: Scratch) -> String {
      switch self {
      case .database, .folder: "\(scratch.database) was deleted"
      case .log: "\(scratch.log) was deleted"
      case .mark: "\(scratch.mark) was deleted"
      case .replacedDatabase: "\(scratch.database) was replaced by another file"
      case .replacedLog: "\(scratch.log) was replaced by another file"
      }
    }
  }

  @Test(
    "acknowledges no row any more, keeps what it still has open, and is not begun anew silently",
    arguments: Theft.allCases)
  func taken(_ theft: Theft) throws {
    var (journal, history) = try filled()
    try theft.commit(on: scratch)
    let row = history.next()
    guard case .failed(let text) = journal.append(row, after: 10) else {
      Issue.record("a row was acknowledged")
      return
    }
    let copy = try #require(
      Scratch.names(in: scratch.journal + "/copies").first { $0.hasPrefix("rescued-") })
    let place = "\(scratch.journal)/copies/\(copy)"
    #expect(
      text == theft.text(scratch) + " while the daemon had it open: nothing more is written to the "
        + "journal. What it held, up to commit \(row.last), is in \(place). Try: find out what "
        + "touched the folder, then `statecast restore \(place) \(scratch.journal)`, and start the "
        + "daemon.")
    #expect(journal.append(history.next(), after: 10) == .failed(text))
    journal.close()

    // A mark was written again, and the other database is the same one.
    if theft != .mark, theft != .replacedDatabase {
      let error = #expect(throws: JournalError.self) { try open(scratch.journal, seed: 2) }
      #expect(error?.kind == .damaged)
    }
    _ = try JournalBackup.restore(place, to: scratch.journal)
    let (again, found) = try open(scratch.journal, seed: 3)
    again.close()
    // The last row was written, and not acknowledged: it may be there.
    #expect(found.history.lastRow == 11)
    #expect(found.history.commit == row.last)
  }

  @Test("a file that was cut is noticed before a row is acknowledged", arguments: [true, false])
  func cut(isLog: Bool) throws {
    var (journal, history) = try filled()
    #expect(truncate(isLog ? scratch.log : scratch.database, 0) == 0)
    guard case .failed(let text) = journal.append(history.next(), after: 10) else {
      Issue.record("a row was acknowledged")
      return
    }
    #expect(text.hasPrefix("\(isLog ? scratch.log : scratch.database) was cut from "))
    journal.close()
    #expect(throws: JournalError.self) { try open(scratch.journal, seed: 2) }
  }

  @Test("a look at the files asks for no times: those would be written anew with each row")
  func times() throws {
    var random = SeededGenerator(seed: 1)
    let (journal, recovery) = try SQLiteJournal.open(scratch.journal, using: &random)
    defer { journal.close() }
    var history = History(recovery)
    func logTime() -> timespec {
      var status = stat()
      #expect(stat(scratch.log, &status) == 0)
      return status.st_mtim
    }
    func append() {
      #expect(journal.append(history.next(), after: history.row - 1) == .durable)
    }
    /// Whether the second of two rows left the log's time as the first one had set it.
    func isKept() -> Bool {
      // Asked for, where times are kept finely: the first row sets it to what the clock shows.
      _ = logTime()
      append()
      var between = timespec()
      clock_gettime(CLOCK_REALTIME, &between)
      append()
      let time = logTime()
      return time.tv_sec < between.tv_sec
        || time.tv_sec == between.tv_sec && time.tv_nsec <= between.tv_nsec
    }
    // Not each time: the kernel's clock goes on, and other programs ask for times.
    let kept = (0..<200).count { _ in isKept() }
    #expect(kept > 50)
  }

  @Test("what nobody wrote to any more is kept when it closes")
  func closing() throws {
    let (journal, history) = try filled()
    Scratch.remove(scratch.journal)
    journal.close()
    #expect(journal.failure?.hasPrefix("\(scratch.database) was deleted while") == true)
    let copy = try #require(Scratch.names(in: scratch.journal + "/copies").first)
    let (again, found) = try open("\(scratch.journal)/copies/\(copy)", seed: 2)
    again.close()
    #expect(found.state == history.state)
  }

  @Test("what was held is kept, too, where something else fails first because of it")
  func failedBefore() throws {
    let (journal, _) = try filled()
    Scratch.remove(scratch.journal)
    // As the checkpointer's thread may say before anybody appends or closes.
    journal.fail("the log could not be copied")
    journal.close()
    #expect(journal.failure?.hasPrefix("\(scratch.database) was deleted while") == true)
    #expect(Scratch.names(in: scratch.journal + "/copies").count == 1)
  }

  @Test("a link in the database's place is refused: the log would be kept elsewhere")
  func link() throws {
    let (journal, _) = try filled()
    journal.close()
    let elsewhere = scratch.path + "/elsewhere.db"
    #expect(rename(scratch.database, elsewhere) == 0)
    #expect(symlink(elsewhere, scratch.database) == 0)
    let error = #expect(throws: JournalError.self) { try open(scratch.journal, seed: 2) }
    #expect(
      error?.message.hasPrefix(
        "\(scratch.database) is no regular file, and so no part of a journal.") == true)
  }
}
