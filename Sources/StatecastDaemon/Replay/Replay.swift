internal import Composable
internal import Journal
internal import StateModel
internal import SyncProtocol

/// Runs an app's reducer again over a journal's actions, with the dates and seeds that they had, and
/// compares what comes of it: finds a reducer that is not deterministic, and a new version that would
/// change history, before it goes live.
///
/// Effects are not run: the actions that they sent are in the journal. Synchronous cascades are not
/// in it: they run again. Digests are compared after each row; in a row that differs, after each
/// action.
struct Replay<App: DaemonApp> {
  private var hosted: HostedApp<App.Root>
  private var report: ReplayReport
  private let pass: JournalPass
  /// The row to begin behind.
  private var row: UInt64

  /// Begins at the first row where the state before it is known: the app's initial one, where the
  /// journal began with that, else the snapshot; and behind the last migration, since what is before
  /// it was another version's.
  init(_ app: App, _ pass: JournalPass, issues: @escaping @Sendable (String) -> Void) throws {
    self.pass = pass
    let start = try Self.start(app, pass)
    row = start.row
    report = ReplayReport(base: start.commit, last: start.commit, note: start.note)
    hosted = HostedApp(
      reducer: app.reducer, state: start.state, views: [], started: app.started,
      alertPlaces: app.alertPlaces, actionStep: app.actionStep,
      guests: GuestActions(
        presence: { app.presenceChanged($0) }, handles: { app.handlesChanged($0) }),
      // Whether somebody might send it was decided then.
      authorize: { _, _ in true }, report: { issues($0.description) })
  }

  /// Runs everything, up to the first difference.
  mutating func run() throws(JournalError) -> ReplayReport {
    var copy = self
    try pass.forEach(from: row + 1) { copy.take($0) }
    self = copy
    return report
  }

  // MARK: The start

  private struct Start {
    var row: UInt64
    var commit: CommitNumber
    var state: App.Root.State
    var note: String?
  }

  private static func start(_ app: App, _ pass: JournalPass) throws -> Start {
    let snapshot = pass.snapshot
    let migration = try lastMigration(pass)
    if let migration, migration.row > snapshot.row { return try start(behind: migration, pass) }
    if migration == nil, snapshot.row > 0, let rows = pass.rows, rows.lowerBound == 1 {
      let initial = app.initialState
      if try begins(with: initial, pass) {
        return Start(row: 0, commit: .zero, state: initial, note: nil)
      }
    }
    let state = try Self.state { try App.Root.State(encoded: snapshot.state) }
    var note: String?
    if let rows = pass.rows, rows.lowerBound <= snapshot.row {
      note =
        "what is before commit \(snapshot.commit) is not run again: the state that it began with "
        + (migration != nil
          ? "was another version's"
          : rows.lowerBound == 1 ? "is not this version's initial one" : "is not kept")
    }
    return Start(row: snapshot.row, commit: snapshot.commit, state: state, note: note)
  }

  private static func state(_ read: () throws -> App.Root.State) throws -> App.Root.State {
    do {
      return try read()
    } catch {
      throw HostFailure(
        "the state in the journal is not one that this version of the app reads: \(error)",
        advice:
          "Replay it with the version that wrote it; if that is an earlier one, start this one on it "
          + "once: that migrates it.")
    }
  }

  /// Where the state was last brought to another schema, among the rows that are kept.
  private static func lastMigration(
    _ pass: JournalPass
  ) throws(JournalError) -> (row: UInt64, commit: CommitNumber)? {
    var last: (row: UInt64, commit: CommitNumber)?
    guard let rows = pass.rows else { return nil }
    try pass.forEach(from: rows.lowerBound) { row in
      // It is a row of its own.
      if case .migrated = row.entries.first?.kind { last = (row.id, row.last) }
      return true
    }
    return last
  }

  private static func start(
    behind migration: (row: UInt64, commit: CommitNumber), _ pass: JournalPass
  ) throws -> Start {
    let state = try Self.state {
      var value = try Value(encoded: pass.snapshot.state)
      try pass.forEach(from: pass.snapshot.row + 1) { row in
        guard row.id <= migration.row else { return false }
        return row.entries.allSatisfy { apply($0.rootDelta, to: &value) }
      }
      return try App.Root.State(value)
    }
    return Start(
      row: migration.row, commit: migration.commit, state: state,
      note: "what is before commit \(migration.commit) is not run again: the state was another "
        + "version's")
  }

  /// Whether the first row's changes make of `state` what the first row says. Where they happen to
  /// set all that is different, the replay differs at the first commit.
  private static func begins(
    with state: App.Root.State, _ pass: JournalPass
  ) throws(JournalError) -> Bool {
    var isSame = false
    try pass.forEach(from: 1) { row in
      var value = Value(of: state)
      isSame =
        row.entries.allSatisfy { Self.apply($0.rootDelta, to: &value) }
        && value.digest == row.rootDigest
      return false
    }
    return isSame
  }

  private static func apply(_ delta: Delta, to value: inout Value) -> Bool {
    do throws(DeltaFailure) {
      try delta.read { (change) throws(DeltaFailure) in try value.apply(change, at: 0) }
      return true
    } catch {
      return false
    }
  }

  // MARK: A row

  /// Runs a row; false at a difference.
  private mutating func take(_ row: JournalRow) -> Bool {
    let before = hosted.checkpoint
    let counts = report
    for index in row.entries.indices where !perform(row, index) { return false }
    guard hosted.rootDigest == row.rootDigest else {
      hosted.restore(before)
      report = counts
      find(row)
      return false
    }
    report.last = row.last
    return true
  }

  /// Which action of a row makes the difference.
  private mutating func find(_ row: JournalRow) {
    var value = Value(of: hosted.state)
    for (index, entry) in row.entries.enumerated() {
      guard perform(row, index) else { return }
      guard Self.apply(entry.rootDelta, to: &value), hosted.rootDigest == value.digest else {
        return differ(
          row, entry, "the state's digest is \(hosted.rootDigest), the journal's \(value.digest)")
      }
    }
    // Not the same the second time: it depends on something that is in neither.
    if let last = row.entries.last {
      differ(row, last, "the state is another one each time that it is run")
    }
  }

  /// Runs one entry; false at a difference that shows without a digest.
  private mutating func perform(_ row: JournalRow, _ index: Int) -> Bool {
    let entry = row.entries[index]
    guard let commit = entry.outcome.commit else {
      return refuseAgain(row, index)
    }
    let performed = hosted.perform(commitEntry(row, entry, commit))
    report.actions += 1
    guard performed.code == entry.outcome.code else {
      let text = performed.text.isEmpty ? "" : " (\(performed.text))"
      differ(
        row, entry,
        "it was \(entry.outcome.code.rawValue), and is \(performed.code.rawValue)\(text)")
      return false
    }
    return true
  }

  /// One that was refused is refused again, for whatever reason.
  private mutating func refuseAgain(_ row: JournalRow, _ index: Int) -> Bool {
    let entry = row.entries[index]
    guard Self.isJudged(row.entries, index) else {
      report.skipped += 1
      return true
    }
    let before = hosted.checkpoint
    let commit =
      (row.entries[..<index].last { $0.outcome.commit != nil }?.outcome.commit ?? row.base)
    let performed = hosted.perform(commitEntry(row, entry, commit.next))
    report.actions += 1
    guard performed.code == .ok || performed.code == .noChange else {
      report.refused += 1
      return true
    }
    hosted.restore(before)
    differ(
      row, entry, "it was refused (\(entry.outcome.code.rawValue)), and is applied", at: commit)
    return false
  }

  /// Whether what refused it is in the journal: conditions, policies and giving up are not, nor the
  /// actions before it in an atomic request that was refused as a whole.
  private static func isJudged(_ entries: [JournalEntry], _ index: Int) -> Bool {
    let entry = entries[index]
    if [.conflict, .cancelled, .forbidden].contains(entry.outcome.code) { return false }
    return !entries.contains {
      $0.session == entry.session && $0.outcome.code == .cancelled
        && $0.payloadHash != Bytes16(high: 0, low: 0)
    }
  }

  private func commitEntry(
    _ row: JournalRow, _ entry: JournalEntry, _ commit: CommitNumber
  ) -> CommitEntry {
    CommitEntry(
      kind: entry.kind, commit: commit, origin: entry.origin, epoch: row.epoch, date: entry.date,
      seed: entry.seed,
      wantsRootDelta: false)
  }

  private mutating func differ(
    _ row: JournalRow, _ entry: JournalEntry, _ text: String, at commit: CommitNumber? = nil
  ) {
    report.difference = ReplayReport.Difference(
      row: row.id, commit: entry.outcome.commit ?? commit ?? row.base, action: Self.name(entry),
      text: text, otherSchema: row.schemaHash == hosted.schemaHash ? nil : row.schemaHash)
  }

  private static func name(_ entry: JournalEntry) -> String {
    switch entry.kind {
    case .started: "the first action of a start"
    case .migrated: "the migration of the state"
    case .presence: "a client that comes or goes"
    case .effect(_, let cause): "an action of an effect of commit \(cause)"
    case .client:
      "action \(entry.outcome.number) of client \(entry.origin.map(String.init) ?? "unknown")"
    }
  }
}
