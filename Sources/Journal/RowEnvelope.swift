internal import StateModel
package import SyncProtocol

/// A row as it is stored, whatever the container: which row it is, the hash of the row before, the
/// encoded row, and a hash over all of that.
///
/// The hash finds bytes that changed on the disk (SQLite does not look), the chain finds rows that
/// are missing or were exchanged. Neither finds rows missing at the end: `JournalMark` does.
///
///     0  "SCJ1"                     24  last commit
///     4  length of the row, u32     32  hash of the row before
///     8  id                         40  the row
///     16 commit before the first    ..  hash of everything before
///
/// Numbers are little-endian; hashes are XXH3-64.
package struct RowEnvelope: Equatable, Sendable {
  package var id: UInt64
  package var base: CommitNumber
  package var last: CommitNumber
  /// The hash of the row before; of the first row `chainStart`.
  package var previous: UInt64
  /// The encoded row.
  package var row: [UInt8]

  package init(
    id: UInt64, base: CommitNumber, last: CommitNumber, previous: UInt64, row: [UInt8]
  ) {
    self.id = id
    self.base = base
    self.last = last
    self.previous = previous
    self.row = row
  }

  /// What stands for the row before the first one: two journals never share a chain.
  package static func chainStart(_ lineage: Lineage) -> UInt64 {
    XXH3.hash64(lineage.bytes.bytes)
  }

  /// The bytes to store, and their hash, which the next row names.
  package func sealed() -> (bytes: [UInt8], hash: UInt64) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.headerBytes + row.count + 8)
    bytes.append(contentsOf: Self.magic)
    bytes.appendLittleEndian(UInt32(truncatingIfNeeded: row.count))
    for word in [id, base.rawValue, last.rawValue, previous] { bytes.appendLittleEndian(word) }
    bytes.append(contentsOf: row)
    let hash = XXH3.hash64(bytes)
    bytes.appendLittleEndian(hash)
    return (bytes, hash)
  }

  /// Opens stored bytes; nil unless every one of them is as it was written.
  package static func open(_ bytes: [UInt8]) -> (envelope: RowEnvelope, hash: UInt64)? {
    guard bytes.count >= headerBytes + 8, bytes.starts(with: magic) else { return nil }
    let end = bytes.count - 8
    let hash = bytes.littleEndian(UInt64.self, at: end)
    let length = Int(bytes.littleEndian(UInt32.self, at: 4))
    guard length == end - headerBytes, XXH3.hash64(bytes[..<end]) == hash else { return nil }
    let envelope = RowEnvelope(
      id: bytes.littleEndian(UInt64.self, at: 8),
      base: CommitNumber(rawValue: bytes.littleEndian(UInt64.self, at: 16)),
      last: CommitNumber(rawValue: bytes.littleEndian(UInt64.self, at: 24)),
      previous: bytes.littleEndian(UInt64.self, at: 32), row: Array(bytes[headerBytes..<end]))
    return (envelope, hash)
  }

  private static let magic: [UInt8] = Array("SCJ1".utf8)
  private static let headerBytes = 40
}
