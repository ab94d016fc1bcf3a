import StateModel
import Testing

@Suite("Rule 15: bindings by name")
struct BindingPathsTests {
  private func schema(_ root: SchemaNode, _ types: [String: Schema.NamedType]) -> Schema {
    var schema = Schema(of: Int.self)
    schema.root = root
    schema.types = types
    return schema
  }

  /// App: counter(Counter), row(id: Int, action: Row), cell(at: String, in: Row), self(App), other.
  private var app: BindingPaths {
    let step = Schema.Field(name: "step", type: .integer(least: -10, greatest: 10))
    let title = Schema.Field(name: "title", type: .text)
    return BindingPaths(
      schema(
        .named("App"),
        [
          "App": .enumeration([
            .init(name: "other", payload: .none),
            .init(name: "plain", payload: .single(.text)),
            .init(name: "counter", payload: .single(.named("Counter"))),
            .init(name: "again", payload: .single(.named("App"))),
            .init(
              name: "row",
              payload: .fields([
                .init(name: "id", type: .integer(least: 0, greatest: 99)),
                .init(name: "action", type: .named("Row")),
              ])),
            .init(
              name: "person",
              payload: .fields([
                .init(name: "action", type: .named("Row")),
                .init(name: "who", type: .standard("UUID")),
              ])),
          ]),
          "Counter": .enumeration([
            .init(name: "tapped", payload: .none),
            .init(name: "binding", payload: .single(.binding([step, title]))),
          ]),
          "Row": .enumeration([
            .init(name: "edited", payload: .single(.binding([title])))
          ]),
        ]))
  }

  @Test(
    "A name stands for an action, and the action for the name",
    arguments: [
      ("counter.step", ["counter": ["binding": ["step": 3]]]),
      ("again.counter.step", ["again": ["counter": ["binding": ["step": 3]]]]),
      ("row.7.title", ["row": ["id": 7, "action": ["edited": ["title": 3]]]]),
      (
        "person.00112233445566778899aabbccddeeff.title",
        [
          "person": [
            "who": .tag(
              37, .bytes([0, 17, 34, 51, 68, 85, 102, 119, 136, 153, 170, 187, 204, 221, 238, 255])),
            "action": ["edited": ["title": 3]],
          ]
        ]
      ),
    ] as [(String, Value)])
  func both(name: String, action: Value) throws {
    let bytes = try #require(app.action(setting: name, to: Value.unsigned(3).encoded()))
    #expect(try Value(encoded: bytes) == action)
    let found = try #require(app.find(in: bytes))
    #expect(found.name == name)
    #expect(Array(bytes[found.value]) == [3])
    let another = try #require(app.action(setting: name, to: "longer".encoded()))
    #expect(app.find(in: another)?.key == found.key)
    #expect(app.field(named: name)?.name == name.split(separator: ".").last.map(String.init))
  }

  @Test(
    "What is no field has no action",
    arguments: [
      "", "counter", "step", "counter.count", "counter.step.more", "row.title", "row.x.title",
      "row.7", "row.7.8.title", "person.12.title", "plain", "counter..step",
    ])
  func none(name: String) {
    #expect(app.action(setting: name, to: [0xF6]) == nil)
    #expect(app.field(named: name) == nil)
  }

  @Test(
    "What is no binding is told as none",
    arguments: [
      "other", ["plain": "x"], ["counter": "tapped"], ["counter": ["binding": ["count": 1]]],
      ["counter": ["binding": [:]]], ["counter": ["binding": ["step": 1, "title": 2]]], [:], 7,
      ["row": ["id": 7]], ["row": 7], ["row": ["id": 7, "action": "x"]],
    ] as [Value])
  func noBinding(action: Value) {
    #expect(app.find(in: action.encoded()) == nil)
  }

  @Test("Broken bytes are told as none")
  func broken() throws {
    let bytes = try #require(app.action(setting: "row.7.title", to: "text".encoded()))
    for count in 0..<bytes.count { #expect(app.find(in: Array(bytes[..<count])) == nil) }
  }

  @Test("Elements of one collection are different fields")
  func elements() throws {
    let seven = try #require(app.action(setting: "row.7.title", to: "x".encoded()))
    let eight = try #require(app.action(setting: "row.8.title", to: "x".encoded()))
    #expect(app.find(in: seven)?.key != app.find(in: eight)?.key)
  }

  @Test("All names are listed, with a place for an element's id")
  func names() {
    #expect(
      app.names == [
        "counter.step", "counter.title", "person.ID.title", "row.ID.title",
      ])
  }

  @Mirrored fileprivate enum Part {
    case binding(Row)
    @Wire(aliases: "row") case line(id: Int, action: Row)
    @Wire(aliases: "went") case gone(Int)
  }

  /// A binding action without the target that has them.
  fileprivate struct Row: Mirrored {
    var value: Value
    @Mirrored fileprivate struct Fields { @Wire(aliases: "text") @BindingState var label = "" }
    static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
      schema.bindings(of: Fields.self)
    }
    func encode(to encoder: inout CBOREncoder) { value.encode(to: &encoder) }
    init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
      value = try Value(from: &decoder)
    }
    func isIdentical(to other: Self) -> Bool { value.isIdentical(to: other.value) }
    var digest: Digest { value.digest }
    func writeDelta(from old: Self, to writer: inout DeltaWriter) {}
    mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {}
  }

  @Test("Former names of fields and cases stand for those of today; a schema alone knows none")
  func formerNames() throws {
    let paths = BindingPaths(ofAction: Part.self)
    #expect(paths.names == ["label", "line.ID.label"])
    for (name, action, today) in [
      ("text", ["binding": ["text": 3]], "label"),
      ("row.7.text", ["line": ["id": 7, "action": ["text": 3]]], "line.7.label"),
      ("line.7.text", ["line": ["id": 7, "action": ["text": 3]]], "line.7.label"),
    ] as [(String, Value, String)] {
      let bytes = try #require(paths.action(setting: name, to: [3]))
      #expect(try Value(encoded: bytes) == action)
      #expect(paths.find(in: bytes)?.name == today)
      #expect(paths.field(named: name)?.name == "label")
    }
    let sent: Value = ["row": ["id": 7, "action": ["text": 3]]]
    #expect(paths.find(in: sent.encoded())?.name == "line.7.label")
    #expect(paths.action(setting: "went.7.text", to: [3]) == nil)
    #expect(BindingPaths(Schema(of: Part.self)).action(setting: "text", to: [3]) == nil)
  }
}
