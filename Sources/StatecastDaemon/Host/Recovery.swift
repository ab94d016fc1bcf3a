internal import Journal
internal import StateModel
internal import SyncProtocol

/// What a daemon starts from: a state and a history, and the journal that goes on.
struct Recovery<State: Mirrored> {
  var state: State
  var history: RecoveredHistory
  var journal: SQLiteJournal?
  /// The commit that brought the state to this version's schema; nil where none was needed.
  var migration: Migration?

  /// A commit that was made before anything was served.
  struct Migration {
    var commit: CommitNumber
    /// Of the state as it was found.
    var schemaHash: UInt64
    var date: Double
  }

  /// Opens the storage; a new one begins with `initial`, and a state of another schema goes through
  /// `migrate`.
  static func open(
    _ storage: HostSettings.Storage, initial: State, migrate: (OlderState) throws -> State
  ) throws -> sending Recovery {
    switch storage {
    case .memory:
      var generator = SystemRandomNumberGenerator()
      let history = RecoveredHistory(
        lineage: Lineage(.random(using: &generator)),
        epochs: [EpochRecord(epoch: Epoch(rawValue: generator.next()), after: .zero)],
        lastRow: 0, commit: .zero, oldest: .zero, sessions: SessionTable())
      return Recovery(state: initial, history: history, journal: nil)
    case .journal(let folder, let options):
      return try open(folder, options, initial: initial, migrate: migrate)
    }
  }

  private static func open(
    _ folder: String, _ options: JournalOptions, initial: State,
    migrate: (OlderState) throws -> State
  ) throws -> sending Recovery {
    var generator = SystemRandomNumberGenerator()
    let schemaHash = Schema(of: State.self).hash
    let opening = try JournalOpening(folder, options: options, using: &generator)
    // Before anything is written: what cannot be read stays as it is.
    var read: (state: State, from: RecoveredState)?
    if let found = opening.state(for: schemaHash) {
      read = (try Self.read(found, schemaHash, in: folder, migrate), found)
    }
    let (journal, recovered) = try opening.begin(schemaHash: schemaHash)
    guard let (state, found) = read else {
      try journal.save(
        JournalSnapshot(
          row: 0, commit: .zero, state: initial.encoded(), digest: initial.digest,
          schemaHash: schemaHash, sessions: SessionTable()))
      return Recovery(state: initial, history: recovered.history, journal: journal)
    }
    var recovery = Recovery(state: state, history: recovered.history, journal: journal)
    try recovery.commitMigration(from: found, schemaHash: schemaHash)
    return recovery
  }

  private static func read(
    _ found: RecoveredState, _ schemaHash: UInt64, in folder: String,
    _ migrate: (OlderState) throws -> State
  ) throws(HostFailure) -> State {
    do {
      if found.schemaHash == schemaHash { return try State(found.value) }
      return try migrate(
        OlderState(
          value: found.value, schemaHash: found.schemaHash, isLater: found.isLater))
    } catch {
      let versions =
        "it was written with the schema \(Digest(rawValue: found.schemaHash)), and this version has "
        + "\(Digest(rawValue: schemaHash))"
      throw HostFailure(
        "the state in the journal \(folder) is not one that this version of the app reads: \(error) "
          + "(\(versions)). The journal is as it was",
        advice: found.isLater
          ? "Start the later version again, or restore a backup that was made before it."
          : "Start the version that wrote it, or give new fields a default, renamed ones an alias, "
            + "and write 'migrate(_:)' for the rest.")
    }
  }

  /// Where the state is not what the journal's rows add up to, the difference is a commit: rows
  /// behind it are changes of the state as it is now, and a mirror's position is another one.
  private mutating func commitMigration(from found: RecoveredState, schemaHash: UInt64) throws {
    guard let journal, state.digest != found.value.digest else { return }
    let commit = history.commit.next
    let date = WallClock.now()
    let entry = JournalEntry(
      session: nil, sessionBase: .zero, owner: "", number: 0, payloadHash: Bytes16(high: 0, low: 0),
      origin: nil,
      kind: .migrated(schemaHash: found.schemaHash),
      outcome: Outcome(number: 0, code: .ok, commit: commit), date: date, seed: 0,
      rootDelta: Value(of: state).delta(from: found.value))
    let row = JournalRow(
      id: history.lastRow + 1, lineage: history.lineage,
      epoch: history.epochs.last?.epoch ?? Epoch(rawValue: 0), base: history.commit, last: commit,
      entries: [entry], rootDigest: state.digest, schemaHash: schemaHash,
      floor: history.sessions.floor)
    switch journal.append(row, after: history.lastRow) {
    case .durable: break
    case .refused(let text), .failed(let text):
      throw HostFailure(
        "the migrated state could not be written to the journal: \(text)",
        advice: "Free some space on the disk, and start again.")
    case .fenced:
      throw HostFailure(
        "somebody else has written to the journal", advice: "Stop the other daemon.")
    }
    history.commit = commit
    history.lastRow = row.id
    migration = Migration(commit: commit, schemaHash: found.schemaHash, date: date)
  }
}
