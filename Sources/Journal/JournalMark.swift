internal import StateModel
package import SyncProtocol

/// The high-water mark beside the journal: the last row that was durable when it was written.
///
/// SQLite drops a damaged tail of its log without a word, and what remains is consistent. The mark
/// is written after each commit and is therefore never ahead of it: a journal that ends before its
/// mark has lost acknowledged commits.
package struct JournalMark: Equatable, Sendable {
  /// Rises with every writing; the higher of two slots is the newer one.
  package var sequence: UInt64
  package var row: UInt64
  package var commit: CommitNumber
  /// The hash of that row.
  package var hash: UInt64
  /// The number of the last epoch in the journal's table.
  package var epochs: UInt64
  package var lineage: Lineage

  package init(
    sequence: UInt64, row: UInt64, commit: CommitNumber, hash: UInt64, epochs: UInt64,
    lineage: Lineage
  ) {
    self.sequence = sequence
    self.row = row
    self.commit = commit
    self.hash = hash
    self.epochs = epochs
    self.lineage = lineage
  }

  /// The file's size.
  static let fileBytes = 4096
  /// Where this mark is written: the slots take turns, in sectors of their own, so that a torn
  /// write leaves the other one.
  var offset: Int { sequence.isMultiple(of: 2) ? 0 : Self.fileBytes / 2 }

  /// The bytes of a slot.
  func encoded() -> [UInt8] {
    var bytes = Self.magic
    let words = [
      sequence, row, commit.rawValue, hash, epochs, lineage.bytes.high, lineage.bytes.low,
    ]
    for word in words { bytes.appendLittleEndian(word) }
    bytes.appendLittleEndian(XXH3.hash64(bytes))
    return bytes
  }

  /// The newer of the two slots of a mark file's content; nil when neither is whole.
  init?(file: [UInt8]) {
    let slots = [0, Self.fileBytes / 2].compactMap { Self(slot: file.dropFirst($0)) }
    guard let newest = slots.max(by: { $0.sequence < $1.sequence }) else { return nil }
    self = newest
  }

  private init?(slot: ArraySlice<UInt8>) {
    let bytes = Array(slot.prefix(Self.slotBytes))
    guard bytes.count == Self.slotBytes, bytes.starts(with: Self.magic),
      bytes.littleEndian(UInt64.self, at: Self.slotBytes - 8)
        == XXH3.hash64(bytes.dropLast(8))
    else { return nil }
    let words = (0..<7).map { bytes.littleEndian(UInt64.self, at: 8 + 8 * $0) }
    self.init(
      sequence: words[0], row: words[1], commit: CommitNumber(rawValue: words[2]), hash: words[3],
      epochs: words[4], lineage: Lineage(Bytes16(high: words[5], low: words[6])))
  }

  private static let magic: [UInt8] = Array("SCMARK01".utf8)
  private static let slotBytes = 72
}
