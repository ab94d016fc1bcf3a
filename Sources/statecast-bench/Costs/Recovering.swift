import Foundation
import Journal
import StateModel
import StatecastDaemon
import SyncProtocol

/// How long a daemon takes to open its journal, when all of it must be folded: no snapshot but the
/// first. The journal is written as a daemon writes it, and what was recovered is compared.
struct Recovering {
  private static let actionsPerRow = 32
  private static let sessions: UInt64 = 64

  /// Writes a journal of so many actions in `folder`, and opens it some times: the seconds of each.
  static func run(actions: Int, folder: String, openings: Int = 3) throws -> [Double] {
    let daemon = BenchDaemon()
    var app = HostedApp(
      reducer: daemon.reducer, state: daemon.initialState, views: daemon.views,
      actionStep: daemon.actionStep, report: { _ in })
    var options = JournalOptions()
    options.keptRows = .max / 2
    options.keptBytes = .max / 2
    var random = SystemRandomNumberGenerator()
    let (journal, recovery) = try SQLiteJournal.open(folder, options: options, using: &random)
    guard recovery.state == nil else { throw BenchFailure("\(folder) holds a journal already") }
    try journal.save(
      JournalSnapshot(
        row: 0, commit: .zero, state: app.state.encoded(), digest: app.rootDigest,
        schemaHash: app.schemaHash, sessions: SessionTable()))
    var commit = CommitNumber.zero
    var row: UInt64 = 0
    while commit.rawValue < UInt64(actions) {
      let base = commit
      var entries: [JournalEntry] = []
      for _ in 0..<min(actionsPerRow, actions - Int(commit.rawValue)) {
        entries.append(act(commit.next, on: &app))
        commit = commit.next
      }
      row += 1
      let result = journal.append(
        JournalRow(
          id: row, lineage: recovery.history.lineage, epoch: recovery.history.epochs[0].epoch,
          base: base, last: commit, entries: entries, rootDigest: app.rootDigest,
          schemaHash: app.schemaHash, floor: .zero), after: row - 1)
      guard result == .durable else { throw BenchFailure("row \(row): \(result)") }
      _ = try journal.work()
    }
    journal.close()
    return try (0..<openings).map { _ in
      let start = ContinuousClock.now
      let (again, found) = try SQLiteJournal.open(folder, options: options, using: &random)
      let took = ContinuousClock.now - start
      again.close()
      guard found.history.commit == commit, found.state?.digest == app.rootDigest else {
        throw BenchFailure("what was recovered is not what was written")
      }
      return took / .seconds(1)
    }
  }

  private static func act(_ commit: CommitNumber, on app: inout HostedApp<Bench>) -> JournalEntry {
    let number = commit.rawValue / sessions + 1
    let session = commit.rawValue % sessions
    let action = Bench.Action.bump(
      slot: Int(commit.rawValue % 1000), payload: "0123456789012345678901234567890123456789")
    let kind = CommitEntry.Kind.client(.perform(action: action.encoded()))
    let performed = app.perform(
      CommitEntry(
        kind: kind, commit: commit, origin: session, date: 1, seed: 2, wantsRootDelta: true))
    return JournalEntry(
      session: SessionID(Bytes16(high: 1, low: session)), sessionBase: .zero, owner: "uid 0",
      number: number, payloadHash: Bytes16(high: 2, low: number), origin: session, kind: kind,
      outcome: Outcome(number: number, code: performed.code, commit: commit), date: 1, seed: 2,
      rootDelta: performed.rootDelta)
  }
}
