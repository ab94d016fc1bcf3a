import Glibc
import StateModel
import SyncProtocol
import Testing

@testable import Journal

/// A journal that was written once and is kept: whatever changes, it can be read.
///
/// `Golden/1` was left by a process that was killed: snapshot and rows, some of them in the log. A
/// new format gets a folder beside it; `STATECAST_WRITE_GOLDEN=1` writes the present one.
@Suite("The journal that is kept")
struct GoldenJournalTests {
  /// The folder in the sources, next to this file.
  static let folder =
    #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    + "/Golden/\(JournalFormat.current)"

  static func write() throws {
    var options = JournalOptions.small
    options.logBytes = 0
    options.keptRows = 5
    options.prunedAtOnce = 2
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    var random = SeededGenerator(seed: 2026)
    var (journal, recovery) = try SQLiteJournal.open(
      scratch.journal, options: options, using: &random)
    var history = History(recovery, seed: 7)
    try journal.save(history.snapshot)
    for _ in 0..<12 { _ = journal.append(history.next(), after: history.row - 1) }
    try journal.save(history.snapshot)
    journal.close()
    (journal, recovery) = try SQLiteJournal.open(scratch.journal, options: options, using: &random)
    history = History(recovery, seed: 8)
    for _ in 0..<3 { _ = journal.append(history.next(), after: history.row - 1) }
    Scratch.remove(folder)
    mkdir(folder, 0o755)
    for name in ["journal.db", "journal.db-wal", "journal.mark"] {
      try JournalFile.copy("\(scratch.journal)/\(name)", to: "\(folder)/\(name)")
    }
    journal.close()
    print("golden: \(history.commit) \(history.state.digest)")
  }

  @Test("opens to the state, the sessions and the rows that it was written with")
  func golden() throws {
    if getenv("STATECAST_WRITE_GOLDEN") != nil { try Self.write() }
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    mkdir(scratch.journal, 0o700)
    for name in JournalFolder.names(in: Self.folder) {
      try JournalFile.copy("\(Self.folder)/\(name)", to: "\(scratch.journal)/\(name)")
    }
    var random = SeededGenerator(seed: 1)
    let (journal, recovery) = try SQLiteJournal.open(
      scratch.journal, options: .small, using: &random)
    defer { journal.close() }
    #expect(recovery.history.lastRow == 15)
    #expect(recovery.history.commit == CommitNumber(rawValue: 36))
    #expect(recovery.state?.digest.description == "bf9a0488fe04eec0")
    #expect(recovery.schemaHash == 11)
    #expect(recovery.history.lineage.bytes.high == 15_824_617_304_438_902_051)
    #expect(recovery.history.epochs.map(\.after.rawValue) == [0, 30, 36])
    #expect(recovery.history.oldest == CommitNumber(rawValue: 19))
    let sessions = recovery.history.sessions
    #expect(
      sessions.records.map { "\($0.key.bytes.low):\($0.value.last)" }.sorted()
        == ["0:11", "1:11", "2:14", "3:4", "4:5"])
    #expect(sessions.nextPublicNumber == 6)
    let rows = try journal.rows(from: 1, limit: 100)
    #expect(rows.map(\.id) == Array(8...15))
    #expect(rows.last?.rootDigest == recovery.state?.digest)
  }
}
