import StateModel
import Testing

@testable import SyncProtocol

@Suite("Journal rows as bytes")
struct WireJournalRowTests {
  static func entry(
    _ session: SessionID?, _ number: ActionNumber, _ kind: CommitEntry.Kind,
    outcome: Code = .ok, text: String = "", origin: PublicNumber? = 4
  ) -> JournalEntry {
    JournalEntry(
      session: session, sessionBase: 3, owner: "1000", number: number,
      payloadHash: Bytes16(high: 1, low: number), origin: origin, kind: kind,
      outcome: Outcome(number: number, code: outcome, commit: 8, text: text),
      date: 790_000_000.25, seed: UInt64.max, rootDelta: Delta.empty)
  }

  static let row = JournalRow(
    id: 12, lineage: WireSamples.lineage, epoch: WireSamples.epoch, base: 7, last: 9,
    entries: [
      entry(WireSamples.session, 1, .client(.perform(action: WireSamples.action))),
      entry(
        WireSamples.session, 2, .client(.set(field: "text", value: [0x60])), outcome: .rejected,
        text: "not now"),
      entry(WireSamples.session, 3, .client(.answer(alert: [0x01], button: nil))),
      entry(WireSamples.session, 4, .client(.other(kind: "burnt")), outcome: .cancelled),
      entry(nil, 0, .effect(action: WireSamples.action, cause: 7), origin: nil),
      entry(nil, 0, .started, origin: nil),
      entry(nil, 0, .migrated(schemaHash: .max), origin: nil),
    ],
    rootDigest: Digest(rawValue: 99), schemaHash: 5, droppedSessions: [WireSamples.session],
    floor: 6)

  @Test("a row comes back as it was")
  func rowRoundTrip() throws {
    #expect(try JournalRow(encoded: Self.row.encoded()) == Self.row)
  }

  @Test("a row of a newer format says which version is needed")
  func newerRow() {
    var bytes = Self.row.encoded()
    bytes[1] = 2
    let failure = #expect(throws: DecodingFailure.self) { try JournalRow(encoded: bytes) }
    #expect(
      failure?.message == "the journal row has format 2, this version reads format 1: "
        + "use a version of Statecast that reads format 2")
  }

  @Test("a cut row is refused wherever it is cut")
  func cutRow() {
    let bytes = Self.row.encoded()
    for length in 0..<bytes.count {
      #expect(throws: DecodingFailure.self) { try JournalRow(encoded: Array(bytes.prefix(length))) }
    }
  }

  @Test("rows fold into the session table, and the table comes back as it was")
  func fold() throws {
    var replay = SessionReplay(window: 3)
    var row = Self.row
    row.droppedSessions = []
    replay.apply(row)
    let table = replay.finish()
    let record = try #require(table.records[WireSamples.session])
    #expect(record.last == 4)
    #expect(record.base == 3)
    #expect(record.owner == "1000")
    #expect(record.publicNumber == 4)
    #expect(record.outcomes.map(\.outcome.number) == [2, 3, 4])
    #expect(record.outcomes.map(\.outcome.code) == [.rejected, .ok, .cancelled])
    #expect(table.nextPublicNumber == 5)
    #expect(table.floor == 6)
    #expect(table.records.count == 1)
    #expect(try SessionTable(encoded: table.encoded()) == table)
    row.droppedSessions = [WireSamples.session]
    row.entries = []
    replay.apply(row)
    #expect(replay.table.records.isEmpty)
    // Dropped and opened anew in one row: the entries are the new one's.
    replay.apply(Self.row)
    #expect(replay.table.records[WireSamples.session]?.outcomes.count == 4)
  }
}
