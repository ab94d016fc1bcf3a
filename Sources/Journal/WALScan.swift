/// Reads SQLite's write-ahead log before SQLite does, to find damage that SQLite takes for the end.
///
/// A frame that does not check ends the log, and everything behind it is dropped silently, though
/// it was synced. That is right for a transaction that was being written when the power went, and
/// wrong for one that was acknowledged. The difference shows behind the break: with
/// `synchronous=FULL` a transaction is synced before the next one is written, so the marks of two
/// commits behind the break prove that damage hit a transaction that had been synced. What is
/// behind it is checked against the checksum *stored* in the frame before it.
///
/// It cannot judge the last transaction, a log that was cut or deleted, nor a damaged log header:
/// `JournalMark` does.
///
/// The format is https://www.sqlite.org/fileformat2.html#the_write_ahead_log.
package struct WALScan: Equatable, Sendable {
  /// What the log's header says.
  package struct Header: Equatable, Sendable {
    package var pageBytes: Int
    /// Whether checksums read the words of the log big-endian.
    var isBigEndian: Bool
    /// The salts, as bytes.
    var salts: [UInt8]
    var checksum: Checksum

    /// Nil when it is no header of a log, or does not check.
    package init?(_ bytes: [UInt8]) {
      guard bytes.count >= Self.bytes else { return nil }
      let magic = bytes.bigEndian(at: 0)
      guard magic & 0xFFFF_FFFE == 0x377F_0682, bytes.bigEndian(at: 4) == 3_007_000 else {
        return nil
      }
      let page = Int(bytes.bigEndian(at: 8))
      guard page >= 512, page <= 65536, page & (page - 1) == 0 else { return nil }
      pageBytes = page
      isBigEndian = magic & 1 == 1
      salts = Array(bytes[16..<24])
      var sum = Checksum()
      sum.add(bytes[0..<24], bigEndian: isBigEndian)
      checksum = Checksum(first: bytes.bigEndian(at: 24), second: bytes.bigEndian(at: 28))
      if sum != checksum { return nil }
    }

    package static let bytes = 32
    package var frameBytes: Int { 24 + pageBytes }
  }

  let header: Header
  private var running: Checksum
  /// The checksum stored in the frame before, whatever it is worth.
  private var stored: Checksum

  /// Frames up to the break.
  package private(set) var soundFrames = 0
  /// Transactions up to the break.
  package private(set) var soundCommits = 0
  /// The first frame that does not check; nil while all do.
  package private(set) var firstBad: Int?
  /// Marks of commits in sound frames behind the break.
  package private(set) var commitsBehind = 0
  private var frames = 0

  package init(_ header: Header) {
    self.header = header
    running = header.checksum
    stored = header.checksum
  }

  /// Whether a transaction was damaged that had been synced before a later one was written.
  package var isDamaged: Bool { commitsBehind >= 2 }

  /// The next frame, `header.frameBytes` long.
  package mutating func take(_ frame: ArraySlice<UInt8>) {
    let start = frame.startIndex
    let own = Checksum(
      first: frame.bigEndian(at: start + 16), second: frame.bigEndian(at: start + 20))
    defer {
      stored = own
      frames += 1
    }
    // Frames of an earlier round have other salts; they, and zeros, cost no checksum.
    let isOfThisRound = frame[(start + 8)..<(start + 16)].elementsEqual(header.salts)
    let isCommit = frame.bigEndian(at: start + 4) != 0
    if firstBad == nil {
      var sum = running
      if isOfThisRound { sum.add(frame: frame, bigEndian: header.isBigEndian) }
      if isOfThisRound, sum == own {
        running = own
        soundFrames += 1
        if isCommit { soundCommits += 1 }
      } else {
        firstBad = frames
      }
    } else if isOfThisRound {
      var sum = stored
      sum.add(frame: frame, bigEndian: header.isBigEndian)
      if sum == own, isCommit { commitsBehind += 1 }
    }
  }

  /// Scans a whole log; nil when its header cannot be read.
  package static func scan(_ bytes: [UInt8]) -> WALScan? {
    guard let header = Header(bytes) else { return nil }
    var scan = WALScan(header)
    var start = Header.bytes
    while start + header.frameBytes <= bytes.count {
      scan.take(bytes[start..<(start + header.frameBytes)])
      start += header.frameBytes
    }
    return scan
  }

  /// SQLite's checksum: two running sums over pairs of 32-bit words.
  struct Checksum: Equatable, Sendable {
    var first: UInt32 = 0
    var second: UInt32 = 0

    mutating func add(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) {
      var index = bytes.startIndex
      while index + 8 <= bytes.endIndex {
        let one = bytes.bigEndian(at: index)
        let two = bytes.bigEndian(at: index + 4)
        first = first &+ (bigEndian ? one : one.byteSwapped) &+ second
        second = second &+ (bigEndian ? two : two.byteSwapped) &+ first
        index += 8
      }
    }

    /// A frame's: the first eight bytes of its header, and the page.
    mutating func add(frame: ArraySlice<UInt8>, bigEndian: Bool) {
      add(frame[frame.startIndex..<(frame.startIndex + 8)], bigEndian: bigEndian)
      add(frame[(frame.startIndex + 24)...], bigEndian: bigEndian)
    }
  }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// The word at `index`, most significant byte first; the caller has checked the length.
  fileprivate func bigEndian(at index: Int) -> UInt32 {
    UInt32(self[index]) << 24 | UInt32(self[index + 1]) << 16 | UInt32(self[index + 2]) << 8
      | UInt32(self[index + 3])
  }
}
