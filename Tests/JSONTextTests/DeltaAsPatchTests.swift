import JSONText
import StateModel
import Testing

@Suite("Deltas are shown as RFC 6902 operations")
struct DeltaAsPatchTests {
  @Test(
    "each kind of change has its operations",
    arguments: [
      (#"{"a":1}"#, #"{"a":2}"#, #"[{"op":"replace","path":"/a","value":2}]"#),
      (#"{"a":1}"#, #"{"a":1,"b/~":2}"#, #"[{"op":"add","path":"/b~1~0","value":2}]"#),
      (#"{"a":1,"":2}"#, #"{"a":1}"#, #"[{"op":"remove","path":"/"}]"#),
      (#"{"a":{"l":[1,2,3]}}"#, #"{"a":{"l":[1,3]}}"#, #"[{"op":"remove","path":"/a/l/1"}]"#),
      ("1", "null", #"[{"op":"replace","path":"","value":null}]"#),
      ("[1]", "[1]", "[]"),
    ])
  func kinds(before: String, after: String, patch: String) throws {
    let (before, after) = (try JSONText.parse(before), try JSONText.parse(after))
    let shown = try JSONPatch(delta: after.delta(from: before), on: before)
    #expect(try JSONText.write(shown.value) == patch)
  }

  @Test("a splice is shown as replacements, then removals or additions; a move as a move")
  func arrays() throws {
    let value = try JSONText.parse(#"{"l":[0,1,2,3,4]}"#)
    for (delta, patch) in [
      (
        try delta(of: [2, ["l"], 1, 3, ["x"]]),
        #"[{"op":"replace","path":"/l/1","value":"x"},{"op":"remove","path":"/l/2"},{"op":"remove","path":"/l/2"}]"#
      ),
      (
        try delta(of: [2, ["l"], 4, 1, ["x", "y"]]),
        #"[{"op":"replace","path":"/l/4","value":"x"},{"op":"add","path":"/l/5","value":"y"}]"#
      ),
      (
        try delta(of: [3, ["l"], 0, 4]), #"[{"op":"move","from":"/l/0","path":"/l/4"}]"#
      ),
    ] {
      let shown = try JSONPatch(delta: delta, on: value)
      #expect(try JSONText.write(shown.value) == patch)
      var (byDelta, byPatch) = (value, value)
      try byDelta.apply(delta)
      try shown.apply(to: &byPatch)
      #expect(byDelta == byPatch)
    }
  }

  private func delta(of change: Value) throws -> Delta {
    Delta(bytes: Value.array([change]).encoded())
  }

  @Test("an edit within a long text is shown as the text it leads to")
  func texts() throws {
    let long = String(repeating: "long text ", count: 1_000)
    let before = Value.map(["t": .text(long)])
    let after = Value.map(["t": .text(long + "!")])
    let delta = after.delta(from: before)
    #expect(delta.bytes.count < 100)
    let shown = try JSONPatch(delta: delta, on: before)
    #expect(shown.operations == [.replace(JSONPointer(["t"]), .text(long + "!"))])
  }

  @Test("what is shown has the same result as the delta", arguments: [4, 5, 6])
  func results(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<1_000 {
      let before = RandomValue.json(depth: 4, using: &random)
      var after = before
      for _ in 0..<3 { RandomValue.change(&after, using: &random) }
      let shown = try JSONPatch(delta: after.delta(from: before), on: before)
      var result = before
      try shown.apply(to: &result)
      #expect(result == after, "seed \(seed), round \(round)")
    }
  }

  @Test("a delta that does not fit the value is refused")
  func misfits() throws {
    #expect(throws: DeltaFailure.self) {
      try JSONPatch(delta: delta(of: [1, ["x"]]), on: ["y": 1])
    }
  }
}
