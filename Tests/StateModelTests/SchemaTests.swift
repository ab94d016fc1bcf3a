import StateModel
import Testing

@Mirrored private struct Counter {
  @BindingState var step = 1
  @BindingState var title = ""
  var count = 0
}

/// As `Composable.BindingAction` describes itself.
private struct Binding<Root: Mirrored>: Mirrored {
  var field = ""

  static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .binding(
      Root.bindingFields.map { Schema.Field(name: $0.name, type: $0.describe(&schema)) })
  }
  func encode(to encoder: inout CBOREncoder) { encoder.text(field) }
  init(from decoder: inout CBORDecoder) throws(DecodingFailure) { field = try decoder.text() }
  func isIdentical(to other: Self) -> Bool { field == other.field }
  var digest: Digest { field.digest }
  func writeDelta(from old: Self, to writer: inout DeltaWriter) {}
  mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {}
}

@Mirrored private indirect enum AppAction {
  case tapped
  case counter(CounterAction)
  case binding(Binding<Counter>)
  case row(id: Int, action: CounterAction)
  case again(AppAction)
}

@Mirrored private enum CounterAction {
  case increment
  case binding(Binding<Counter>)
}

private enum First {
  @Mirrored struct State { var n = 0 }
}

private enum Second {
  @Mirrored struct State { var text = "" }
}

@Mirrored private struct Both {
  var first = First.State()
  var second = Second.State()
  var box = Box(item: Leaf())
  var maybe: Either<Int, [Leaf]>?
}

/// The same module and name as another type, as far as names go that are stable.
private func anotherLeaf() -> any Mirrored.Type {
  struct Leaf: Mirrored {
    static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
      schema.named(Self.self) { _ in .structure([]) }
    }
    func encode(to encoder: inout CBOREncoder) { encoder.map(0) }
    init(from decoder: inout CBORDecoder) throws(DecodingFailure) { try decoder.skip() }
    func isIdentical(to other: Self) -> Bool { true }
    var digest: Digest { MapDigest().digest }
    func writeDelta(from old: Self, to writer: inout DeltaWriter) {}
    mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {}
  }
  return Leaf.self
}

@Suite("Schemas")
struct SchemaTests {
  @Test("A struct is described by its fields in wire order, with which of them may be absent")
  func structure() {
    let schema = Schema(of: Constants.self)
    let leaf = Schema.NamedType.structure([
      .init(name: "n", type: int, isOptional: true),
      .init(name: "text", type: .text, isOptional: true),
    ])
    #expect(schema.root == .named("Constants"))
    #expect(
      schema.types == [
        "Leaf": leaf,
        "Constants": .structure([
          .init(name: "id", type: int),
          .init(name: "note", type: .text, isOptional: true),
          .init(name: "items", type: .array(.named("Leaf"))),
        ]),
      ])
  }

  private var int: SchemaNode {
    .integer(least: Int64.min, greatest: UInt64(Int64.max))
  }

  @Test("An enum is described by its cases in wire order and what they carry")
  func enumeration() {
    let schema = Schema(of: Action.self)
    #expect(
      schema.types["Action"]
        == .enumeration([
          .init(name: "default", payload: .none),
          .init(name: "renamed", payload: .single(.named("Leaf"))),
          .init(
            name: "labelled",
            payload: .fields([
              .init(name: "id", type: int), .init(name: "zeta", type: .array(int)),
            ])),
          .init(name: "optional", payload: .single(.optional(int))),
          .init(name: "wildcard", payload: .single(int)),
          .init(
            name: "defaulted",
            payload: .fields([
              .init(name: "in", type: .text), .init(name: "count", type: int, isOptional: true),
            ])),
          .init(
            name: "unlabelled",
            payload: .fields([.init(name: "_0", type: int), .init(name: "_1", type: .text)])),
          .init(name: "nestedOptional", payload: .single(.optional(.optional(int)))),
        ]))
  }

  @Test("Recursive types end")
  func recursive() {
    #expect(
      Schema(of: Recursive.self).types == [
        "Recursive": .structure([
          .init(
            name: "named", type: .map(key: .text, value: .named("Recursive")), isOptional: true),
          .init(name: "children", type: .array(.named("Recursive")), isOptional: true),
        ])
      ])
  }

  @Test("Types are named as in Swift, without modules, with their generic arguments")
  func names() {
    #expect(
      Schema(of: Both.self).types.keys.sorted() == [
        "Both", "Box<Leaf>", "Either<Int, Array<Leaf>>", "First.State", "Leaf", "Second.State",
      ])
  }

  @Test("Two types of one name are told apart, the second by its module, then by a number")
  func collisions() {
    func describe<Root: Mirrored>(_ type: Root.Type, _ schema: inout SchemaBuilder) -> SchemaNode {
      type.describe(in: &schema)
    }
    var schema = SchemaBuilder()
    #expect(describe(Leaf.self, &schema) == .named("Leaf"))
    #expect(describe(anotherLeaf(), &schema) == .named("StateModelTests.Leaf"))
    #expect(describe(Leaf.self, &schema) == .named("Leaf"))
    #expect(schema.types.keys.sorted() == ["Leaf", "StateModelTests.Leaf"])
  }

  @Test("A schema comes back from the wire, and its hash does not change from run to run")
  func encoding() throws {
    let schema = Schema(of: AppAction.self)
    #expect(try Schema(encoded: schema.encoded()) == schema)
    let integer: Value = ["least": .integer(Int64.min), "greatest": .integer(Int64.max)]
    #expect(
      Value(of: Schema(of: Leaf.self)) == [
        "root": ["named": "Leaf"],
        "types": [
          "Leaf": [
            "structure": [
              ["name": "n", "type": ["integer": integer], "isOptional": true],
              ["name": "text", "type": "text", "isOptional": true],
            ]
          ]
        ],
      ])
    #expect(Schema(of: Leaf.self).hash == 15_896_312_698_605_582_435)
    #expect(Schema(of: Leaf.self).hash != Schema(of: Constants.self).hash)
  }

  @Test("The fields that an action can set are found by walking its cases")
  func settable() throws {
    let schema = Schema(of: AppAction.self)
    #expect(
      schema.settableFields.map { [$0.name] + $0.path } == [
        ["step", "binding"], ["title", "binding"],
        ["counter.step", "counter", "binding"], ["counter.title", "counter", "binding"],
      ])
    #expect(schema.settableFields == Schema.settableFields(ofAction: AppAction.self))
    let action = try #require(schema.bindingAction(field: "counter.step", value: 3.encoded()))
    #expect(try Value(encoded: action) == ["counter": ["binding": ["step": 3]]])
    #expect(schema.bindingAction(field: "counter.count", value: 3.encoded()) == nil)
    #expect(schema.bindingAction(field: "row.step", value: 3.encoded()) == nil)
  }
}
