package import StateModel

/// The newest entries, in memory, for `log`: a ring that is written over.
struct ActionLog {
  struct Item {
    var commit: CommitNumber
    var origin: PublicNumber?
    var kind: CommitEntry.Kind
    var code: Code
    var text: String
    var date: Double

    var encodedKind: [UInt8] {
      var encoder = CBOREncoder()
      kind.encode(to: &encoder)
      return encoder.bytes
    }

    /// As `log` is answered.
    func value(_ entry: [UInt8]) -> Value {
      .map([
        "code": .text(code.rawValue), "date": .float(date), "text": .text(text),
        "entry": .bytes(entry), "commit": .unsigned(commit.rawValue),
        "origin": origin.map { .unsigned($0) } ?? .null,
      ])
    }
  }

  private var items: [Item] = []
  private var next = 0
  private let limit: Int

  init(limit: Int) { self.limit = max(1, limit) }

  mutating func append(_ item: Item) {
    if items.count < limit {
      items.append(item)
    } else {
      items[next] = item
      next = (next + 1) % limit
    }
  }

  /// The entries from `commit` on, oldest first, at most `count` of them.
  func items(from commit: CommitNumber, count: Int) -> [Item] {
    var found: [Item] = []
    for item in items[next...] + items[..<next] where item.commit >= commit {
      guard found.count < count else { break }
      found.append(item)
    }
    return found
  }
}

extension JournalRow {
  /// Its entries as `log` would tell them: those that were refused stand at the commit before them.
  package var logged: [Value] {
    var commit = base
    return entries.map { entry in
      commit = entry.outcome.commit ?? commit
      let item = ActionLog.Item(
        commit: commit, origin: entry.origin, kind: entry.kind, code: entry.outcome.code,
        text: entry.outcome.text, date: entry.date)
      return item.value(item.encodedKind)
    }
  }
}

extension AuthorityMachine {
  /// The log begins with the commit that brought the state from another version's schema: it was made
  /// before this machine, in the same run of the daemon.
  package mutating func noteMigration(
    _ commit: CommitNumber, from schemaHash: UInt64, date: Double
  ) {
    log.append(
      ActionLog.Item(
        commit: commit, origin: nil, kind: .migrated(schemaHash: schemaHash), code: .ok, text: "",
        date: date))
  }
}
