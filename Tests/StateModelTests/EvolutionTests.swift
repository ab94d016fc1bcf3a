import StateModel
import Testing

/// What a later version of a program has.
private enum Later {
  @Mirrored enum Status: Equatable {
    case open
    case done(at: Int)
    case paused(String)
    case lost
  }

  @Mirrored struct Row: Identifiable, Equatable {
    var id: Int
    var a: String = "first in wire order"
    var status = Status.open
    var tags: [String] = []
    var zzzzzzzzzz: [String: Int] = [:]
  }

  @Mirrored struct State: Equatable {
    var rows: IdentifiedArrayOf<Row> = []
    var total = 0
  }
}

/// What an earlier one has, that declared places for what would come.
private enum Careful {
  @Mirrored enum Status: Equatable {
    case open
    case done(at: Int)
    case other(UnknownCase)
  }

  @Mirrored struct Row: Identifiable, Equatable {
    let id: Int
    var status = Status.open
    var further = UnknownFields()
  }

  @Mirrored struct State: Equatable {
    var rows: IdentifiedArrayOf<Row> = []
    var further: UnknownFields = .init()
  }
}

/// The same without places.
private enum Plain {
  @Mirrored enum Status: Equatable {
    case open
    case done(at: Int)
  }

  @Mirrored struct Row: Identifiable, Equatable {
    var id: Int
    var status: Status
  }

  @Mirrored struct State: Equatable {
    var rows: IdentifiedArrayOf<Row> = []
  }

  /// The statuses in every kind of thing that can do without one.
  @Mirrored struct Everywhere: Equatable {
    var all: [Status] = []
    var known: Set<Int> = []
    var named: [String: Status] = [:]
    var sorted: SortedDictionary<Int, Status> = [:]
    var perhaps: Status?
    var nested: Status??
    var usual = Status.done(at: 1)
    var count = 0
  }
}

/// Two versions of a program that mean the same data.
@Suite("State evolution: what another version of the program knows")
struct EvolutionTests {
  private static func status(_ random: inout SeededGenerator) -> Later.Status {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: .open
    case 1: .done(at: Int.random(in: 0..<9, using: &random))
    case 2: .paused("\(Int.random(in: 0..<9, using: &random))")
    default: .lost
    }
  }

  private static func state(_ random: inout SeededGenerator) -> Later.State {
    let rows = (0..<Int.random(in: 0..<7, using: &random)).map { id in
      Later.Row(
        id: id, a: "\(Int.random(in: 0..<3, using: &random))", status: status(&random),
        tags: (0..<Int.random(in: 0..<3, using: &random)).map { "\($0)" },
        zzzzzzzzzz: ["x": Int.random(in: 0..<3, using: &random)])
    }
    return Later.State(
      rows: IdentifiedArray(rows.shuffled(using: &random)),
      total: Int.random(in: 0..<3, using: &random))
  }

  @Test("With places an earlier version has the same bytes, digests and deltas", arguments: 0..<20)
  func places(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      let (one, other) = (Self.state(&random), Self.state(&random))
      var mirror = try Careful.State(encoded: one.encoded())
      #expect(mirror.encoded() == one.encoded())
      #expect(mirror.digest == one.digest)
      // The daemon's delta, and what this program would write for the same change.
      let next = try Careful.State(encoded: other.encoded())
      try mirror.apply(other.delta(from: one))
      #expect(mirror == next, "seed \(seed)")
      #expect(mirror.isIdentical(to: next))
      #expect(mirror.digest == other.digest)
      var value = Value(of: one)
      try value.apply(next.delta(from: try Careful.State(encoded: one.encoded())))
      #expect(value == Value(of: other), "seed \(seed)")
    }
  }

  @Test("A row that an earlier version changes and sends back keeps what it does not know")
  func writtenBack() throws {
    let row = Later.Row(
      id: 1, a: "kept", status: .paused("until noon"), tags: ["x"], zzzzzzzzzz: ["y": 2])
    var mine = try Careful.Row(encoded: row.encoded())
    #expect(mine.further.names == ["a", "tags", "zzzzzzzzzz"])
    #expect(mine.further["tags"] == ["x"])
    #expect(mine.further["status"] == nil)
    guard case .other(let status) = mine.status else {
      Issue.record("\(mine.status) is not the place")
      return
    }
    #expect(status.name == "paused")
    #expect(status.payload == "until noon")
    #expect(try Later.Row(encoded: mine.encoded()) == row)
    mine.status = .done(at: 3)
    var expected = row
    expected.status = .done(at: 3)
    #expect(try Later.Row(encoded: mine.encoded()) == expected)
    mine.further = UnknownFields()
    #expect(try Later.Row(encoded: mine.encoded()) == Later.Row(id: 1, status: .done(at: 3)))
  }

  @Test("A field's former name is no unknown field")
  func formerNames() throws {
    let old: Value = ["caption": "x", "id": 1, "zebra": 2]
    let named = try Named(old)
    #expect(named.title == "x")
    #expect(named.further.names == ["zebra"])
    #expect(Value(of: named) == ["id": 1, "title": "x", "zebra": 2])
  }

  @Mirrored struct Named {
    let id: Int
    @Wire(aliases: "caption") var title = ""
    var further = UnknownFields()
  }

  @Test("Without places an unknown case is an error that names the path, and unknown fields go")
  func withoutPlaces() throws {
    let state = Later.State(
      rows: [Later.Row(id: 5), Later.Row(id: 6, status: .paused("x"))], total: 1)
    let failure = #expect(throws: DecodingFailure.self) {
      try Plain.State(encoded: state.encoded())
    }
    #expect(failure?.description == "rows.1.status: there is no case 'paused'")
    let known = Later.State(rows: [Later.Row(id: 5)], total: 1)
    #expect(
      try Plain.State(encoded: known.encoded())
        == Plain.State(rows: [Plain.Row(id: 5, status: .open)]))
  }

  private func read<Root: Mirrored>(
    _ value: Value
  ) throws -> (value: Root, said: [String], count: Int) {
    var omissions = Omissions()
    let root = try Root(encoded: value.encoded()[...], omitting: &omissions)
    return (root, omissions.parts.map(\.description), omissions.count)
  }

  @Test("A lenient reading leaves out the row that it cannot read, and marks it")
  func oneRow() throws {
    let rows = (0..<1000).map {
      Later.Row(id: $0, status: $0 == 700 ? .paused("x") : .open, tags: ["t"])
    }
    let (state, said, count): (Plain.State, [String], Int) = try read(
      Value(of: Later.State(rows: IdentifiedArray(rows))))
    #expect(count == 1)
    #expect(said == ["rows.700.status: there is no case 'paused'"])
    #expect(state.rows.count == 999)
    #expect(state.rows[id: 700] == nil)
    #expect(state.rows[id: 701] == Plain.Row(id: 701, status: .open))
  }

  @Test("It leaves out elements, values of maps, what optionals hold, and fields with a default")
  func everywhere() throws {
    let (value, said, count): (Plain.Everywhere, [String], Int) = try read([
      "all": ["open", "lost", ["done": ["at": 4]], ["paused": "x"]],
      "known": [1, 2, "three"],
      "named": ["a": "lost", "b": "open"],
      "sorted": .map([(1, "open"), (2, "lost")]),
      "perhaps": "lost", "nested": ["lost"], "usual": "lost", "count": 3,
    ])
    #expect(
      value
        == Plain.Everywhere(
          all: [.open, .done(at: 4)], known: [1, 2], named: ["b": .open], sorted: [1: .open],
          perhaps: nil, nested: .some(nil), usual: .done(at: 1), count: 3))
    #expect(count == 8)
    #expect(
      Set(said) == [
        "all.1: there is no case 'lost'", "all.3: there is no case 'paused'",
        "known.2: expected an integer, found a text",
        "named.a: there is no case 'lost'", "sorted.2: there is no case 'lost'",
        "perhaps: there is no case 'lost'", "nested.0: there is no case 'lost'",
        "usual: there is no case 'lost'",
      ])
  }

  @Test("Only the first hundred are named, and all are counted")
  func many() throws {
    let (value, said, count): ([Plain.Status], [String], Int) = try read(
      .array([Value](repeating: "lost", count: 250)))
    #expect(value.isEmpty)
    #expect(said.count == Omissions.partsKept)
    #expect(count == 250)
  }

  @Test("What nothing can do without is an error still, and so is what is not well-formed")
  func stillRefused() {
    #expect(throws: DecodingFailure(.unknownCase, "there is no case 'lost'")) {
      let _: (Plain.Status, [String], Int) = try read("lost")
    }
    #expect(throws: DecodingFailure.self) {
      var omissions = Omissions()
      // [0, a text that is cut].
      _ = try [Int](encoded: [0x82, 0x00, 0x63, 0x61], omitting: &omissions)
    }
  }
}

/// What the article on changing the state says of payloads.
@Suite("A payload whose labels change")
struct PayloadLabelTests {
  enum First {
    @Mirrored enum Action {
      case add(title: String, count: Int)
    }
  }

  enum Second {
    @Mirrored enum Action {
      case add(Order)
    }

    @Mirrored struct Order {
      @Wire(aliases: "title") var name = ""
      var count = 1
      var isUrgent = false
    }
  }

  @Test("A case with labels may become one with a struct, whose fields have aliases and defaults")
  func labels() throws {
    let before = First.Action.add(title: "milk", count: 2)
    let read = try Second.Action(encoded: before.encoded())
    #expect(read == .add(Second.Order(name: "milk", count: 2)))
    #expect(Value(of: read) == ["add": ["name": "milk", "count": 2, "isUrgent": false]])
  }
}

extension Value {
  fileprivate static func map(_ entries: [(Value, Value)]) -> Value { .map(ValueMap(entries)) }
}
