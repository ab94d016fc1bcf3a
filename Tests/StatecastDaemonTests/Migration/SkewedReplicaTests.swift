import StateModel
import StatecastClient
import SyncProtocol
import Testing

/// A mirror of a view whose daemon is of another version than the program.
@Suite("State evolution: a mirror of another version's view")
struct SkewedReplicaTests {
  @Mirrored enum LaterStatus: Equatable {
    case open
    case paused(String)
  }

  @Mirrored struct LaterRow: Identifiable {
    var id: Int
    var status = LaterStatus.open
    var tags: [String] = []
  }

  @Mirrored struct Later {
    var rows: IdentifiedArrayOf<LaterRow> = []
    var total = 0
  }

  @Mirrored enum Status: Equatable { case open }

  @Mirrored struct Row: Identifiable, Equatable {
    var id: Int
    var status: Status
  }

  @Mirrored struct Earlier: Equatable {
    var rows: IdentifiedArrayOf<Row> = []
  }

  /// What the earlier program can read of a state.
  private static func readable(_ state: Later) -> Earlier {
    let rows = state.rows.filter { $0.status == .open }.map { Row(id: $0.id, status: .open) }
    return Earlier(rows: IdentifiedArray(rows))
  }

  private static func marks(_ state: Later) -> [String] {
    state.rows.enumerated().filter { $0.element.status != .open }
      .map { "rows.\($0.offset).status: there is no case 'paused'" }
  }

  @Test(
    "It is exact by the daemon's digest, shows what it can read and marks the rest",
    arguments: 0..<20)
  func followed(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var state = Later(rows: [LaterRow(id: 0), LaterRow(id: 1, status: .paused("x"))], total: 1)
    var replica = TypedReplica(Earlier.self)
    try replica.reset(to: state.encoded()[...], digest: state.digest)
    for step in 2..<60 {
      let before = state
      switch Int.random(in: 0..<6, using: &random) {
      case 0: state.total += 1
      case 1: state.rows.append(LaterRow(id: step, tags: ["new"]))
      case 2: state.rows.append(LaterRow(id: step, status: .paused("new")))
      case 3: if let row = state.rows.randomElement(using: &random) { state.rows[id: row.id] = nil }
      case 4:
        if let row = state.rows.randomElement(using: &random) {
          state.rows[id: row.id]?.status = row.status == .open ? .paused("now") : .open
        }
      default:
        if let row = state.rows.randomElement(using: &random) {
          state.rows[id: row.id]?.tags.append("t")
        }
      }
      try replica.apply(state.delta(from: before))
      #expect(replica.digest == state.digest, "seed \(seed), step \(step)")
      #expect(replica.value == Self.readable(state), "seed \(seed), step \(step)")
      #expect(replica.omissions.parts.map(\.description) == Self.marks(state))
    }
  }

  @Test("A later program's mirror of an earlier daemon has defaults for what that does not have")
  func laterProgram() throws {
    var state = Earlier(rows: [Row(id: 0, status: .open)])
    var replica = TypedReplica(Later.self)
    try replica.reset(to: state.encoded()[...], digest: state.digest)
    #expect(replica.digest == state.digest)
    #expect(replica.value?.rows[id: 0]?.tags == [])
    let before = state
    state.rows.append(Row(id: 1, status: .open))
    try replica.apply(state.delta(from: before))
    #expect(replica.digest == state.digest)
    #expect(replica.value?.rows.count == 2)
    #expect(replica.value?.total == 0)
    #expect(replica.omissions.isEmpty)
  }

  @Test("Between equal versions nothing is kept beside the value, and a delta must fit it")
  func equalVersions() throws {
    let state = Earlier(rows: [Row(id: 0, status: .open)])
    var replica = TypedReplica(Earlier.self)
    try replica.reset(to: state.encoded()[...], digest: state.digest)
    let later = Later(rows: [LaterRow(id: 0, status: .paused("x"))])
    #expect(throws: DeltaFailure.self) {
      try replica.apply(later.delta(from: Later(rows: [LaterRow(id: 0)])))
    }
    #expect(replica.digest == state.digest)
    #expect(replica.value == state)
  }
}
