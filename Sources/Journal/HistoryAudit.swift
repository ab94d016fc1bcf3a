internal import SyncProtocol

/// Whether rows make sense as a history, beyond their bytes: commits follow one another, each
/// session's numbers too, and epochs do not go back.
///
/// Hashes and digests prove that the rows are those that were written; this finds what should never
/// have been written. Pure: rows in, contradictions out.
struct HistoryAudit {
  /// More say nothing new.
  static let longestList = 20

  private(set) var contradictions: [String] = []
  private let lineage: Lineage
  /// The starts in order, and the place of each; nil where old ones have been dropped.
  private let epochs: [EpochRecord]?
  private let places: [UInt64: Int]
  /// The place of the last row's start; nil before the first row.
  private var place: Int?
  /// The last number of each session that has been seen.
  private(set) var numbers: [SessionID: (base: CommitNumber, last: ActionNumber)] = [:]

  /// - Parameter epochs: all of them, in order; nil when the first ones are not kept any more.
  init(lineage: Lineage, epochs: [EpochRecord]?) {
    self.lineage = lineage
    self.epochs = epochs
    places = Dictionary((epochs ?? []).enumerated().map { ($1.epoch.rawValue, $0) }) { $1 }
  }

  /// The next row.
  mutating func take(_ row: JournalRow) {
    if row.lineage != lineage { note("row \(row.id) is of another lineage") }
    takeStart(of: row)
    for session in row.droppedSessions { numbers[session] = nil }
    var commit = row.base
    for entry in row.entries {
      if let own = entry.outcome.commit {
        if own != commit, own != commit.next {
          note("row \(row.id): commit \(own) stands behind commit \(commit)")
        }
        commit = own
      }
      takeNumber(of: entry, in: row.id)
    }
    if commit != row.last { note("row \(row.id) says it ends at \(row.last), and at \(commit)") }
  }

  private mutating func takeStart(of row: JournalRow) {
    guard let epochs else { return }
    guard let next = places[row.epoch.rawValue] else {
      return note("row \(row.id) is of a start that is not in the table")
    }
    if let place {
      if next < place { note("row \(row.id) is of an earlier start than the one before") }
      // Those between them wrote nothing, so that they all began where this one did.
      if next > place { checkStarts(epochs[(place + 1)...next], row.base) }
    }
    place = next
  }

  private mutating func checkStarts(_ starts: ArraySlice<EpochRecord>, _ commit: CommitNumber) {
    for start in starts where start.after != commit {
      note("a start is said to have been after commit \(start.after), and was after \(commit)")
    }
  }

  private mutating func takeNumber(of entry: JournalEntry, in row: UInt64) {
    guard let session = entry.session else { return }
    let number = entry.outcome.number
    if let before = numbers[session], before.base == entry.sessionBase, number != before.last + 1 {
      note("row \(row): action \(number) of session \(session) stands behind \(before.last)")
    }
    numbers[session] = (entry.sessionBase, number)
  }

  /// After the last row: the sessions must be those that recovery makes of it.
  mutating func finish(at commit: CommitNumber, _ table: SessionTable) {
    if let epochs, let place { checkStarts(epochs[(place + 1)...], commit) }
    for (session, seen) in numbers {
      guard let record = table.records[session], record.last != seen.last else { continue }
      note(
        "session \(session) is said to have come to action \(record.last), and its last is \(seen.last)"
      )
    }
  }

  private mutating func note(_ text: String) {
    if contradictions.count < Self.longestList { contradictions.append(text) }
  }
}
