import Glibc
import StateModel
import SyncProtocol
import Testing

@testable import Journal

/// Power goes at a random moment; of what was not synced, sectors are there or not at random. What was
/// acknowledged is there, whole and in order, and nothing else is taken for damage.
@Suite("A journal whose computer loses its power")
struct PowerLossTests {
  /// Losses of each generation; `STATECAST_POWER_LOSSES` asks for more.
  static var losses: Int {
    getenv("STATECAST_POWER_LOSSES").flatMap { Int(String(cString: $0)) } ?? 8
  }

  static func options(_ disk: FaultyDisk) -> JournalOptions {
    var options = TortureTests.options()
    options.fileLayer = disk.name
    // Rows stay for the comparison, and the mark is synced by the opening alone: what a power
    // failure can do to it is at its worst.
    options.markSync = .seconds(3600)
    options.logBytes = 64 << 10
    return options
  }

  /// A run of a journal, recorded: openings, rows, snapshots, checkpoints.
  struct Run {
    let recording = DiskRecording()
    /// The files before it.
    var base: [String: [UInt8]] = [:]
    /// The digest of the state after each row.
    var digests: [UInt64: Digest]
    var lastAcknowledged: UInt64

    init(
      in scratch: Scratch, rows: Int, seed: UInt64, known: [UInt64: Digest] = [:],
      acknowledged: UInt64 = 0
    ) throws {
      digests = known
      lastAcknowledged = acknowledged
      let disk = FaultyDisk()
      let options = PowerLossTests.options(disk)
      var random = SeededGenerator(seed: seed)
      if Scratch.names(in: scratch.journal).isEmpty {
        // A new journal has acknowledged nothing.
        var (journal, recovery) = try SQLiteJournal.open(
          scratch.journal, options: options, using: &random)
        let history = History(recovery, seed: seed)
        try journal.save(history.snapshot)
        digests[0] = history.state.digest
        journal.close()
        (journal, recovery) = try SQLiteJournal.open(
          scratch.journal, options: options, using: &random)
        journal.close()
      }
      for name in Scratch.names(in: scratch.journal)
      where name != "copies" && !name.hasSuffix("-shm") {
        base[name] = try Scratch.bytes("\(scratch.journal)/\(name)")
      }
      disk.recording = recording
      let (journal, recovery) = try SQLiteJournal.open(
        scratch.journal, options: options, using: &random)
      var mark = try noteMark(scratch, before: nil)
      recording.add(.sync(file: "journal.mark"))
      var history = History(recovery, seed: seed &+ 100)
      for _ in 0..<rows {
        let row = history.next(Int(random.next() % 6) + 1, bytes: Int(random.next() % 600))
        try #require(journal.append(row, after: row.id - 1) == .durable)
        digests[row.id] = history.state.digest
        mark = try noteMark(scratch, before: mark)
        recording.add(.acknowledged(row: row.id))
        lastAcknowledged = row.id
        if random.next().isMultiple(of: 20) { journal.stage(history.snapshot) }
        if random.next().isMultiple(of: 30) { journal.idle() }
        _ = try journal.work()
      }
      // What closing does is not recorded: the power goes before.
      disk.recording = nil
      journal.close()
    }

    /// The mark is not written through SQLite: what changed in it is read back.
    private func noteMark(_ scratch: Scratch, before: [UInt8]?) throws -> [UInt8] {
      let bytes = try Scratch.bytes(scratch.mark)
      for half in [0, JournalMark.fileBytes / 2] {
        let slot = Array(bytes[half..<(half + 512)])
        if let before, Array(before[half..<(half + 512)]) == slot { continue }
        recording.add(.write(file: "journal.mark", offset: half, bytes: slot))
      }
      return bytes
    }

    /// What is left when the power goes after so many operations.
    func image(
      after count: Int, from acknowledged: UInt64, keptPercent: UInt64, syncs: Bool = true,
      using random: inout SeededGenerator
    ) -> DiskRecording.Image {
      DiskRecording.Image(
        of: recording.operations, after: count, from: base, acknowledged: acknowledged,
        sector: DiskRecording.sectors[Int(random.next() % 2)], keptPercent: keptPercent,
        syncs: syncs, using: &random)
    }
  }

  /// The last row that an image opens to; nil where it is refused as damaged.
  func open(_ image: DiskRecording.Image, _ run: Run, in scratch: Scratch) throws -> UInt64? {
    try image.write(to: scratch)
    var random = SeededGenerator(seed: 3)
    do {
      let (journal, recovery) = try SQLiteJournal.open(
        scratch.journal, options: TortureTests.options(), using: &random)
      journal.close()
      let last = recovery.history.lastRow
      #expect(recovery.state?.digest == run.digests[last])
      return last
    } catch {
      if error.kind == .damaged { return nil }
      throw error
    }
  }

  @Test(
    "has every row that it acknowledged, and starts without an operator, again and again",
    arguments: [10, 50, 90] as [UInt64])
  func losses(keptPercent: UInt64) throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    var scratch = Scratch()
    var digests: [UInt64: Digest] = [:]
    var acknowledged: UInt64 = 0
    for generation in 0..<3 as Range<UInt64> {
      let run = try Run(
        in: scratch, rows: 50, seed: seed &+ generation, known: digests,
        acknowledged: acknowledged)
      digests = run.digests
      let count = run.recording.operations.count
      try #require(count > 100)
      var next = Scratch()
      for _ in 0..<Self.losses {
        next = Scratch()
        let moment = Int(random.next() % UInt64(count)) + 1
        let image = run.image(
          after: moment, from: acknowledged, keptPercent: keptPercent, using: &random)
        let last = try open(image, run, in: next)
        let found = try #require(
          last, "seed \(seed) generation \(generation) operation \(moment): a false alarm")
        #expect(
          found >= image.acknowledged && found <= image.acknowledged + 1,
          "seed \(seed) generation \(generation) operation \(moment): \(image.acknowledged) acknowledged, \(found) there"
        )
        if found < image.acknowledged { return }
      }
      // It goes on from what the last loss left.
      scratch = next
      acknowledged =
        try JournalDoctor.examine(scratch.journal, options: TortureTests.options())
        .row ?? 0
    }
    withExtendedLifetime(scratch) {}
  }

  @Test("would be found out if it did not wait for the disk: on one that lies, rows are missing")
  func lyingDisk() throws {
    var random = SeededGenerator(seed: 5)
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    let run = try Run(in: scratch, rows: 50, seed: 6)
    let count = run.recording.operations.count
    var lost = 0
    for _ in 0..<8 {
      let place = Scratch()
      defer { withExtendedLifetime(place) {} }
      let image = run.image(
        after: count / 2 + Int(random.next() % UInt64(count / 2)), from: 0, keptPercent: 50,
        syncs: false, using: &random)
      try image.write(to: place)
      var generator = SeededGenerator(seed: 3)
      let opened = try? SQLiteJournal.open(
        place.journal, options: TortureTests.options(), using: &generator)
      opened?.journal.close()
      if (opened?.recovery.history.lastRow ?? 0) < image.acknowledged { lost += 1 }
    }
    #expect(lost > 2)
  }
}
