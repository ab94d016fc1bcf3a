package import StateModel

/// Rows as bytes, in CBOR as everything else: an array that begins with the format's version.
///
/// The chain hash and the checksum are the journal's business; here only the form is checked.
///
/// - row: `[1, id, lineage, epoch, base, last, [entry…], root digest, schema hash, [dropped session…], floor]`
/// - entry: `[session or null, session's base, owner, number, payload hash, origin or null, kind, outcome, date, seed, root delta]`
/// - kind: an entry as in `act`, `["effect", action, cause]`, `["started"]`,
///   `["joined", public number, name]`, `away`, `back`, `left` with a public number, or
///   `["migrated", schema hash before]`
/// - outcome: `[number, code, commit or null]`, with text and path behind where there are any
extension JournalRow {
  /// The version that this binary writes. It reads this one and none newer.
  package static let formatVersion: UInt64 = 1

  /// The row's bytes.
  package func encoded() -> [UInt8] {
    var encoder = CBOREncoder()
    encoder.reserve(128 + 192 * entries.count)
    encoder.array(11)
    encoder.unsigned(Self.formatVersion)
    encoder.unsigned(id)
    encoder.lineage(lineage)
    encoder.epoch(epoch)
    encoder.commit(base)
    encoder.commit(last)
    encoder.array(entries.count)
    for entry in entries { entry.encode(to: &encoder) }
    encoder.unsigned(rootDigest.rawValue)
    encoder.unsigned(schemaHash)
    encoder.array(droppedSessions.count)
    for session in droppedSessions { encoder.bytes16(session.bytes) }
    encoder.commit(floor)
    return encoder.bytes
  }

  /// A row from its bytes.
  package init(encoded bytes: [UInt8]) throws(DecodingFailure) {
    var decoder = CBORDecoder(bytes)
    let count = try decoder.array()
    try decoder.formatVersion(Self.formatVersion, of: "journal row")
    guard count == 11 else {
      throw DecodingFailure(.wrongType, "a journal row has 11 elements, not \(count)")
    }
    let id = try decoder.unsigned()
    let lineage = try decoder.lineage()
    let epoch = try decoder.epoch()
    let base = try decoder.commit()
    let last = try decoder.commit()
    let entries = try decoder.list { (decoder) throws(DecodingFailure) in
      try JournalEntry(from: &decoder)
    }
    let rootDigest = try decoder.digest()
    let schemaHash = try decoder.unsigned()
    let dropped = try decoder.list { (decoder) throws(DecodingFailure) in
      SessionID(try decoder.bytes16())
    }
    self.init(
      id: id, lineage: lineage, epoch: epoch, base: base, last: last, entries: entries,
      rootDigest: rootDigest, schemaHash: schemaHash, droppedSessions: dropped,
      floor: try decoder.commit())
    try decoder.finish()
  }
}

extension JournalEntry {
  func encode(to encoder: inout CBOREncoder) {
    encoder.array(11)
    encoder.optional(session) { $1.bytes16($0.bytes) }
    encoder.commit(sessionBase)
    encoder.text(owner)
    encoder.unsigned(number)
    encoder.bytes16(payloadHash)
    encoder.optional(origin) { $1.unsigned($0) }
    kind.encode(to: &encoder)
    outcome.encode(to: &encoder)
    encoder.float(date)
    encoder.unsigned(seed)
    encoder.byteString(rootDelta.bytes)
  }

  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    try decoder.array(of: 11, "a journal entry")
    let session = try decoder.optional { (decoder) throws(DecodingFailure) in
      SessionID(try decoder.bytes16())
    }
    let sessionBase = try decoder.commit()
    let owner = try decoder.text()
    let number = try decoder.unsigned()
    let payloadHash = try decoder.bytes16()
    let origin = try decoder.optional { (decoder) throws(DecodingFailure) in
      try decoder.unsigned()
    }
    let kind = try CommitEntry.Kind(from: &decoder)
    let outcome = try Outcome(from: &decoder)
    let date = try decoder.float()
    let seed = try decoder.unsigned()
    self.init(
      session: session, sessionBase: sessionBase, owner: owner, number: number,
      payloadHash: payloadHash, origin: origin, kind: kind, outcome: outcome, date: date,
      seed: seed, rootDelta: Delta(bytes: Array(try decoder.byteString())))
  }
}

extension CommitEntry.Kind {
  func encode(to encoder: inout CBOREncoder) {
    switch self {
    case .client(let kind):
      let entry = Entry(kind)
      encoder.array(entry.elementCount)
      entry.encodeElements(to: &encoder)
    case .effect(let action, let cause):
      encoder.array(3)
      encoder.text("effect")
      encoder.encoded(action)
      encoder.commit(cause)
    case .started:
      encoder.array(1)
      encoder.text("started")
    case .presence(let attendance): attendance.encode(to: &encoder)
    case .migrated(let schemaHash):
      encoder.array(2)
      encoder.text("migrated")
      encoder.unsigned(schemaHash)
    }
  }

  init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let count = try decoder.array()
    var look = decoder
    let name = try look.textBytes()
    switch (WireKey(name), count) {
    case (.some("effect"), 3):
      decoder = look
      let action = Array(try decoder.item())
      self = .effect(action: action, cause: try decoder.commit())
    case (.some("started"), 1):
      decoder = look
      self = .started
    case (.some("joined"), 3):
      decoder = look
      let client = try decoder.unsigned()
      self = .presence(.joined(client, name: try decoder.text()))
    case (.some("away"), 2):
      decoder = look
      self = .presence(.away(try decoder.unsigned()))
    case (.some("back"), 2):
      decoder = look
      self = .presence(.back(try decoder.unsigned()))
    case (.some("left"), 2):
      decoder = look
      self = .presence(.left(try decoder.unsigned()))
    case (.some("migrated"), 2):
      decoder = look
      self = .migrated(schemaHash: try decoder.unsigned())
    default:
      // Burnt numbers are journalled as `other`, too: their kind is a text like any other.
      self = .client(try Entry(from: &decoder, elements: count).kind)
    }
  }
}

extension Attendance {
  func encode(to encoder: inout CBOREncoder) {
    if case .joined(_, let name) = self {
      encoder.array(3)
      encoder.text("joined")
      encoder.unsigned(client)
      encoder.text(name)
      return
    }
    encoder.array(2)
    switch self {
    case .joined: break
    case .away: encoder.text("away")
    case .back: encoder.text("back")
    case .left: encoder.text("left")
    }
    encoder.unsigned(client)
  }
}

extension CBORDecoder {
  /// Reads a format's version and refuses newer ones, saying which is needed.
  mutating func formatVersion(_ known: UInt64, of what: String) throws(DecodingFailure) {
    let version = try unsigned()
    guard version == known else {
      throw DecodingFailure(
        .outOfRange,
        "the \(what) has format \(version), this version reads format \(known): "
          + "use a version of Statecast that reads format \(version)")
    }
  }
}
