import Journal
import StateModel
import SyncProtocol

/// A small daemon's worth of history: a counter, a list, and the sessions that changed them.
struct History {
  let lineage: Lineage
  var epoch: Epoch
  var row: UInt64 = 0
  var commit = CommitNumber.zero
  /// Large enough that the first delta does not set it as a whole.
  var state: Value = [
    "about": .text(String(repeating: "about ", count: 200)), "count": 0, "log": [],
  ]
  var replay = SessionReplay()
  private var random: SeededGenerator

  init(_ recovery: JournalRecovery, seed: UInt64 = 1) {
    lineage = recovery.history.lineage
    epoch = recovery.history.epochs.last?.epoch ?? Epoch(rawValue: 0)
    row = recovery.history.lastRow
    commit = recovery.history.commit
    if let state = recovery.state { self.state = state }
    replay = SessionReplay(from: recovery.history.sessions)
    random = SeededGenerator(seed: seed)
  }

  /// A row of `count` actions, of which one in eight is rejected.
  mutating func next(_ count: Int = 3, bytes: Int = 24) -> JournalRow {
    let base = commit
    var entries: [JournalEntry] = []
    for _ in 0..<count {
      let client = random.next() % 5
      let session = SessionID(Bytes16(high: 7, low: client))
      let number = (replay.table.records[session]?.last ?? 0) + 1
      let isRejected = random.next().isMultiple(of: 8)
      var after = state
      if !isRejected {
        commit = commit.next
        after = changed(bytes: bytes)
      }
      let entry = JournalEntry(
        session: session, sessionBase: .zero, owner: "1000", number: number,
        payloadHash: Bytes16(high: random.next(), low: number), origin: client + 1,
        kind: .client(.perform(action: Value.text("act").encoded())),
        outcome: Outcome(
          number: number, code: isRejected ? .rejected : .ok, commit: isRejected ? nil : commit),
        date: 0.5, seed: random.next(), rootDelta: after.delta(from: state))
      state = after
      entries.append(entry)
      replay.apply(entry, on: self)
    }
    row += 1
    return JournalRow(
      id: row, lineage: lineage, epoch: epoch, base: base, last: commit, entries: entries,
      rootDigest: state.digest, schemaHash: 11, floor: .zero)
  }

  /// A row that brings the state to another schema.
  mutating func migrated() -> JournalRow {
    let before = state
    state["about"] = "migrated"
    state["new"] = 1
    row += 1
    let base = commit
    commit = commit.next
    return JournalRow(
      id: row, lineage: lineage, epoch: epoch, base: base, last: commit,
      entries: [
        JournalEntry(
          session: nil, sessionBase: .zero, owner: "", number: 0,
          payloadHash: Bytes16(high: 0, low: 0), origin: nil, kind: .migrated(schemaHash: 11),
          outcome: Outcome(number: 0, code: .ok, commit: commit), date: 0.5, seed: 0,
          rootDelta: state.delta(from: before))
      ],
      rootDigest: state.digest, schemaHash: 12, floor: .zero)
  }

  /// The state after one more action.
  private mutating func changed(bytes: Int) -> Value {
    let text = String(repeating: "x", count: bytes) + String(random.next(), radix: 36)
    var log = Array(state.entries?["log"]?.elements ?? [])
    log.append(.text(text))
    if log.count > 20 { log.removeFirst(10) }
    let count = state.entries?["count"]?.integer ?? 0
    return [
      "about": state.entries?["about"] ?? .null, "count": .integer(Int64(count + 1)),
      "log": .array(log),
    ]
  }

  var snapshot: JournalSnapshot {
    JournalSnapshot(
      row: row, commit: commit, state: state.encoded(), digest: state.digest, schemaHash: 11,
      sessions: replay.finish())
  }
}

extension SessionReplay {
  /// One entry by itself: rows are made entry by entry here.
  fileprivate mutating func apply(_ entry: JournalEntry, on history: History) {
    apply(
      JournalRow(
        id: 0, lineage: history.lineage, epoch: history.epoch, base: .zero, last: .zero,
        entries: [entry], rootDigest: Digest(rawValue: 0), schemaHash: 0, floor: .zero))
  }
}

extension JournalOptions {
  /// Small files: a test is no benchmark.
  static var small: JournalOptions {
    var options = JournalOptions()
    options.logBytes = 256 << 10
    options.reserveBytes = 0
    return options
  }
}
