internal import StateModel
internal import SyncProtocol

/// Why rows are not the history that was written; a sentence.
struct JournalDamage: Error, Equatable {
  var text: String
  init(_ text: String) { self.text = text }
}

/// What the table says of a row beside its bytes, which no hash is over: it must be what they say.
struct RowColumns: Equatable {
  var id: UInt64
  var base: CommitNumber
  var last: CommitNumber
  var hash: UInt64
}

/// The state and sessions that rows add up to, on top of a snapshot. Pure: rows in, history out.
///
/// Works on `Value`, without the app's types: what they cannot read is for the app to migrate.
struct RecoveryFold {
  private let lineage: Lineage
  /// The digest of a large state costs time: it is compared once at the end, and after every row
  /// only where the last good row is being looked for.
  private let verifiesEveryRow: Bool
  private let base: SnapshotEnvelope?
  private var replay: SessionReplay
  private var digest: Digest?

  /// The state after the last row; nil before the first one of a new journal.
  private(set) var state: Value?
  private(set) var schemaHash: UInt64?
  private(set) var commit: CommitNumber
  private(set) var lastRow: UInt64
  /// The hash that the next row must name.
  private(set) var lastHash: UInt64
  /// The first row that is kept, and the commit before it.
  private(set) var first: (id: UInt64, base: CommitNumber)?
  /// The last row that is kept.
  private var lastKept: (id: UInt64, hash: UInt64, last: CommitNumber)?

  /// Before any row.
  init(lineage: Lineage, base: SnapshotEnvelope?, verifiesEveryRow: Bool) throws(JournalDamage) {
    self.lineage = lineage
    self.base = base
    self.verifiesEveryRow = verifiesEveryRow
    let snapshot = base?.snapshot
    replay = SessionReplay(from: snapshot?.sessions ?? SessionTable())
    commit = snapshot?.commit ?? .zero
    lastRow = snapshot?.row ?? 0
    lastHash = base?.rowHash ?? RowEnvelope.chainStart(lineage)
    schemaHash = snapshot?.schemaHash
    digest = snapshot?.digest
    guard let snapshot else { return }
    do throws(DecodingFailure) {
      state = try Value(encoded: snapshot.state)
    } catch {
      throw JournalDamage("the snapshot of row \(lastRow) cannot be read: \(error)")
    }
    if verifiesEveryRow { try verifyDigest() }
  }

  /// What it began with.
  var snapshot: JournalSnapshot? { base?.snapshot }

  var sessions: SessionTable { replay.finish() }

  /// The next row that is kept, in order. After a throw the fold is of no more use, unless it
  /// verifies every row: then it is as it was before this one.
  mutating func take(_ columns: RowColumns, bytes: [UInt8]) throws(JournalDamage) {
    let id = columns.id
    guard let (envelope, hash) = RowEnvelope.open(bytes),
      columns
        == RowColumns(id: envelope.id, base: envelope.base, last: envelope.last, hash: hash)
    else {
      throw JournalDamage("row \(id) is damaged")
    }
    if let before = lastKept {
      guard id == before.id + 1 else {
        throw JournalDamage("the rows between \(before.id) and \(id) are missing")
      }
      guard envelope.previous == before.hash, envelope.base == before.last else {
        throw JournalDamage("row \(id) does not follow row \(before.id)")
      }
    } else if id > lastRow {
      guard id == lastRow + 1 else {
        throw JournalDamage("the rows between \(lastRow) and \(id) are missing")
      }
      guard envelope.previous == lastHash, envelope.base == commit else {
        throw JournalDamage("row \(id) does not follow what is before it")
      }
    }
    if id <= lastRow {
      // The snapshot covers it: it is kept for `log`.
      guard id < lastRow || hash == lastHash else {
        throw JournalDamage("the snapshot does not belong to row \(id)")
      }
    } else {
      try add(envelope, hash)
    }
    if first == nil { first = (id, envelope.base) }
    lastKept = (id, hash, envelope.last)
  }

  /// After the last row.
  func finish() throws(JournalDamage) {
    if let lastKept, lastKept.id < lastRow {
      throw JournalDamage(
        "the rows between \(lastKept.id) and the snapshot of \(lastRow) are missing")
    }
    if !verifiesEveryRow { try verifyDigest() }
  }

  private mutating func add(_ envelope: RowEnvelope, _ hash: UInt64) throws(JournalDamage) {
    let row: JournalRow
    do throws(DecodingFailure) {
      row = try JournalRow(encoded: envelope.row)
    } catch {
      throw JournalDamage("row \(envelope.id) cannot be read: \(error)")
    }
    guard row.id == envelope.id, row.base == envelope.base, row.last == envelope.last,
      row.lineage == lineage
    else { throw JournalDamage("row \(envelope.id) is of another journal") }
    // A copy would make every change copy the state too.
    let before = verifiesEveryRow ? self : nil
    do {
      var value = state ?? .null
      state = nil
      for entry in row.entries {
        try entry.rootDelta.read { (change) throws(DeltaFailure) in
          try value.apply(change, at: 0)
        }
      }
      state = value
      replay.apply(row)
      digest = row.rootDigest
      if verifiesEveryRow { try verifyDigest() }
    } catch {
      if let before { self = before }
      throw (error as? JournalDamage)
        ?? JournalDamage("the changes of row \(envelope.id) do not fit the state: \(error)")
    }
    schemaHash = row.schemaHash
    commit = row.last
    lastRow = row.id
    lastHash = hash
  }

  private func verifyDigest() throws(JournalDamage) {
    if let state, let digest, state.digest != digest {
      throw JournalDamage(
        "the state's digest is \(state.digest), and the journal says \(digest)")
    }
  }
}
