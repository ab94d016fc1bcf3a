import Glibc
import SQLite
import StateModel
import SyncProtocol
import Testing

@testable import Journal

/// What is done to the files of a journal that was killed, or closed, after sixty rows.
enum Damage: CaseIterable {
  case lastFrame
  case middleFrame
  case middleFrameHeader
  case firstFrame
  case logHeader
  case logDeleted
  case logCutShort
  case logCutInHalf
  case sectorOfZeros
  case logOfAnother
  case databaseDeleted
  case databaseAndMarkDeleted
  case databaseOfAnother
  case databaseIsText
  case databaseOlder
  case databaseCut
  case markDeleted
  case markGarbage
  case markOfAnother
  case rowInMainFile
  case snapshotInMainFile
  case startInMainFile

  /// Whether the rows are in the main file when it is done: the daemon had been stopped in order.
  var afterClose: Bool {
    switch self {
    case .rowInMainFile, .snapshotInMainFile, .startInMainFile, .databaseCut, .databaseOlder: true
    default: false
    }
  }

  func inflict(on scratch: Scratch, older: Scratch) throws {
    let frame = 24 + 4096
    switch self {
    case .lastFrame, .middleFrame, .middleFrameHeader, .firstFrame, .logHeader, .logCutShort,
      .logCutInHalf, .sectorOfZeros:
      let bytes = try Scratch.bytes(scratch.log)
      let frames = try #require(WALScan.scan(bytes)).soundFrames
      let end = 32 + frames * frame
      switch self {
      case .lastFrame: try Scratch.flip(scratch.log, at: end - 40)
      case .middleFrame: try Scratch.flip(scratch.log, at: 32 + frames / 2 * frame + 100)
      case .middleFrameHeader: try Scratch.flip(scratch.log, at: 32 + frames / 2 * frame + 9)
      case .firstFrame: try Scratch.flip(scratch.log, at: 32 + 100)
      case .logHeader: try Scratch.flip(scratch.log, at: 17)
      case .logCutShort: try Scratch.write(Array(bytes.prefix(end - 3000)), to: scratch.log)
      case .logCutInHalf: try Scratch.write(Array(bytes.prefix(end / 2)), to: scratch.log)
      default:
        let zeros = [UInt8](repeating: 0, count: 4096)
        try JournalFile(scratch.log, .write).write(zeros, at: (end / 4096 - 3) * 4096)
      }
    case .logDeleted: unlink(scratch.log)
    case .logOfAnother, .databaseOfAnother:
      let other = try Self.other()
      let files = self == .logOfAnother ? [\Scratch.log] : [\Scratch.database, \Scratch.log]
      for file in files {
        try Scratch.write(try Scratch.bytes(other[keyPath: file]), to: scratch[keyPath: file])
      }
    case .databaseDeleted: unlink(scratch.database)
    case .databaseAndMarkDeleted:
      unlink(scratch.database)
      unlink(scratch.mark)
    case .databaseIsText:
      try Scratch.write(Array(repeating: 65, count: 20000), to: scratch.database)
    case .databaseOlder:
      try Scratch.write(try Scratch.bytes(older.database), to: scratch.database)
    case .databaseCut:
      let bytes = try Scratch.bytes(scratch.database)
      try Scratch.write(Array(bytes.prefix(bytes.count / 2)), to: scratch.database)
    case .markDeleted: unlink(scratch.mark)
    case .markGarbage: try Scratch.write(Array(repeating: 1, count: 4096), to: scratch.mark)
    case .markOfAnother:
      let file = try Scratch.bytes(scratch.mark)
      var mark = try #require(JournalMark(file: file))
      mark.lineage = Lineage(Bytes16(high: 1, low: 1))
      mark.sequence += 1
      try JournalFile(scratch.mark, .write).write(mark.encoded(), at: mark.offset)
    case .rowInMainFile:
      try Self.flipRow(40, of: scratch)
    case .snapshotInMainFile:
      // Only a state as a whole holds this text.
      try Scratch.flip(
        scratch.database, at: try Self.find("about about", number: 0, in: scratch.database))
    case .startInMainFile:
      // What one bit can do that flips in a pointer of SQLite's: a number, and a place in the table.
      let connection = try Connection(scratch.database, mode: .existing)
      try connection.execute("UPDATE epoch SET epoch = 0, id = 4 WHERE id = 2")
      try connection.close()
    }
  }

  /// Flips a bit of one of the rows in the main file.
  static func flipRow(_ number: Int, of scratch: Scratch) throws {
    try Scratch.flip(
      scratch.database, at: try find("SCJ1", number: number, in: scratch.database) + 60)
  }

  /// A journal of another lineage, killed after thirty rows.
  private static func other() throws -> Scratch {
    var options = JournalOptions.small
    options.checkpointFrames = 1_000_000
    let scratch = Scratch()
    var random = SeededGenerator(seed: 77)
    let (journal, recovery) = try SQLiteJournal.open(
      scratch.journal, options: options, using: &random)
    var history = History(recovery, seed: 77)
    try journal.save(history.snapshot)
    for _ in 0..<30 { _ = journal.append(history.next(), after: history.row - 1) }
    let killed = Scratch()
    try scratch.copyJournal(to: killed)
    journal.close()
    return killed
  }

  private static func find(_ text: String, number: Int, in path: String) throws -> Int {
    let pattern = Array(text.utf8)
    let bytes = try Scratch.bytes(path)
    var found: [Int] = []
    for start in 0..<(bytes.count - pattern.count)
    where bytes[start] == pattern[0]
      && bytes[start..<(start + pattern.count)].elementsEqual(pattern)
    {
      found.append(start)
    }
    return try #require(found.dropFirst(number).first)
  }
}

@Suite("A damaged journal")
struct DamageTests {
  /// Journals of sixty rows: killed, closed, and closed earlier; and the digest after each row.
  struct Images: Sendable {
    let killed = Scratch()
    let closed = Scratch()
    let older = Scratch()
    var digests: [UInt64: Digest] = [:]

    init() throws {
      var options = JournalOptions.small
      // Everything stays in the log.
      options.checkpointFrames = 1_000_000
      let scratch = Scratch()
      var random = SeededGenerator(seed: 9)
      var (journal, recovery) = try SQLiteJournal.open(
        scratch.journal, options: options, using: &random)
      var history = History(recovery)
      try journal.save(history.snapshot)
      digests[0] = history.state.digest
      for _ in 0..<10 {
        _ = journal.append(history.next(), after: history.row - 1)
        digests[history.row] = history.state.digest
      }
      journal.close()
      try scratch.copyJournal(to: older)
      (journal, recovery) = try SQLiteJournal.open(
        scratch.journal, options: options, using: &random)
      history.epoch = try #require(recovery.history.epochs.last).epoch
      for _ in 0..<50 {
        _ = journal.append(history.next(), after: history.row - 1)
        digests[history.row] = history.state.digest
      }
      try scratch.copyJournal(to: killed)
      journal.close()
      try scratch.copyJournal(to: closed)
      withExtendedLifetime(scratch) {}
    }
  }

  static let images = Result { try Images() }

  func open(
    _ scratch: Scratch, acceptLoss: Bool = false
  ) throws(JournalError) -> (journal: SQLiteJournal, recovery: JournalRecovery) {
    var options = JournalOptions.small
    options.acceptLoss = acceptLoss
    var random = SeededGenerator(seed: 10)
    return try SQLiteJournal.open(scratch.journal, options: options, using: &random)
  }

  func files(_ scratch: Scratch) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for path in [scratch.database, scratch.log, scratch.mark] {
      // An empty log is none.
      if let bytes = try? Scratch.bytes(path), !bytes.isEmpty { files[path] = bytes }
    }
    return files
  }

  @Test(
    "is refused, left as it was and copied once; with an operator's word what can be proved goes on",
    arguments: Damage.allCases)
  func refused(_ damage: Damage) throws {
    let images = try Self.images.get()
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    try (damage.afterClose ? images.closed : images.killed).copyJournal(to: scratch)
    try damage.inflict(on: scratch, older: images.older)
    let before = try files(scratch)

    for _ in 0..<2 {
      let error = #expect(throws: JournalError.self) { _ = try open(scratch) }
      #expect(error?.kind == .damaged)
      #expect(error?.message.contains("--journal-accept-loss") == true)
      #expect(error?.message.contains("\(scratch.journal)/copies/damaged-") == true)
      #expect(try files(scratch) == before)
    }
    let copies = Scratch.names(in: scratch.journal + "/copies")
    #expect(copies.count == 1)
    for (path, bytes) in before {
      let name = path.split(separator: "/").last ?? ""
      #expect(
        try Scratch.bytes("\(scratch.journal)/copies/\(copies.first ?? "")/\(name)") == bytes)
    }

    let (journal, recovery) = try open(scratch, acceptLoss: true)
    let row = recovery.history.lastRow
    if let state = recovery.state {
      // Another journal is sound by itself: an operator's word is that it is the right one.
      if damage != .databaseOfAnother { #expect(state.digest == images.digests[row]) }
    } else {
      #expect(row == 0)
    }
    var history = History(recovery)
    if recovery.state == nil { try journal.save(history.snapshot) }
    #expect(journal.append(history.next(), after: row) == .durable)
    journal.close()
    let (again, found) = try open(scratch)
    again.close()
    #expect(found.state == history.state)
    #expect(found.history.lastRow == row + 1)
    #expect(proved(damage).contains(row), "what can be proved")
  }

  /// The last rows that may be proved after each damage.
  func proved(_ damage: Damage) -> ClosedRange<UInt64> {
    switch damage {
    case .lastFrame, .logCutShort: 59...59
    case .sectorOfZeros: 55...59
    case .middleFrame, .middleFrameHeader, .logCutInHalf: 30...40
    case .firstFrame, .logHeader, .logDeleted, .databaseOlder: 10...10
    case .rowInMainFile: 1...59
    case .markDeleted, .markGarbage, .markOfAnother, .startInMainFile: 60...60
    case .logOfAnother, .databaseOfAnother: 0...60
    case .databaseDeleted, .databaseAndMarkDeleted, .databaseIsText, .databaseCut,
      .snapshotInMainFile:
      0...0
    }
  }

  @Test("says what is missing, where the copy is and what can be done")
  func message() throws {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    try Self.images.get().killed.copyJournal(to: scratch)
    try Damage.lastFrame.inflict(on: scratch, older: scratch)
    let error = #expect(throws: JournalError.self) { _ = try open(scratch) }
    let copy = Scratch.names(in: scratch.journal + "/copies").first ?? "none"
    let commit = try open(scratch, acceptLoss: true).recovery.history.commit
    #expect(
      error?.message == "acknowledged commits are missing or damaged in the journal in "
        + "\(scratch.journal): it ends at row 59, and row 60 was durable. What can be proved ends "
        + "at commit \(commit) (row 59). The files are as they were, and a copy is in "
        + "\(scratch.journal)/copies/\(copy). Try: restore the folder from a backup, or start once "
        + "with --journal-accept-loss: it goes on from commit \(commit), and what came after is lost."
    )
  }

  @Test("a log damaged in the middle is told apart from one that ends early")
  func middle() throws {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    try Self.images.get().killed.copyJournal(to: scratch)
    try Damage.middleFrame.inflict(on: scratch, older: scratch)
    let error = #expect(throws: JournalError.self) { _ = try open(scratch) }
    #expect(error?.message.contains("of journal.db-wal is damaged, and at least ") == true)
    #expect(error?.message.contains(" synced transactions are behind it; it ends at row ") == true)
  }

  @Test("commits that an operator gave up are not on the history of what goes on")
  func epochs() throws {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    try Self.images.get().killed.copyJournal(to: scratch)
    try Damage.logDeleted.inflict(on: scratch, older: scratch)
    let (journal, recovery) = try open(scratch, acceptLoss: true)
    journal.close()
    let epochs = recovery.history.epochs
    #expect(epochs.count == 3)
    #expect(epochs.last?.after == recovery.history.commit)
    // The epoch that wrote the lost commits ends where it began.
    #expect(epochs.dropLast().last?.after == recovery.history.commit)
  }

  @Test("a start behind what is lost is moved to its end: its positions are not on the history")
  func laterStarts() throws {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    try Self.images.get().closed.copyJournal(to: scratch)
    // The fifth row; the second start was after the tenth.
    try Damage.flipRow(5, of: scratch)
    let (journal, recovery) = try open(scratch, acceptLoss: true)
    journal.close()
    #expect(recovery.history.lastRow < 10)
    let commit = recovery.history.commit
    #expect(recovery.history.epochs.map(\.after) == [.zero, commit, commit])
  }

  /// What no hash is over.
  @Test(
    "columns beside the rows, and the table of starts, are checked too",
    arguments: [
      "UPDATE batch SET hash = hash + 1 WHERE id = 60",
      "UPDATE batch SET last = last + 1 WHERE id = 20",
      "UPDATE batch SET base = base - 1 WHERE id = 20", "UPDATE epoch SET after = 1 WHERE id = 1",
      "UPDATE epoch SET after = -1 WHERE id = 1",
      "UPDATE epoch SET id = 4 WHERE id = 2",
    ])
  func columns(sql: String) throws {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    try Self.images.get().closed.copyJournal(to: scratch)
    let connection = try Connection(scratch.database, mode: .existing)
    try connection.execute(sql)
    try connection.close()
    let error = #expect(throws: JournalError.self) { _ = try open(scratch) }
    #expect(error?.kind == .damaged)
  }
}
