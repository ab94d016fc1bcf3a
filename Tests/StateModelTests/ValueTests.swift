import FoundationEssentials
import StateModel
import Testing

@Suite("Values without types")
struct ValueTests {
  @Test("A value is edited at a path, and its digest is that of the same value made afresh")
  func editing() throws {
    var root: Value = ["documents": ["a": ["lines": ["x", "y"]], "b": 1], "n": -3]
    try root.set("z", at: ["documents", "a", "lines", 1])
    try root.set(["k": .null], at: ["documents", "c"])
    try root.remove(at: ["documents", "b"])
    try root.remove(at: ["documents", "a", "lines", 0])
    root["n"] = true
    root["documents"]?["c"]?["k"] = 1.5
    let expected: Value = ["documents": ["a": ["lines": ["z"]], "c": ["k": 1.5]], "n": true]
    #expect(root == expected)
    #expect(root.digest == expected.digest)
    #expect(root.value(at: ["documents", "a", "lines", 0]) == "z")
    #expect(root.value(at: ["documents", "a", "lines", 1]) == nil)
    #expect(root["documents"]?["a"]?["lines"]?[0]?.string == "z")
    #expect(root["none"] == nil)
    root["n"] = nil
    #expect(root.entries?.count == 1)
  }

  @Test("An edit that does not fit says so, and leaves the value as it was")
  func refusals() {
    let whole: Value = ["a": [1, 2], "b": "text"]
    let edits: [(String, (inout Value) throws(DeltaFailure) -> Void)] = [
      (
        "there is no element 2 in an array of 2",
        { v throws(DeltaFailure) in try v.set(0, at: ["a", 2]) }
      ),
      ("there is no entry \"c\"", { v throws(DeltaFailure) in try v.set(0, at: ["c", 0]) }),
      (
        "there is nothing under 0: the value has no parts",
        { v throws(DeltaFailure) in try v.set(0, at: ["b", 0]) }
      ),
      ("there is no entry \"c\"", { v throws(DeltaFailure) in try v.remove(at: ["c"]) }),
      ("the root cannot be removed", { v throws(DeltaFailure) in try v.remove(at: []) }),
    ]
    for (message, edit) in edits {
      var root = whole
      let failure = #expect(throws: DeltaFailure.self) { try edit(&root) }
      #expect(failure?.message == message)
      #expect(root == whole)
      #expect(root.digest == whole.digest)
    }
  }

  @Test("A value cannot be set where it would be too deep to be read again")
  func depth() throws {
    var deep: Value = 1
    for _ in 0..<255 { deep = [deep] }
    var root: Value = ["a": .null]
    try root.set(deep, at: ["a"])
    #expect(try Value(encoded: root.encoded()) == root)
    let failure = #expect(throws: DeltaFailure.self) { try root.set([deep], at: ["a"]) }
    #expect(failure?.message == "the value would be nested deeper than 256")
  }

  @Test("Values are equal when their bytes are: not 1 and 1.0, not two forms of a letter")
  func equality() {
    #expect(Value.unsigned(1) != .float(1))
    #expect(Value.float(0) != .float(-0.0))
    #expect(Value.float(.nan) == .float(.nan))
    #expect(Value.float(.nan) != .float(.signalingNaN))
    #expect(Value.text("é") != .text("e\u{301}"))
    #expect(Value.bytes([97]) != .text("a"))
    #expect(Value.array([]) != .map([:]))
    #expect(Set<Value>([1, 1.0, "1", 1]).count == 3)
  }

  @Test("A value is described in diagnostic notation")
  func description() {
    let value: Value = [
      "text": "a\"\\\n\u{1}é", "list": [1, -2, .negative(.max), 1.5, true, .null],
      1: .bytes([0, 255]), "date": .tag(1, 0.0),
      "floats": [.float(.infinity), .float(-.infinity), .float(.nan), .float(-.nan)],
    ]
    #expect(
      value.description
        == #"{1: h'00ff', "date": 1(0.0), "list": [1, -2, -18446744073709551616, 1.5, true, null], "#
        + #""text": "a\"\\\n\u0001é", "floats": [Infinity, -Infinity, NaN, float'fff8000000000000']}"#
    )
  }

  @Test("A typed value becomes a value and comes back")
  func conversion() throws {
    let todo = Todo(id: 3, title: "t", tags: ["x"])
    #expect(Value(of: todo)["title"] == "t")
    #expect(try Todo(Value(of: todo)) == todo)
    // A cast would look into the optional.
    #expect(Value(of: Value?.some(5)) == [5])
    #expect(try Value?(Value.array([5])) == .some(5))
    #expect(throws: DecodingFailure.self) { try Todo(Value.null) }
    var deep = Phase.idle
    for _ in 0..<300 { deep = .retry(after: deep, note: nil) }
    #expect(Value(of: deep).encoded() == deep.encoded())
  }

  @Test("Of many documents, an edit of one gives a delta of one, and every digest is right")
  func manyDocuments() throws {
    var documents = ValueMap()
    for number in 0..<8_000 {
      documents.set(
        ["name": .text("document \(number)"), "lines": [1, 2, 3]], for: .text("\(number)"))
    }
    var root: Value = ["documents": .map(documents)]
    var mirror = root
    for number in stride(from: 0, to: 8_000, by: 400) {
      let before = root
      try root.set(true, at: ["documents", .text("\(number)"), "lines", 1])
      let delta = root.delta(from: before)
      #expect(delta.bytes.count < 40)
      try mirror.apply(delta)
      #expect(mirror.digest == root.digest)
    }
    #expect(try Value(encoded: root.encoded()).digest == root.digest)
    #expect(mirror == root)
  }
}
