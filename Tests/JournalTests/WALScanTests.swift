import SQLite
import Testing

@testable import Journal

@Suite("The scan of a write-ahead log")
struct WALScanTests {
  /// A log of ten transactions as SQLite leaves it, and how many frames each has.
  static let log: (bytes: [UInt8], frames: [Int]) = {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    var frames: [Int] = []
    var bytes: [UInt8] = []
    do {
      let path = scratch.path + "/log.db"
      let connection = try Connection(path, mode: .create)
      // A connection that closes deletes its log.
      defer { withExtendedLifetime(connection) {} }
      try connection.execute("PRAGMA journal_mode=WAL")
      try connection.execute("CREATE TABLE t(id INTEGER PRIMARY KEY, data BLOB)")
      for transaction in 0..<9 {
        frames.append(connection.logFrames)
        try connection.prepare("INSERT INTO t(data) VALUES (?)")
          .run([.blob([UInt8](repeating: UInt8(transaction), count: 6000))])
      }
      frames.append(connection.logFrames)
      bytes = try Scratch.bytes(path + "-wal")
    } catch {
      Issue.record(error)
    }
    return (bytes, frames)
  }()

  let frameBytes = 24 + 4096
  func offset(_ frame: Int) -> Int { 32 + frame * frameBytes }

  @Test("finds a log as SQLite writes it sound")
  func sound() throws {
    let scan = try #require(WALScan.scan(Self.log.bytes))
    #expect(scan.soundFrames == Self.log.frames.last)
    #expect(scan.soundCommits == 10)
    #expect(scan.firstBad == nil)
    #expect(!scan.isDamaged)
  }

  @Test("finds a log sound that is cut anywhere, or has zeros or an older round behind it")
  func cut() throws {
    let bytes = Self.log.bytes
    for length in stride(from: 32, through: bytes.count, by: 1000) {
      let scan = try #require(WALScan.scan(Array(bytes.prefix(length))))
      #expect(!scan.isDamaged, "cut at \(length)")
    }
    let zeros = [UInt8](repeating: 0, count: 20 * frameBytes)
    #expect(WALScan.scan(bytes + zeros)?.isDamaged == false)
    var old = bytes
    old.replaceSubrange(0..<offset(4), with: Self.otherRound.prefix(offset(4)))
    #expect(WALScan.scan(old)?.isDamaged == false)
  }

  /// The same log with other salts: what a log looks like after it started anew.
  static let otherRound: [UInt8] = {
    var bytes = log.bytes
    bytes[16] ^= 1
    var sum = WALScan.Checksum()
    sum.add(bytes[0..<24], bigEndian: false)
    var running = sum
    bytes.replaceSubrange(24..<32, with: sum.stored)
    var start = 32
    while start + 4120 <= bytes.count {
      bytes[start + 8] ^= 1
      running.add(frame: bytes[start..<(start + 4120)], bigEndian: false)
      bytes.replaceSubrange((start + 16)..<(start + 24), with: running.stored)
      start += 4120
    }
    return bytes
  }()

  @Test("the log of another round is sound too: the test's own arithmetic is right")
  func otherRoundIsSound() {
    #expect(WALScan.scan(Self.otherRound)?.soundCommits == 10)
  }

  @Test("finds every flipped byte of a transaction that two later ones follow")
  func flips() throws {
    let frames = Self.log.frames
    // The last frame of the eighth of ten transactions.
    let judged = frames[7]
    for frame in 0..<judged {
      for byte in [5, 9, 17, 4119] {
        var bytes = Self.log.bytes
        bytes[offset(frame) + byte] ^= 0x40
        let scan = try #require(WALScan.scan(bytes))
        #expect(scan.firstBad == frame)
        #expect(scan.isDamaged, "frame \(frame) byte \(byte)")
      }
    }
  }

  @Test("cannot judge the last transaction: that is for the mark")
  func last() throws {
    var bytes = Self.log.bytes
    bytes[offset((Self.log.frames.last ?? 0) - 1) + 100] ^= 1
    let scan = try #require(WALScan.scan(bytes))
    #expect(scan.firstBad != nil)
    #expect(!scan.isDamaged)
  }

  @Test("a whole sector of zeros in the middle is found")
  func sector() throws {
    for sector in 8..<40 {
      var bytes = Self.log.bytes
      let range = (sector * 512)..<(sector * 512 + 4096)
      bytes.replaceSubrange(range, with: [UInt8](repeating: 0, count: 4096))
      let scan = try #require(WALScan.scan(bytes))
      #expect(scan.isDamaged, "sector \(sector)")
    }
  }

  @Test("a log's header with any bit flipped, and no header, is none")
  func header() {
    #expect(WALScan.scan([]) == nil)
    for bit in 0..<(32 * 8) {
      var bytes = Self.log.bytes
      bytes[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(WALScan.scan(bytes) == nil, "bit \(bit)")
    }
  }
}

extension WALScan.Checksum {
  fileprivate var stored: [UInt8] {
    [first, second].flatMap { word in
      (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) }
    }
  }
}
