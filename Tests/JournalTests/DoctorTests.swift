import Glibc
import SQLite
import StateModel
import SyncProtocol
import Testing

@testable import Journal

@Suite("A check of a journal")
struct DoctorTests {
  let scratch = Scratch()

  func files(_ folder: String) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for name in Scratch.names(in: folder) where name != "copies" {
      files[name] = try Scratch.bytes("\(folder)/\(name)")
    }
    return files
  }

  @Test(
    "of one that was closed, and of one that was killed, says what is in it and changes nothing",
    arguments: [false, true])
  func sound(wasKilled: Bool) throws {
    let images = try DamageTests.images.get()
    try (wasKilled ? images.killed : images.closed).copyJournal(to: scratch)
    let before = try files(scratch.journal)
    for path in [scratch.journal, scratch.database, scratch.journal + "/"] {
      let report = try JournalDoctor.examine(path, options: .small)
      #expect(report.verdict == .sound)
      #expect(report.findings == [])
      #expect(report.remedies == [])
      #expect(report.folder == scratch.journal)
      #expect(report.row == 60)
      #expect(report.markRow == 60)
      #expect(report.keptRows == 1...60)
      #expect(report.digest == images.digests[60])
      #expect(report.epochs == 2)
      #expect(report.sessions == 5)
      #expect(report.snapshotRow == 0)
    }
    #expect(try files(scratch.journal) == before)
  }

  @Test(
    "finds every damage, says what can be done, and changes nothing", arguments: Damage.allCases)
  func damaged(_ damage: Damage) throws {
    let images = try DamageTests.images.get()
    try (damage.afterClose ? images.closed : images.killed).copyJournal(to: scratch)
    try damage.inflict(on: scratch, older: images.older)
    let before = try files(scratch.journal)
    let report = try JournalDoctor.examine(scratch.journal, options: .small)
    #expect(report.verdict == .damaged)
    #expect(!report.findings.isEmpty)
    #expect(
      report.remedies.first == "restore a backup: statecast restore BACKUP \(scratch.journal)")
    #expect(report.remedies.last?.contains("--journal-accept-loss") == true)
    #expect(try files(scratch.journal) == before)
    // What it says can be proved is what an opening goes on from.
    var options = JournalOptions.small
    options.acceptLoss = true
    var random = SeededGenerator(seed: 3)
    let (journal, recovery) = try SQLiteJournal.open(
      scratch.journal, options: options, using: &random)
    journal.close()
    #expect((report.row ?? 0) == recovery.history.lastRow)
  }

  @Test("of a newer format says which version is needed")
  func tooNew() throws {
    try DamageTests.images.get().closed.copyJournal(to: scratch)
    let connection = try Connection(scratch.database, mode: .existing)
    try connection.execute("UPDATE meta SET value = 4 WHERE key = 'format'")
    try connection.execute("UPDATE meta SET value = '0.9.0' WHERE key = 'readable since'")
    try connection.close()
    let report = try JournalDoctor.examine(scratch.journal, options: .small)
    #expect(report.verdict == .tooNew)
    #expect(report.findings == ["it has format 4, and this version reads up to 3"])
    #expect(report.remedies == ["use Statecast 0.9.0 or later"])
  }

  @Test("is refused while a daemon has the journal, and where there is none")
  func refused() throws {
    var random = SeededGenerator(seed: 1)
    let (journal, _) = try SQLiteJournal.open(scratch.journal, options: .small, using: &random)
    let busy = #expect(throws: JournalError.self) {
      _ = try JournalDoctor.examine(scratch.journal)
    }
    #expect(
      busy
        == JournalError(
          .busy,
          "the journal in \(scratch.journal) is in use by another process. Try: stop the daemon "
            + "(`statecast stop`), or make a backup (`statecast backup`) and look at that."))
    journal.close()
    let none = #expect(throws: JournalError.self) { _ = try JournalDoctor.examine(scratch.path) }
    #expect(
      none
        == JournalError(
          .inputOutput,
          "there is no journal in \(scratch.path). Try: the folder that the daemon was given with "
            + "--state-directory; its log names it."))
    #expect(Scratch.names(in: scratch.path) == ["store"])
  }

  @Test("tells that the daemon before could not write")
  func failed() throws {
    try DamageTests.images.get().killed.copyJournal(to: scratch)
    try Scratch.write(Array("a disk\n".utf8), to: scratch.journal + "/journal.failed")
    let report = try JournalDoctor.examine(scratch.journal, options: .small)
    #expect(report.verdict == .sound)
    #expect(report.notes == ["the daemon before could not write: a disk"])
  }

  /// A row that should never have been written, and what is said of it.
  enum Nonsense: CaseIterable {
    case numberSkipped
    case commitSkipped
    case endIsWrong
    case unknownStart

    func spoil(_ row: inout JournalRow) {
      switch self {
      case .numberSkipped: row.entries[0].outcome.number += 1
      case .commitSkipped: row.entries[0].outcome.commit = row.base.next.next
      case .endIsWrong: row.last = row.last.next
      case .unknownStart: row.epoch = Epoch(rawValue: 12345)
      }
    }

    var text: String {
      switch self {
      case .numberSkipped: " of session "
      case .commitSkipped: " stands behind commit "
      case .endIsWrong: " says it ends at "
      case .unknownStart: " is of a start that is not in the table"
      }
    }
  }

  @Test("finds rows that make no sense though their hashes do", arguments: Nonsense.allCases)
  func nonsense(_ nonsense: Nonsense) throws {
    var random = SeededGenerator(seed: 1)
    let (_, recovery) = MemoryJournal.open(using: &random)
    var history = History(recovery)
    var audit = HistoryAudit(lineage: history.lineage, epochs: recovery.history.epochs)
    for _ in 0..<20 { audit.take(history.next()) }
    #expect(audit.contradictions == [])
    var row = history.next()
    nonsense.spoil(&row)
    audit.take(row)
    #expect(audit.contradictions.first?.contains(nonsense.text) == true)
  }
}
