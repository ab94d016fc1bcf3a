import Glibc
import StateModel
import SyncProtocol
import Testing

@testable import Journal

@Suite("A journal on a disk that fails")
struct DiskFaultTests {
  let scratch = Scratch()
  let disk = FaultyDisk()

  func open(seed: UInt64 = 1) throws(JournalError) -> (SQLiteJournal, JournalRecovery) {
    var options = JournalOptions.small
    options.fileLayer = disk.name
    var random = SeededGenerator(seed: seed)
    return try SQLiteJournal.open(scratch.journal, options: options, using: &random)
  }

  /// A journal with ten rows.
  func filled() throws -> (SQLiteJournal, History) {
    let (journal, recovery) = try open()
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<10 { #expect(journal.append(history.next(), after: history.row - 1) == .durable) }
    return (journal, history)
  }

  @Test(
    "a full disk refuses the row, which is as if it had never been; freed, the same row goes in")
  func full() throws {
    var (journal, history) = try filled()
    let row = history.next()
    disk.failing = .full
    for _ in 0..<3 {
      #expect(
        journal.append(row, after: 10)
          == .refused(
            "the disk of \(scratch.journal) is full. Try: free space on it; "
              + "actions are taken again at once."))
    }
    #expect(try journal.rows(from: 1, limit: 100).count == 10)
    disk.failing = nil
    #expect(journal.append(row, after: 10) == .durable)
    #expect(journal.append(history.next(), after: 11) == .durable)
    journal.close()
    let (again, found) = try open(seed: 2)
    again.close()
    #expect(found.state == history.state)
    #expect(found.history.lastRow == 12)
  }

  @Test("a snapshot that finds the disk full is given up, and the one before stays")
  func fullWhileSaving() throws {
    let (journal, history) = try filled()
    disk.failing = .full
    let error = #expect(throws: JournalError.self) { try journal.save(history.snapshot) }
    #expect(error?.kind == .noSpace)
    disk.failing = nil
    #expect(try !journal.work())
    journal.close()
    let (again, found) = try open(seed: 2)
    #expect(found.state == history.state)
    #expect(again.snapshot?.row == 0)
    try again.save(history.snapshot)
    again.close()
  }

  @Test("killed, and started where the log cannot be copied for want of room: all of it is there")
  func fullAtStart() throws {
    let (journal, history) = try filled()
    let killed = Scratch()
    try scratch.copyJournal(to: killed)
    journal.close()
    var options = JournalOptions.small
    options.fileLayer = disk.name
    var random = SeededGenerator(seed: 2)
    disk.failing = .fullMainFile
    let (full, found) = try SQLiteJournal.open(killed.journal, options: options, using: &random)
    #expect(found.state == history.state)
    #expect(try full.rows(from: 1, limit: 100).count == 10)
    full.close()
    disk.failing = nil
    let (again, freed) = try SQLiteJournal.open(killed.journal, options: options, using: &random)
    #expect(freed.state == history.state)
    #expect(freed.history.epochs.count == 3)
    var next = History(freed)
    #expect(again.append(next.next(), after: 10) == .durable)
    again.close()
  }

  @Test(
    "after a failed sync or write everything fails, the files stay, and the next start copies them first",
    arguments: [FaultyDisk.Fault.syncOfLog, .writeOfLog])
  func failed(_ fault: FaultyDisk.Fault) throws {
    var (journal, history) = try filled()
    let before = history.state
    let row = history.next()
    disk.failing = fault
    let result = journal.append(row, after: 10)
    guard case .failed(let text) = result else {
      Issue.record("\(result)")
      return
    }
    #expect(
      text.hasPrefix("writing the journal in \(scratch.journal) failed: COMMIT: disk I/O error"))
    #expect(
      text.hasSuffix(
        "Whether the last actions are in it is unknown until it is opened again. "
          + "Try: look at the disk, then restart the daemon."))
    disk.failing = nil
    #expect(journal.append(row, after: 10) == result, "also where the disk seems to be well again")
    #expect(try !journal.work())
    #expect(throws: JournalError(.inputOutput, text)) { try journal.save(history.snapshot) }
    let log = try Scratch.bytes(scratch.log)
    journal.close()
    #expect(try Scratch.bytes(scratch.log) == log)
    #expect(Scratch.names(in: scratch.journal).contains("journal.failed"))

    let (again, found) = try open(seed: 2)
    defer { again.close() }
    let copies = Scratch.names(in: scratch.journal + "/copies")
    #expect(copies.count == 1)
    #expect(copies.first?.hasPrefix("failed-") == true)
    #expect(!Scratch.names(in: scratch.journal).contains("journal.failed"))
    // The row was written before its sync failed: it is there, or it is not.
    #expect([10, 11].contains(found.history.lastRow))
    #expect(found.state == (found.history.lastRow == 11 ? history.state : before))
  }

  @Test("a failed sync of the main file stops the journal too: a second one would lie")
  func failedCheckpoint() throws {
    var (journal, history) = try filled()
    disk.failing = .syncOfMainFile
    journal.idle()
    disk.failing = nil
    let result = journal.append(history.next(), after: 10)
    guard case .failed = result else {
      Issue.record("\(result)")
      return
    }
    journal.close()
    let (again, found) = try open(seed: 2)
    again.close()
    #expect(found.history.lastRow == 10)
  }

  @Test("a disk that cannot be read is no damage: nothing is judged")
  func unreadable() throws {
    let (journal, _) = try filled()
    journal.close()
    disk.failing = .read
    let error = #expect(throws: JournalError.self) { _ = try open(seed: 2) }
    #expect(error?.kind == .inputOutput)
    disk.failing = nil
    try open(seed: 2).0.close()
  }

  @Test("copies of failed journals do not fill the disk: the oldest goes")
  func failedCopies() throws {
    for start in 0..<8 {
      let (journal, recovery) = try open(seed: UInt64(start))
      var history = History(recovery)
      if recovery.state == nil { try journal.save(history.snapshot) }
      disk.failing = .syncOfLog
      guard case .failed = journal.append(history.next(), after: history.row - 1) else {
        Issue.record("no failure at start \(start)")
        return
      }
      disk.failing = nil
      journal.close()
    }
    #expect(Scratch.names(in: scratch.journal + "/copies").count == 4)
  }

  @Test(
    "rows are refused while what the log holds could not be copied any more: it starts again",
    .enabled(if: SmallDisk.isPossible, "needs root and a kernel that mounts"))
  func roomForTheLog() throws {
    let small = try SmallDisk(scratch.path + "/small", megabytes: 12)
    defer { small.unmount() }
    var options = JournalOptions.small
    options.reserveBytes = 1 << 20
    var random = SeededGenerator(seed: 1)
    let path = small.path + "/store"
    let (journal, recovery) = try SQLiteJournal.open(path, options: options, using: &random)
    var history = History(recovery)
    try journal.save(history.snapshot)
    var states = [history.state]
    var refusals = 0
    while refusals < 3 {
      let before = history
      let row = history.next(1, bytes: 100_000)
      switch journal.append(row, after: row.id - 1) {
      case .durable: states.append(history.state)
      case .refused:
        history = before
        refusals += 1
        journal.idle()
      case .failed(let text):
        Issue.record("\(text)")
        return
      case .fenced:
        Issue.record("fenced")
        return
      }
    }
    #expect(states.count > 20)
    // As a kill would leave them: what is in the log has to be copied by the next start.
    let files = try ["journal.db", "journal.db-wal", "journal.mark"].map { name in
      (name, try Scratch.bytes("\(path)/\(name)"))
    }
    journal.close()
    for (name, bytes) in files { try Scratch.write(bytes, to: "\(path)/\(name)") }
    let (again, found) = try SQLiteJournal.open(path, options: options, using: &random)
    again.close()
    #expect(found.state == states.last)
  }

  @Test(
    "what the log holds is copied before rows are refused to keep room for it",
    .enabled(if: SmallDisk.isPossible, "needs root and a kernel that mounts"))
  func copiedBeforeRefused() throws {
    let small = try SmallDisk(scratch.path + "/small", megabytes: 16)
    defer { small.unmount() }
    var options = JournalOptions.small
    options.logBytes = 8 << 20
    var random = SeededGenerator(seed: 1)
    let path = small.path + "/store"
    try SQLiteJournal.open(path, options: options, using: &random).journal.close()
    // The log of 8 MiB has its place; beyond the reserve there is one more for the main file.
    options.reserveBytes = try SmallDisk.free(path) - (8 << 20) - (1 << 20)
    let (journal, recovery) = try SQLiteJournal.open(path, options: options, using: &random)
    defer { journal.close() }
    var history = History(recovery)
    try journal.save(history.snapshot)
    // Each is a page or two of the log, and all of them together some pages of the main file: more
    // than 1 MiB in the log before the checkpoint thread would begin.
    for number in 1...(options.checkpointFrames / 4) {
      let row = history.next(1)
      try #require(journal.append(row, after: row.id - 1) == .durable, "row \(number)")
    }
  }

  @Test(
    "what the opening has copied takes no room any more",
    .enabled(if: SmallDisk.isPossible, "needs root and a kernel that mounts"))
  func openedWithLog() throws {
    let small = try SmallDisk(scratch.path + "/small", megabytes: 16)
    defer { small.unmount() }
    var options = JournalOptions.small
    var random = SeededGenerator(seed: 1)
    let path = small.path + "/store"
    let (journal, recovery) = try SQLiteJournal.open(path, options: options, using: &random)
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<100 {
      let row = history.next(1, bytes: 10_000)
      #expect(journal.append(row, after: row.id - 1) == .durable)
    }
    // As a kill leaves them: the log holds all of it.
    let files = try ["journal.db", "journal.db-wal", "journal.mark"].map { name in
      (name, try Scratch.bytes("\(path)/\(name)"))
    }
    journal.close()
    func restore() throws {
      for (name, bytes) in files { try Scratch.write(bytes, to: "\(path)/\(name)") }
    }
    try restore()
    let (first, _) = try SQLiteJournal.open(path, options: options, using: &random)
    let free = try SmallDisk.free(path)
    first.close()
    try restore()
    // Just enough: with what is in the log already, it would not be.
    options.reserveBytes = free - (64 << 10)
    let (again, found) = try SQLiteJournal.open(path, options: options, using: &random)
    defer { again.close() }
    #expect(found.state == history.state)
    #expect(again.frames == again.copiedFrames && again.frames > 100)
    let row = history.next(1)
    #expect(again.append(row, after: row.id - 1) == .durable)
  }

  @Test(
    "a disk that really is full refuses rows, and takes them again when there is room",
    .enabled(if: SmallDisk.isPossible, "needs root and a kernel that mounts"))
  func reallyFull() throws {
    let small = try SmallDisk(scratch.path + "/small", megabytes: 4)
    defer { small.unmount() }
    var options = JournalOptions.small
    options.longestLogFrames = 100
    var random = SeededGenerator(seed: 1)
    let path = small.path + "/store"
    var (journal, recovery) = try SQLiteJournal.open(path, options: options, using: &random)
    var history = History(recovery)
    try journal.save(history.snapshot)
    try Scratch.write([UInt8](repeating: 1, count: 2 << 20), to: small.path + "/ballast")
    var refused = 0
    var waiting: JournalRow?
    for _ in 0..<2000 where refused < 5 {
      let row = waiting ?? history.next(3, bytes: 2000)
      switch journal.append(row, after: row.id - 1) {
      case .durable: waiting = nil
      case .refused:
        waiting = row
        refused += 1
      case .failed(let text):
        Issue.record("\(text)")
        return
      case .fenced:
        Issue.record("fenced")
        return
      }
    }
    #expect(refused == 5)
    unlink(small.path + "/ballast")
    let row = try #require(waiting)
    #expect(journal.append(row, after: row.id - 1) == .durable)
    #expect(journal.append(history.next(), after: history.row - 1) == .durable)
    // What the refused rows left in the log is not taken for damage.
    let killed = Scratch()
    defer { withExtendedLifetime(killed) {} }
    mkdir(killed.journal, 0o700)
    for name in ["journal.db", "journal.db-wal", "journal.mark"] {
      try JournalFile.copy("\(path)/\(name)", to: "\(killed.journal)/\(name)")
    }
    journal.close()
    for folder in [path, killed.journal] {
      (journal, recovery) = try SQLiteJournal.open(folder, options: options, using: &random)
      journal.close()
      #expect(recovery.state == history.state)
    }
  }

  @Test("refused rows leave nothing that a kill while the disk is full makes damage of")
  func killedWhileFull() throws {
    var (journal, history) = try filled()
    let before = history.state
    disk.failing = .full
    for _ in 0..<3 {
      guard case .refused = journal.append(history.next(), after: 10) else {
        Issue.record("it was to be refused")
        return
      }
      history.row -= 1
    }
    let killed = Scratch()
    defer { withExtendedLifetime(killed) {} }
    try scratch.copyJournal(to: killed)
    disk.failing = nil
    journal.close()
    var random = SeededGenerator(seed: 9)
    let (again, found) = try SQLiteJournal.open(killed.journal, options: .small, using: &random)
    again.close()
    #expect(found.history.lastRow == 10)
    #expect(found.state == before)
  }
}

/// A file system in memory of a few megabytes.
final class SmallDisk {
  let path: String

  init(_ path: String, megabytes: Int) throws {
    self.path = path
    mkdir(path, 0o700)
    try #require(mount("tmpfs", path, "tmpfs", 0, "size=\(megabytes)m") == 0)
  }

  /// Bytes that may still be written to the disk of a file.
  static func free(_ path: String) throws -> Int {
    var status = Glibc.statvfs()
    try #require(statvfs(path, &status) == 0)
    return Int(status.f_bavail) * Int(status.f_frsize)
  }

  func unmount() { umount2(path, Int32(MNT_DETACH)) }

  static let isPossible: Bool = {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    guard getuid() == 0, let disk = try? SmallDisk(scratch.path, megabytes: 1) else { return false }
    disk.unmount()
    return true
  }()
}
