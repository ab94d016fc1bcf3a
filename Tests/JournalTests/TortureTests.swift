import Glibc
import StateModel
import SyncProtocol
import Testing

@testable import Journal

/// A process that appends is killed at a random moment, again and again: what it had acknowledged is
/// there, whole and in order; what it had not may be.
///
/// The child writes the last acknowledged row to a file, which outlives it as the journal does.
@Suite("A journal whose process is killed")
struct TortureTests {
  /// Rounds; `STATECAST_TORTURE_ROUNDS` asks for more.
  static var rounds: Int {
    getenv("STATECAST_TORTURE_ROUNDS").flatMap { Int(String(cString: $0)) } ?? 12
  }

  static func options() -> JournalOptions {
    var options = JournalOptions.small
    // Everything happens often.
    options.checkpointFrames = 30
    options.secondPhaseFrames = 15
    options.longestLogFrames = 100
    options.keptRows = 50
    options.prunedAtOnce = 8
    options.snapshotPieceBytes = 300
    options.markSync = .milliseconds(5)
    return options
  }

  @Test("has lost nothing that it acknowledged, after any number of kills")
  func kills() async throws {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    var random = SystemRandomNumberGenerator()
    let seed = UInt64.random(in: 0..<1_000_000, using: &random)
    var present = 0
    try Scratch.write(Self.bytes(0), to: scratch.path + "/acknowledged")
    for round in 0..<UInt64(Self.rounds) {
      let path = scratch.path
      let result = await #expect(
        processExitsWith: .signal(SIGKILL), "seed \(seed) round \(round)"
      ) { [path = path as String, seed = seed &+ round as UInt64] in
        try TortureTests.appendUntilKilled(path, seed: seed)
      }
      try #require(result != nil)
      let acknowledged = try Scratch.bytes(scratch.path + "/acknowledged")
        .littleEndian(UInt64.self, at: 0)
      var generator = SeededGenerator(seed: round)
      // Opening verifies every row, the chain and the state's digest.
      let (journal, recovery) = try SQLiteJournal.open(
        scratch.journal, options: Self.options(), using: &generator)
      journal.close()
      let last = recovery.history.lastRow
      #expect(
        last == acknowledged || last == acknowledged + 1,
        "seed \(seed) round \(round): \(acknowledged) acknowledged, \(last) there")
      if last > acknowledged { present += 1 }
    }
    print("killed \(Self.rounds) times; an unacknowledged row was there \(present) times")
  }

  /// The child: appends, with snapshots and everything else, until a thread of it kills it.
  static func appendUntilKilled(_ path: String, seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let note = try JournalFile(path + "/acknowledged", .create)
    // From before the opening on: that is a moment like any other.
    let delay = useconds_t(random.next() % 60_000)
    try WorkerThread(name: "killer") {
      usleep(delay)
      kill(getpid(), SIGKILL)
    }.detach()
    let (journal, recovery) = try SQLiteJournal.open(
      path + "/store", options: options(), using: &random)
    var history = History(recovery, seed: seed)
    if recovery.state == nil { try journal.save(history.snapshot) }
    try note.write(bytes(recovery.history.lastRow), at: 0)
    while true {
      let row = history.next(Int(random.next() % 6) + 1)
      guard journal.append(row, after: row.id - 1) == .durable else { exit(1) }
      try note.write(bytes(row.id), at: 0)
      if random.next().isMultiple(of: 20) { journal.stage(history.snapshot) }
      if random.next().isMultiple(of: 50) { journal.idle() }
      _ = try journal.work()
    }
  }

  private static func bytes(_ row: UInt64) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.appendLittleEndian(row)
    return bytes
  }
}
