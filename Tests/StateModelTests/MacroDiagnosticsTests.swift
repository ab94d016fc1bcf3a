import Foundation
import Testing

/// What the compiler says to an author about types that cannot be mirrored, word for word.
@Suite("What @Mirrored says of what it cannot mirror")
struct MacroDiagnosticsTests {
  struct Refusal: Sendable, CustomTestStringConvertible {
    let name: String
    let source: String
    let said: [String]
    var testDescription: String { name }
  }

  /// Lines are counted from the `import` above each source: 2 is the source's first.
  static let refusals: [Refusal] = [
    Refusal(
      name: "class", source: "@Mirrored final class Model { var n = 0 }",
      said: [
        "2:17: error: '@Mirrored' cannot be on the class 'Model': a state is a value; "
          + "make it a struct",
        "fix: replace 'class' by 'struct' -> struct",
      ]),
    Refusal(
      name: "protocol", source: "@Mirrored protocol Shape {}",
      said: [
        "2:1: error: '@Mirrored' can only be on a struct or an enum: put it on the types themselves"
      ]),
    Refusal(
      name: "case paths", source: "import Composable\n@CasePathable struct Step {}",
      said: ["3:1: error: '@CasePathable' can only be on an enum: nothing else has cases"]),
    Refusal(
      name: "function",
      source: "@Mirrored struct Caller { var call: (@Sendable () -> Void)?; var more = { 3 } }",
      said: [
        "2:48: error: the property 'call' holds a function, which cannot be mirrored: keep the data "
          + "that the function needs, or send an action",
        "2:73: error: the property 'more' holds a function, which cannot be mirrored: keep the data "
          + "that the function needs, or send an action",
      ]),
    Refusal(
      name: "payload", source: "@Mirrored enum Message { case run(() -> Void), at(p: (Int, Int)) }",
      said: [
        "2:35: error: the payload of 'run' holds a function, which cannot be mirrored: keep the data "
          + "that the function needs, or send an action",
        "2:54: error: the payload of 'at' holds a tuple, which cannot be mirrored: declare a "
          + "'@Mirrored' struct with these fields",
      ]),
    Refusal(
      name: "tuple",
      source: "@Mirrored struct Place { var at: [(x: Int, y: Int)]; var to = (1, 2) }",
      said: [
        "2:35: error: the property 'at' holds a tuple, which cannot be mirrored: declare a "
          + "'@Mirrored' struct with these fields",
        "2:63: error: the property 'to' holds a tuple, which cannot be mirrored: declare a "
          + "'@Mirrored' struct with these fields",
      ]),
    Refusal(
      name: "lazy", source: "@Mirrored struct Late {\n  private lazy var n = 3\n}",
      said: [
        "3:11: error: the lazy property 'n' cannot be mirrored: it has no value until it is read; "
          + "remove 'lazy', or compute it",
        "fix: remove 'lazy' -> private var n = 3",
      ]),
    Refusal(
      name: "weak",
      source: "final class Owner: Sendable {}\n@Mirrored struct Owned { weak var owner: Owner? }",
      said: [
        "3:26: error: the weak property 'owner' cannot be mirrored: a reference means nothing in "
          + "another process; keep the id of what it refers to"
      ]),
    Refusal(
      name: "existential",
      source: "@Mirrored struct Any1 { var one: any Sendable; var two: [Any] }",
      said: [
        "2:34: error: the property 'one' holds 'any Sendable', whose type another process cannot "
          + "know: use a '@Mirrored' enum of the types it can be, or 'Value'",
        "2:58: error: the property 'two' holds 'Any', whose type another process cannot know: use a "
          + "'@Mirrored' enum of the types it can be, or 'Value'",
      ]),
    Refusal(
      name: "unwrapped", source: "@Mirrored struct Forced { var n: Int! }",
      said: [
        "2:34: error: the property 'n' cannot be mirrored as 'Int!': a peer may send null; "
          + "use 'Int?'",
        "fix: replace '!' by '?' -> Int?",
      ]),
    Refusal(
      name: "fields", source: "@Mirrored struct Twice { @Wire(\"b\") var a = 1; var b = 2 }",
      said: [
        "2:52: error: two fields are named 'b' on the wire: give one of them another name with "
          + "'@Wire(\"…\")'"
      ]),
    Refusal(
      name: "alias",
      source: "@Mirrored struct Former { @Wire(aliases: \"b\") var a = 1; var b = 2 }",
      said: [
        "2:62: error: two fields are named 'b' on the wire: give one of them another name with "
          + "'@Wire(\"…\")'"
      ]),
    Refusal(
      name: "cases", source: "@Mirrored enum Overloaded { case a(x: Int), a(y: Int) }",
      said: [
        "2:45: error: two cases are named 'a' on the wire: give one of them another name with "
          + "'@Wire(\"…\")'"
      ]),
    Refusal(
      name: "labels", source: "@Mirrored enum Labels { case a(Int, _0: Int) }",
      said: [
        "2:37: error: two labels are named '_0' on the wire: give one of them another name"
      ]),
    Refusal(
      name: "wire", source: "@Mirrored struct Named { @Wire(\"a\\(1)\") var a = 1 }",
      said: [
        "2:32: error: a name on the wire must be a text literal without interpolation"
      ]),
    Refusal(
      name: "many", source: "@Mirrored struct Many { @Wire(\"a\") var b = 1, c = 2 }",
      said: [
        "2:25: error: '@Wire' names one field or case: declare each on a line of its own"
      ]),
    Refusal(
      name: "places",
      source: "@Mirrored struct Places { var a = UnknownFields(); let b: UnknownFields }",
      said: [
        "2:56: error: 'b' is a second place for unknown fields: one is enough",
        "2:52: error: the place for unknown fields must be a 'var': a mirror changes it",
      ]),
    Refusal(
      name: "cases-places",
      source: "@Mirrored enum Others { case a(UnknownCase), b(of: UnknownCase, Int) }",
      said: [
        "2:46: error: the case for unknown cases carries an 'UnknownCase' alone, and without a "
          + "label: 'case b(UnknownCase)'",
        "2:46: error: 'b' is a second place for unknown cases: one is enough",
      ]),
    Refusal(
      name: "conditional",
      source: "@Mirrored struct Sometimes {\n#if DEBUG\n  var n = 1\n#endif\n}",
      said: [
        "4:3: error: a mirrored field or case cannot stand in '#if': both processes must have it; "
          + "move it out of the '#if'"
      ]),
    Refusal(
      name: "constant",
      source: "func fresh() -> Int { 1 }\n@Mirrored struct Fresh { let id = fresh(); let n = [1] }",
      said: [
        "3:26: error: 'let id' would get a value of its own in each process: a 'let' with a value is "
          + "not mirrored; make it 'var' to mirror it, or 'static let' if it is a constant",
        "fix: make it 'var' -> var",
        "fix: make it 'static let' -> static let id = fresh()",
      ]),
    Refusal(
      name: "noncopyable", source: "@Mirrored struct Unique: ~Copyable { var n = 1 }",
      said: ["2:26: error: a mirrored type must be copyable: remove '~Copyable'"]),
    Refusal(
      name: "pack", source: "@Mirrored struct Pack<each Item> { var n = 1 }",
      said: [
        "2:23: error: the parameter pack 'Item' cannot be mirrored: use a fixed number of parameters"
      ]),
    Refusal(
      name: "private", source: "struct Around { @Mirrored private struct Within { var n = 0 } }",
      said: [
        "2:27: error: a mirrored type within another cannot be 'private': its conformances would not "
          + "see it; make it 'fileprivate'",
        "fix: replace 'private' by 'fileprivate' -> fileprivate",
      ]),
    Refusal(
      name: "scope",
      source: "struct Around2 { private enum Between { @Mirrored struct Within { var n = 0 } } }",
      said: [
        "2:41: error: a mirrored type cannot stand within a 'private' type of another type: its "
          + "conformances would not see it; make the type around it 'fileprivate'"
      ]),
    Refusal(
      name: "digest", source: "@Mirrored struct Clash { var digest = 0 }",
      said: [
        "2:30: error: 'digest' is what 'Mirrored' calls the value's own digest: give the property "
          + "another name, and '@Wire(\"digest\")' to keep it on the wire"
      ]),
  ]

  static let checked = Result {
    try MacroCompiler(
      Dictionary(uniqueKeysWithValues: refusals.map { ($0.name, $0.source) }))
  }

  @Test("Each refusal says what is wrong and what to do", arguments: refusals)
  func refusal(_ refusal: Refusal) throws {
    let said = try Self.checked.get().said[refusal.name]
    #expect(said == refusal.said)
  }

  @Test("A field or payload whose type is not mirrored is told to be marked")
  func unmarked() throws {
    let checked = try MacroCompiler([
      "Plain": """
      struct Row { var n = 0 }
      @Mirrored struct Table { var rows: [Row] = [] }
      @Mirrored enum Message { case add(Row), put(Int, at: Row) }
      """
    ])
    for words in [
      "the type of a field must be mirrored: put '@Mirrored' on its declaration",
      "the type of a payload must be mirrored: put '@Mirrored' on its declaration",
      "requires that 'Row' conform to 'Mirrored'",
    ] {
      #expect(checked.output.contains(words))
    }
  }

  @Test("Types are as visible as what is around them")
  func visibility() throws {
    let checked = try MacroCompiler([
      "Visible": """
      public struct Around {}
      public extension Around { @Mirrored struct InPublic { public var n = 0 } }
      package extension Around { @Mirrored enum InPackage { case one(Int) } }
      private extension Around { @Mirrored struct InPrivate { var n = 0 } }
      private enum Between { @Mirrored public struct Within { var n = 0 } }
      public func all() -> [any Mirrored.Type] { [Around.InPublic.self, Around.InPackage.self] }
      """
    ])
    #expect(checked.output == "")
  }

  @Test(
    "The zoo compiles under other settings without a word",
    arguments: [
      ["-default-isolation", "MainActor"],
      ["-enable-upcoming-feature", "ExistentialAny", "-warnings-as-errors"],
      ["-enable-upcoming-feature", "MemberImportVisibility"],
    ])
  func settings(_ arguments: [String]) throws {
    let zoo = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("MacroZoo.swift")
    let source = try String(contentsOf: zoo, encoding: .utf8)
      .replacing("public import StateModel", with: "")
    let checked = try MacroCompiler(["Zoo": source], arguments: arguments)
    #expect(checked.output == "")
  }
}
