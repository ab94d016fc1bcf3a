import Glibc
import StateModel
import SyncProtocol
import Testing

@testable import Journal

/// A journal that was written once and is kept: whatever changes, it can be read.
///
/// Each folder of `Golden` is of the format that it is named after, and was left by a process that was
/// killed: snapshot and rows, some of them in the log. A new format gets a folder beside them;
/// `STATECAST_WRITE_GOLDEN=1` writes the present one (see the README there).
@Suite("The journal that is kept")
struct GoldenJournalTests {
  /// The folder in the sources, next to this file.
  static func folder(_ format: Int64) -> String {
    #filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/Golden/\(format)"
  }

  /// What a folder's journal holds.
  struct Content: Sendable, CustomTestStringConvertible {
    var format: Int64
    var row: UInt64
    var commit: CommitNumber
    var state: String
    var lineage: UInt64
    var epochs: [UInt64]
    var oldest: CommitNumber
    var sessions: [String]
    var nextPublicNumber: PublicNumber
    /// The schema that the state was migrated from, by the last row.
    var migratedFrom: UInt64?

    var testDescription: String { "format \(format)" }
  }

  static let contents = [
    Content(
      format: 1, row: 15, commit: CommitNumber(rawValue: 36), state: "bf9a0488fe04eec0",
      lineage: 15_824_617_304_438_902_051, epochs: [0, 30, 36],
      oldest: CommitNumber(rawValue: 19), sessions: ["0:11", "1:11", "2:14", "3:4", "4:5"],
      nextPublicNumber: 6),
    Content(
      format: 2, row: 16, commit: CommitNumber(rawValue: 37), state: "c7cc2068b1f8c337",
      lineage: 15_824_617_304_438_902_051, epochs: [0, 30, 37],
      oldest: CommitNumber(rawValue: 19), sessions: ["0:11", "1:11", "2:14", "3:4", "4:5"],
      nextPublicNumber: 6, migratedFrom: 11),
    Content(
      format: 3, row: 16, commit: CommitNumber(rawValue: 37), state: "c7cc2068b1f8c337",
      lineage: 15_824_617_304_438_902_051, epochs: [0, 30, 37],
      oldest: CommitNumber(rawValue: 19), sessions: ["0:11", "1:11", "2:14", "3:4", "4:5"],
      nextPublicNumber: 6, migratedFrom: 11),
  ]

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
    (journal, recovery) = try JournalOpening(scratch.journal, options: options, using: &random)
      .begin(schemaHash: 12)
    history = History(recovery, seed: 8)
    for _ in 0..<3 { _ = journal.append(history.next(), after: history.row - 1) }
    _ = journal.append(history.migrated(), after: history.row - 1)
    let folder = folder(JournalFormat.current)
    Scratch.remove(folder)
    mkdir(folder, 0o755)
    for name in ["journal.db", "journal.db-wal", "journal.mark"] {
      try JournalFile.copy("\(scratch.journal)/\(name)", to: "\(folder)/\(name)")
    }
    journal.close()
    print("golden: \(history.commit) \(history.state.digest)")
  }

  @Test(
    "opens to the state, the sessions and the rows that it was written with", arguments: contents)
  func golden(_ content: Content) throws {
    if getenv("STATECAST_WRITE_GOLDEN") != nil, content.format == JournalFormat.current {
      try Self.write()
    }
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    mkdir(scratch.journal, 0o700)
    let folder = Self.folder(content.format)
    for name in JournalFolder.names(in: folder) {
      try JournalFile.copy("\(folder)/\(name)", to: "\(scratch.journal)/\(name)")
    }
    var random = SeededGenerator(seed: 1)
    // Twice: the first opening brings an older format to the present one.
    for openings in 1...2 {
      let opening = try JournalOpening(scratch.journal, options: .small, using: &random)
      // The program that wrote it first knows that another has been there since.
      #expect(
        opening.state(for: 11)?.isLater == (content.migratedFrom == 11), "opening \(openings)")
      let (journal, recovery) = try opening.begin()
      defer { journal.close() }
      let history = recovery.history
      #expect(history.lastRow == content.row)
      #expect(history.commit == content.commit)
      #expect(recovery.state?.digest.description == content.state)
      #expect(recovery.schemaHash == (content.migratedFrom == nil ? 11 : 12))
      #expect(history.lineage.bytes.high == content.lineage)
      #expect(history.epochs.map(\.after.rawValue).prefix(3) == content.epochs[...])
      #expect(history.oldest == content.oldest)
      #expect(
        history.sessions.records.map { "\($0.key.bytes.low):\($0.value.last)" }.sorted()
          == content.sessions)
      #expect(history.sessions.nextPublicNumber == content.nextPublicNumber)
      let rows = try journal.rows(from: 1, limit: 100)
      #expect(rows.map(\.id) == Array(8...content.row))
      #expect(rows.last?.rootDigest == recovery.state?.digest)
      if let before = content.migratedFrom {
        #expect(rows.last?.entries.map(\.kind) == [.migrated(schemaHash: before)])
      }
    }
  }
}
