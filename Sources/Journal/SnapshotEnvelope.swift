internal import StateModel
internal import SyncProtocol

/// A snapshot as it is stored: the state and sessions after a row, and that row's hash, which ties
/// it to the chain.
struct SnapshotEnvelope: Equatable {
  var snapshot: JournalSnapshot
  /// The hash of the row it is the state after.
  var rowHash: UInt64

  /// `[row, commit, digest, schema hash, row hash, sessions, state]`.
  func encoded() -> [UInt8] {
    var encoder = CBOREncoder()
    encoder.reserve(snapshot.state.count + 64)
    encoder.array(7)
    encoder.unsigned(snapshot.row)
    encoder.unsigned(snapshot.commit.rawValue)
    encoder.unsigned(snapshot.digest.rawValue)
    encoder.unsigned(snapshot.schemaHash)
    encoder.unsigned(rowHash)
    encoder.encoded(snapshot.sessions.encoded())
    encoder.byteString(snapshot.state)
    return encoder.bytes
  }

  /// The hash that is stored beside it.
  static func hash(_ bytes: [UInt8]) -> UInt64 { XXH3.hash64(bytes) }

  init(snapshot: JournalSnapshot, rowHash: UInt64) {
    self.snapshot = snapshot
    self.rowHash = rowHash
  }

  init(encoded bytes: [UInt8]) throws(DecodingFailure) {
    var decoder = CBORDecoder(bytes)
    try decoder.enter()
    guard try decoder.array() == 7 else {
      throw DecodingFailure(.wrongType, "a snapshot has seven parts")
    }
    let row = try decoder.unsigned()
    let commit = CommitNumber(rawValue: try decoder.unsigned())
    let digest = Digest(rawValue: try decoder.unsigned())
    let schemaHash = try decoder.unsigned()
    rowHash = try decoder.unsigned()
    let sessions = try SessionTable(encoded: Array(try decoder.item()))
    snapshot = JournalSnapshot(
      row: row, commit: commit, state: Array(try decoder.byteString()), digest: digest,
      schemaHash: schemaHash, sessions: sessions)
    decoder.leave()
    try decoder.finish()
  }
}
