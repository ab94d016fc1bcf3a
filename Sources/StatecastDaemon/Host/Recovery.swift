internal import Journal
internal import StateModel
internal import SyncProtocol

/// What a daemon starts from: a state and a history, and the journal that goes on.
struct Recovery<State: Mirrored> {
  var state: State
  var history: RecoveredHistory
  var journal: SQLiteJournal?

  /// Opens the storage; a new one begins with `initial`.
  static func open(_ storage: HostSettings.Storage, initial: State) throws -> Recovery {
    var generator = SystemRandomNumberGenerator()
    switch storage {
    case .memory:
      let history = RecoveredHistory(
        lineage: Lineage(.random(using: &generator)),
        epochs: [EpochRecord(epoch: Epoch(rawValue: generator.next()), after: .zero)],
        lastRow: 0, commit: .zero, oldest: .zero, sessions: SessionTable())
      return Recovery(state: initial, history: history, journal: nil)
    case .journal(let folder, let options):
      let (journal, recovered) = try SQLiteJournal.open(folder, options: options, using: &generator)
      if let value = recovered.state {
        return Recovery(
          state: try decode(value, from: folder), history: recovered.history, journal: journal)
      }
      try journal.save(
        JournalSnapshot(
          row: 0, commit: .zero, state: initial.encoded(), digest: initial.digest,
          schemaHash: Schema(of: State.self).hash, sessions: SessionTable()))
      return Recovery(state: initial, history: recovered.history, journal: journal)
    }
  }

  private static func decode(_ value: Value, from folder: String) throws -> State {
    do {
      return try State(encoded: value.encoded())
    } catch {
      throw HostFailure(
        "the state in the journal \(folder) is not one that this version of the app reads: \(error)",
        advice: "Start the version that wrote it, or give the field a default.")
    }
  }
}
