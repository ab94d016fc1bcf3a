import Glibc
import StateModel
import SyncProtocol
import Testing

@testable import Journal

/// One bit flipped, wherever it is: either the journal says that it is damaged, or it is what it was.
/// There is no third.
@Suite("A journal with a flipped bit")
struct FlipTests {
  /// Bytes between two flips; `STATECAST_EVERY_OFFSET=1` flips at every offset.
  static let stride = getenv("STATECAST_EVERY_OFFSET") == nil ? 37 : 1

  /// A journal of eight rows, killed or closed in order.
  func journal(wasKilled: Bool) throws -> Scratch {
    var options = JournalOptions.small
    options.logBytes = 0
    options.checkpointFrames = 1_000_000
    let scratch = Scratch()
    var random = SeededGenerator(seed: 21)
    let (journal, recovery) = try SQLiteJournal.open(
      scratch.journal, options: options, using: &random)
    var history = History(recovery)
    try journal.save(history.snapshot)
    for _ in 0..<8 {
      try #require(journal.append(history.next(), after: history.row - 1) == .durable)
    }
    guard wasKilled else {
      journal.close()
      return scratch
    }
    let killed = Scratch()
    try scratch.copyJournal(to: killed)
    journal.close()
    return killed
  }

  /// What a check says with one bit of a file flipped, which is put back.
  func flipped(
    _ path: String, at offset: Int, bit: UInt8, in scratch: Scratch
  ) throws -> JournalReport {
    let file = try JournalFile(path, .write)
    let byte = try file.read(1, at: offset)
    try #require(byte.count == 1)
    try file.write([byte[0] ^ (1 << bit)], at: offset)
    defer { try? file.write(byte, at: offset) }
    return try JournalDoctor.examine(scratch.journal, options: .small)
  }

  @Test("in the last pages of the log, or in the middle of it, is always found")
  func log() throws {
    let scratch = try journal(wasKilled: true)
    defer { withExtendedLifetime(scratch) {} }
    let frame = 24 + 4096
    let frames = try #require(WALScan.scan(try Scratch.bytes(scratch.log))).soundFrames
    try #require(frames > 8)
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    for first in [frames - 2, frames / 2] {
      let last = first == frames / 2 ? first + 1 : frames
      var offset = 32 + first * frame + Int(random.next() % UInt64(Self.stride))
      while offset < 32 + last * frame {
        let report = try flipped(
          scratch.log, at: offset, bit: UInt8(random.next() % 8), in: scratch)
        #expect(report.verdict == .damaged, "seed \(seed) offset \(offset) of \(frames) frames")
        #expect((report.row ?? 0) < 8)
        offset += Self.stride
      }
    }
    #expect(try JournalDoctor.examine(scratch.journal, options: .small).verdict == .sound)
  }

  @Test("in the main file is found, or is where nothing is kept")
  func mainFile() throws {
    let scratch = try journal(wasKilled: false)
    defer { withExtendedLifetime(scratch) {} }
    let sound = try JournalDoctor.examine(scratch.journal, options: .small)
    try #require(sound.verdict == .sound)
    let size = try Scratch.bytes(scratch.database).count
    let seed = UInt64.random(in: 0..<1_000_000)
    var random = SeededGenerator(seed: seed)
    var found = 0
    var offset = Int(random.next() % UInt64(Self.stride))
    while offset < size {
      let report = try flipped(
        scratch.database, at: offset, bit: UInt8(random.next() % 8), in: scratch)
      if report.verdict == .sound {
        #expect(report == sound, "seed \(seed) offset \(offset)")
      } else {
        found += 1
      }
      offset += Self.stride
    }
    #expect(found > size / Self.stride / 20)
  }

  @Test("in the mark leaves the older of its two slots")
  func mark() throws {
    let scratch = try journal(wasKilled: true)
    defer { withExtendedLifetime(scratch) {} }
    for offset in [0, JournalMark.fileBytes / 2].flatMap({ $0..<($0 + 72) }) {
      let report = try flipped(scratch.mark, at: offset, bit: 3, in: scratch)
      // The older slot names an earlier row of the same journal: nothing is lost by it.
      #expect(report.verdict == .sound, "offset \(offset): \(report.findings)")
      #expect(report.row == 8)
      #expect((7...8).contains(report.markRow ?? 0))
    }
  }
}
