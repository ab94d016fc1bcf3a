package import StateModel

/// The session table as bytes, for a journal's snapshot.
///
/// - table: `[1, [record…], floor, next public number]`, records in the order of their ids
/// - record: `[session, base, owner, public number, last, acked, [[payload hash, outcome]…]]`
extension SessionTable {
  /// The version that this binary writes. It reads this one and none newer.
  package static let formatVersion: UInt64 = 1

  /// The table's bytes.
  package func encoded() -> [UInt8] {
    var encoder = CBOREncoder()
    encoder.array(4)
    encoder.unsigned(Self.formatVersion)
    encoder.array(records.count)
    let ordered = records.sorted { earlier, later in
      (earlier.key.bytes.high, earlier.key.bytes.low) < (later.key.bytes.high, later.key.bytes.low)
    }
    for (session, record) in ordered {
      encoder.array(7)
      encoder.bytes16(session.bytes)
      encoder.commit(record.base)
      encoder.text(record.owner)
      encoder.unsigned(record.publicNumber)
      encoder.unsigned(record.last)
      encoder.unsigned(record.acked)
      encoder.array(record.outcomes.count)
      for kept in record.outcomes {
        encoder.array(2)
        encoder.bytes16(kept.payloadHash)
        kept.outcome.encode(to: &encoder)
      }
    }
    encoder.commit(floor)
    encoder.unsigned(nextPublicNumber)
    return encoder.bytes
  }

  /// A table from its bytes.
  package init(encoded bytes: [UInt8]) throws(DecodingFailure) {
    self.init()
    var decoder = CBORDecoder(bytes)
    let count = try decoder.array()
    try decoder.formatVersion(Self.formatVersion, of: "session table")
    guard count == 4 else {
      throw DecodingFailure(.wrongType, "a session table has 4 elements, not \(count)")
    }
    for _ in 0..<(try decoder.array()) {
      try decoder.array(of: 7, "a session")
      let session = SessionID(try decoder.bytes16())
      let base = try decoder.commit()
      let owner = try decoder.text()
      let publicNumber = try decoder.unsigned()
      let last = try decoder.unsigned()
      let acked = try decoder.unsigned()
      let outcomes = try decoder.list { (decoder) throws(DecodingFailure) in
        try decoder.array(of: 2, "a kept outcome")
        let hash = try decoder.bytes16()
        return Kept(outcome: try Outcome(from: &decoder), payloadHash: hash)
      }
      records[session] = Record(
        base: base, owner: owner, publicNumber: publicNumber, last: last, acked: acked,
        outcomes: outcomes)
    }
    floor = try decoder.commit()
    nextPublicNumber = try decoder.unsigned()
    try decoder.finish()
  }
}
