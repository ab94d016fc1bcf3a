import Glibc
import StateModel
import SyncProtocol
import Testing

@testable import Journal

@Suite("A backup of a journal")
struct BackupTests {
  let scratch = Scratch()

  var target: String { scratch.path + "/backup" }

  func open(
    _ path: String, seed: UInt64 = 1
  ) throws -> (journal: SQLiteJournal, recovery: JournalRecovery) {
    var random = SeededGenerator(seed: seed)
    return try SQLiteJournal.open(path, options: .small, using: &random)
  }

  @Test("taken while rows are appended is a journal as of one of them")
  func live() throws {
    let (journal, recovery) = try open(scratch.journal)
    defer { journal.close() }
    var history = History(recovery)
    try journal.save(history.snapshot)
    for round in 0..<5 {
      for _ in 0..<20 {
        #expect(journal.append(history.next(), after: history.row - 1) == .durable)
      }
      // Half a snapshot is under way.
      if round == 2 {
        journal.stage(history.snapshot)
        #expect(try journal.work())
      }
      let report = try JournalBackup.make(
        of: scratch.journal, at: "\(target)\(round)", options: .small)
      #expect(report.verdict == .sound)
      #expect(report.folder == "\(target)\(round)")
      #expect(report.row == history.row)
      #expect(report.markRow == history.row)
      #expect(report.digest == history.state.digest)
      #expect(Scratch.names(in: "\(target)\(round)") == ["journal.db", "journal.mark"])
      let (copy, found) = try open("\(target)\(round)", seed: 7)
      copy.close()
      #expect(found.state == history.state)
      #expect(found.history.sessions == history.replay.finish())
      #expect(found.history.lineage == history.lineage)
      #expect(found.history.epochs.dropLast() == recovery.history.epochs[...])
    }
  }

  private func rights(_ file: String) -> mode_t {
    var status = stat()
    return stat(file, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  @Test("is for its user alone, and so is what is restored, or was for everybody before")
  func rights() throws {
    let (journal, recovery) = try open(scratch.journal)
    var history = History(recovery)
    try journal.save(history.snapshot)
    #expect(journal.append(history.next(), after: history.row - 1) == .durable)
    journal.close()
    _ = try JournalBackup.make(of: scratch.journal, at: target, options: .small)
    #expect(rights("\(target)/journal.db") == 0o600)
    _ = try JournalBackup.restore(target, to: scratch.journal, options: .small)
    #expect(rights(scratch.database) == 0o600)
    chmod(scratch.database, 0o644)
    let (again, _) = try open(scratch.journal, seed: 9)
    defer { again.close() }
    #expect(rights(scratch.database) == 0o600)
    #expect(rights(scratch.log) == 0o600)
  }

  @Test("is never made over something, of nothing, or of a damaged journal")
  func refused() throws {
    try DamageTests.images.get().killed.copyJournal(to: scratch)
    mkdir(target, 0o700)
    #expect(
      throws: JournalError(.inputOutput, "\(target) is there already. Try: a name that is new.")
    ) {
      _ = try JournalBackup.make(of: scratch.journal, at: target, options: .small)
    }
    rmdir(target)
    #expect(throws: JournalError.self) {
      _ = try JournalBackup.make(of: scratch.path, at: target, options: .small)
    }
    try Damage.middleFrame.inflict(on: scratch, older: scratch)
    let error = #expect(throws: JournalError.self) {
      _ = try JournalBackup.make(of: scratch.journal, at: target, options: .small)
    }
    #expect(error?.kind == .damaged)
    #expect(error?.message.hasSuffix("Try: statecast doctor \(scratch.journal).") == true)
    #expect(Scratch.names(in: scratch.path) == ["store"])
  }

  @Test("of a running journal that has lost what its mark says is refused, and leaves nothing")
  func lost() throws {
    let (journal, recovery) = try open(scratch.journal)
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<5 { _ = journal.append(history.next(), after: history.row - 1) }
    var mark = try #require(JournalMark(file: try Scratch.bytes(scratch.mark)))
    mark.row += 1
    mark.sequence += 1
    try JournalFile(scratch.mark, .write).write(mark.encoded(), at: mark.offset)
    let error = #expect(throws: JournalError.self) {
      _ = try JournalBackup.make(of: scratch.journal, at: target, options: .small)
    }
    #expect(error?.kind == .damaged)
    #expect(error?.message.contains("it ends at row 5, and row 6 was durable") == true)
    #expect(Scratch.names(in: scratch.path) == ["store"])
    journal.close()
  }

  @Test("is restored whole, and what was there is kept")
  func restored() throws {
    var (journal, recovery) = try open(scratch.journal)
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<10 { _ = journal.append(history.next(), after: history.row - 1) }
    _ = try JournalBackup.make(of: scratch.journal, at: target, options: .small)
    let then = history
    for _ in 0..<10 { _ = journal.append(history.next(), after: history.row - 1) }
    #expect(
      throws: JournalError(
        .busy,
        "the journal in \(scratch.journal) is in use by another process, and nothing was changed. "
          + "Try: stop the daemon (`statecast stop`), then restore again.")
    ) {
      _ = try JournalBackup.restore(target, to: scratch.journal, options: .small)
    }
    journal.close()
    let (report, kept) = try JournalBackup.restore(target, to: scratch.journal, options: .small)
    #expect(report.folder == scratch.journal)
    #expect(report.row == 10)
    let place = try #require(kept)
    #expect(place.hasPrefix("\(scratch.journal)/copies/replaced-"))
    #expect(try JournalDoctor.examine(place, options: .small).row == 20)
    (journal, recovery) = try open(scratch.journal, seed: 8)
    journal.close()
    #expect(recovery.state == then.state)
    #expect(recovery.history.lastRow == 10)
    // Positions of the commits that are gone are not on this history.
    #expect(recovery.history.epochs.last?.after == then.commit)
    // The backup is as it was: it can be restored again, also elsewhere.
    let (again, nothing) = try JournalBackup.restore(
      target, to: scratch.path + "/other", options: .small)
    #expect(again.row == 10)
    #expect(nothing == nil)
  }

  @Test("a damaged one is refused, and the journal is left alone")
  func damagedBackup() throws {
    let images = try DamageTests.images.get()
    try images.killed.copyJournal(to: scratch)
    let backup = Scratch()
    defer { withExtendedLifetime(backup) {} }
    try images.closed.copyJournal(to: backup)
    try Damage.rowInMainFile.inflict(on: backup, older: backup)
    let before = try Scratch.bytes(scratch.database)
    let error = #expect(throws: JournalError.self) {
      _ = try JournalBackup.restore(backup.journal, to: scratch.journal, options: .small)
    }
    #expect(error?.kind == .damaged)
    #expect(
      error?.message.hasPrefix(
        "the backup in \(backup.journal) cannot be used, and nothing was changed: row ") == true)
    #expect(try Scratch.bytes(scratch.database) == before)
    #expect(!Scratch.names(in: scratch.journal).contains("copies"))
  }

  @Test("a restore that was interrupted is not taken for a journal")
  func interrupted() throws {
    try DamageTests.images.get().closed.copyJournal(to: scratch)
    _ = try JournalBackup.make(of: scratch.journal, at: target, options: .small)
    // As it is between the removal of the old database and the coming of the new one.
    unlink(scratch.database)
    let error = #expect(throws: JournalError.self) { _ = try open(scratch.journal) }
    #expect(error?.kind == .damaged)
    let (report, _) = try JournalBackup.restore(target, to: scratch.journal, options: .small)
    #expect(report.row == 60)
    try open(scratch.journal).journal.close()
  }
}
