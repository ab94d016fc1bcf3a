import Composable
import JSONText
import Showcase
import StateModel
import Testing

@Suite("Workspace: schema-less documents")
struct WorkspaceTests {
  private static let start = #"{"d":{"a":1,"l":[0,1],"t":"grün","o":{"k":{}},"n":null},"e":-2.5}"#

  /// Performs one action on the documents as one commit: what becomes of them, or why not.
  private func perform(
    _ action: Workspace.Action, on documents: String = start
  ) throws -> Result<String, Rejection> {
    var core = ReducerCore(Workspace())
    var state = Workspace.State(documents: try JSONText.parse(documents))
    let cascade = core.perform(action, on: &state)
    #expect(cascade.operations.isEmpty && cascade.reports.isEmpty)
    if let rejection = cascade.rejection { return .failure(rejection) }
    return .success(try JSONText.write(state.documents))
  }

  @Test(
    "actions do what they say",
    arguments: [
      (.set(path: "/x", value: 1), #"{"x":1}"#), (.set(path: "", value: ["y": 2]), #"{"y":2}"#),
      (.load(name: "a/b", document: [1]), #"{"a/b":[1]}"#),
      (.merge(path: "", value: ["x": ["y": 1]]), #"{"x":{"y":1}}"#),
      (.increment(path: "/n", by: 5), #"{"n":5}"#),
      (.append(path: "/l", value: "x"), #"{"l":["x"]}"#),
      (.patch(path: "", operations: [["op": "add", "path": "/x", "value": 1]]), #"{"x":1}"#),
    ] as [(Workspace.Action, String)])
  func onEmpty(action: Workspace.Action, expected: String) throws {
    #expect(try perform(action, on: "{}") == .success(expected))
  }

  @Test(
    "actions change one part and leave the others",
    arguments: [
      (.set(path: "/d/l/1", value: "x"), "/d/l", #"[0,"x"]"#),
      (.set(path: "/d/l/-", value: "x"), "/d/l", #"[0,1,"x"]"#),
      (.set(path: "/d/n", value: true), "/d/n", "true"),
      (.set(path: "/d/new", value: .null), "/d/new", "null"),
      (.remove(path: "/d/l/0"), "/d/l", "[1]"), (.remove(path: "/d/o/k"), "/d/o", "{}"),
      (.merge(path: "/d/o", value: ["k": .null, "m": 1]), "/d/o", #"{"m":1}"#),
      (.merge(path: "/d/o/k", value: 3), "/d/o", #"{"k":3}"#),
      (.increment(path: "/d/a", by: 41), "/d/a", "42"),
      (.increment(path: "/d/a", by: .negative(1)), "/d/a", "-1"),
      (.increment(path: "/d/a", by: 0.5), "/d/a", "1.5"),
      (.increment(path: "/e", by: 1), "/e", "-1.5"),
      (.increment(path: "/d/o/c", by: 1), "/d/o", #"{"c":1,"k":{}}"#),
      (.append(path: "/d/l", value: [2]), "/d/l", "[0,1,[2]]"),
      (.append(path: "/d/t", value: "er"), "/d/t", #""grüner""#),
      (.edit(path: "/d/t", offset: 2, removed: 2, inserted: "u"), "/d/t", #""grun""#),
      (.edit(path: "/d/t", offset: 5, removed: 0, inserted: "!"), "/d/t", #""grün!""#),
      (.edit(path: "/d/t", offset: 0, removed: 5, inserted: ""), "/d/t", "\"\""),
      (
        .patch(
          path: "/d",
          operations: [
            ["op": "test", "path": "/a", "value": 1.0], ["op": "copy", "from": "/l", "path": "/m"],
          ]), "/d/m", "[0,1]"
      ),
      (.load(name: "d", document: "whole"), "/d", #""whole""#),
    ] as [(Workspace.Action, String, String)])
  func parts(action: Workspace.Action, path: String, expected: String) throws {
    var core = ReducerCore(Workspace())
    var state = Workspace.State(documents: try JSONText.parse(Self.start))
    let before = state
    #expect(core.perform(action, on: &state).rejection == nil)
    #expect(try JSONText.write(state.part(at: JSONPointer(parsing: path))) == expected)
    // Nothing else has changed: with that part as it was, both are the same.
    let changed = try JSONPointer(parsing: path)
    var (one, other) = (before.documents, state.documents)
    _ = try? one.remove(at: changed)
    _ = try? other.remove(at: changed)
    #expect(one == other)
    var mirror = before
    try mirror.apply(state.delta(from: before))
    #expect(mirror.isIdentical(to: state) && mirror.digest == state.digest)
  }

  @Test(
    "what does not fit is refused, with a code and a sentence",
    arguments: [
      (
        .set(path: "/no/where", value: 1), "rejected",
        "there is no “no” in the object at the root"
      ),
      (
        .set(path: "/d/l/3", value: 1), "rejected",
        "index 3 is beyond the array, which has 2 elements"
      ),
      (.set(path: "/d/a/b", value: 1), "rejected", "the number at /d/a has no part “b”"),
      (
        .set(path: "d", value: 1), "invalid",
        "the path “d” does not begin with /: write /d, or nothing for the root"
      ),
      (
        .set(path: "", value: [1]), "invalid",
        "the root of the workspace is an object of documents: name one in the path"
      ),
      (.remove(path: "/x"), "rejected", "there is no “x” in the object at the root"),
      (
        .remove(path: ""), "invalid",
        "the whole document cannot be removed: replace it by null"
      ),
      (
        .merge(path: "", value: 1), "invalid",
        "the root of the workspace is an object of documents: name one in the path"
      ),
      (
        .increment(path: "/d/t", by: 1), "rejected",
        "what is at /d/t is no number: set one first"
      ),
      (.increment(path: "/d/a", by: "1"), "invalid", "the amount to add is no number"),
      (
        .increment(path: "/d/a", by: .unsigned(.max)), "rejected",
        "18446744073709551616 would be beyond the integers, -2^63 to 2^64-1"
      ),
      (
        .increment(path: "/e", by: .float(.infinity)), "rejected",
        "the sum would be beyond the numbers, 1.8e308"
      ),
      (
        .append(path: "/d/o", value: 1), "rejected",
        "what is at /d/o is no array (nor, for a text, a text): nothing can follow it"
      ),
      (
        .append(path: "/d/t", value: 1), "rejected",
        "what is at /d/t is no array (nor, for a text, a text): nothing can follow it"
      ),
      (
        .edit(path: "/d/a", offset: 0, removed: 0, inserted: "x"), "rejected",
        "what is at /d/a is no text: set one first"
      ),
      (
        .edit(path: "/d/t", offset: 3, removed: 0, inserted: "x"), "rejected",
        "byte 3 of the text lies inside a character"
      ),
      (
        .edit(path: "/d/t", offset: 4, removed: 2, inserted: "x"), "rejected",
        "2 bytes from 4 on are not within the text at /d/t, which has 5"
      ),
      (
        .edit(path: "/d/t", offset: -1, removed: 1, inserted: ""), "rejected",
        "1 bytes from -1 on are not within the text at /d/t, which has 5"
      ),
      (
        .edit(path: "/d/t", offset: 1, removed: .max, inserted: ""), "rejected",
        "9223372036854775807 bytes from 1 on are not within the text at /d/t, which has 5"
      ),
      (
        .edit(path: "/d/t", offset: .max, removed: .max, inserted: ""), "rejected",
        "9223372036854775807 bytes from 9223372036854775807 on are not within the text at /d/t, "
          + "which has 5"
      ),
      (
        .patch(path: "/d", operations: [["op": "test", "path": "/a", "value": 2]]), "conflict",
        "operation 1 (test): /a is 1, not 2"
      ),
      (
        .patch(path: "/d", operations: [["op": "remove", "path": "/x"]]), "rejected",
        "operation 1 (remove): there is no “x” in the object at the root"
      ),
      (
        .patch(path: "", operations: [["op": "replace", "path": "", "value": 1]]), "invalid",
        "the root of the workspace is an object of documents: name one in the path"
      ),
      (
        .patch(path: "/d", operations: ["op": "remove"]), "invalid",
        "a patch is an array of operations, not the object"
      ),
      (
        .patch(path: "/nothing", operations: []), "rejected",
        "there is no “nothing” in the object at the root"
      ),
      (
        .load(name: "", document: 1), "invalid", "a document's name has 1 to 256 bytes, not 0"
      ),
      (
        .load(name: String(repeating: "é", count: 129), document: 1), "invalid",
        "a document's name has 1 to 256 bytes, not 258"
      ),
    ] as [(Workspace.Action, String, String)])
  func refusals(action: Workspace.Action, code: String, text: String) throws {
    switch try perform(action) {
    case .success: Issue.record("\(action) was applied")
    case .failure(let rejection):
      #expect(rejection.code == code)
      #expect(rejection.text == text)
    }
  }

  @Test("a patch is applied whole or not at all, and says where it failed")
  func atomicPatch() throws {
    var core = ReducerCore(Workspace())
    let before = Workspace.State(documents: try JSONText.parse(Self.start))
    var state = before
    let cascade = core.perform(
      .patch(
        path: "/d",
        operations: [
          ["op": "add", "path": "/x", "value": 1], ["op": "remove", "path": "/l/0"],
          ["op": "test", "path": "/o/k", "value": 1],
        ]), on: &state)
    #expect(cascade.rejection?.code == "conflict")
    #expect(cascade.rejection?.path == ["d", "o", "k"])
    #expect(state.isIdentical(to: before))
  }

  @Test("documents nest as deep as what carries them can be read, and no deeper")
  func depth() throws {
    func nested(_ depth: Int) throws -> Value {
      try JSONText.parse(
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth))
    }
    let deepest = Workspace.maximumDepth - 1
    var core = ReducerCore(Workspace())
    for (action, fits) in [
      (Workspace.Action.load(name: "d", document: try nested(deepest)), true),
      (.load(name: "d", document: try nested(deepest + 1)), false),
      (.set(path: "/d", value: try nested(deepest)), true),
      (.set(path: "/d", value: try nested(deepest + 1)), false),
      (.merge(path: "", value: ["d": try nested(deepest)]), true),
      (.merge(path: "", value: ["d": try nested(deepest + 1)]), false),
      (.append(path: "/d", value: try nested(deepest - 1)), true),
      (.append(path: "/d", value: try nested(deepest)), false),
      (
        .patch(path: "", operations: [["op": "add", "path": "/d", "value": try nested(deepest)]]),
        true
      ),
      (
        .patch(
          path: "", operations: [["op": "add", "path": "/d", "value": try nested(deepest + 1)]]),
        false
      ),
    ] {
      var state = Workspace.State()
      let rejection = core.perform(action, on: &state).rejection
      #expect((rejection == nil) == fits)
      guard fits else {
        #expect(rejection?.code == "invalid")
        continue
      }
      var app = CBOREncoder()
      state.encode(to: &app)
      _ = try Workspace.State(encoded: app.bytes)
    }
  }

  @Test("keys with a slash, a tilde, nothing and NUL, composed and decomposed, are all places")
  func keys() throws {
    var core = ReducerCore(Workspace())
    var state = Workspace.State(documents: ["d": [:]])
    let keys = ["/", "~", "", "\0", "é", "e\u{301}", "~1", "0", "-"]
    for (index, key) in keys.enumerated() {
      let path = JSONPointer(["d", key]).description
      let action = Workspace.Action.set(path: path, value: .integer(Int64(index)))
      #expect(core.perform(action, on: &state).rejection == nil)
    }
    #expect(state.part(at: JSONPointer(["d"])).entries?.count == keys.count)
    for (index, key) in keys.enumerated() {
      #expect(state.documents["d"]?[key] == .integer(Int64(index)))
    }
  }

  @Test("a view's path that leads nowhere is null, one that is no pointer is refused")
  func views() throws {
    let state = Workspace.State(documents: ["d": ["a": [1, 2]]])
    func view(_ path: Value) throws -> Value {
      state.part(at: try Workspace.Path(encoded: path.encoded()).pointer)
    }
    #expect(try view(.null) == state.documents)
    #expect(try view("") == state.documents)
    #expect(try view("/d/a/1") == 2)
    #expect(try view("/d/b") == .null)
    let failure = #expect(throws: DecodingFailure.self) { try view("d") }
    #expect(
      failure?.description
        == "the path “d” does not begin with /: write /d, or nothing for the root")
    #expect(throws: DecodingFailure.self) { try view(1) }
  }

  @Test("actions come back from their encoding, and from JSON as people write it")
  func wire() throws {
    let action = Workspace.Action.patch(
      path: "/d", operations: [["op": "remove", "path": "/a"]])
    #expect(try Workspace.Action(encoded: action.encoded()) == action)
    let written = try JSONText.parse(
      #"{"patch":{"path":"/d","operations":[{"op":"remove","path":"/a"}]}}"#)
    #expect(try Workspace.Action(written) == action)
  }

  @Test("A document of many small parts is loaded in actions that a request holds")
  func manySmallParts() throws {
    let numbers = try JSONText.parse(
      "[" + Array(repeating: "1", count: 20_000).joined(separator: ",") + "]")
    let names = try JSONText.parse(
      "{" + (0..<5_000).map { "\"name \($0)/~\":null" }.joined(separator: ",") + "}")
    for document in [numbers, names, .map(["a": numbers, "b": names])] {
      let actions = try Workspace.Action.loading(document, as: "d", atMost: 16 << 10)
      #expect(actions.count > 4)
      #expect(actions.allSatisfy { $0.encoded().count < 18 << 10 })
    }
  }

  @Test("A name that no action holds is refused before anything is loaded")
  func longName() {
    let name = String(repeating: "n", count: 20 << 10)
    #expect {
      let document = try JSONText.parse("{\"\(name)\":null}")
      _ = try Workspace.Action.loading(document, as: "d", atMost: 16 << 10)
    } throws: {
      "\($0)" == "a name at /d takes 20480 bytes, and one action holds 16384"
    }
  }
}
