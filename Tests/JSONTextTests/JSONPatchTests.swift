import JSONText
import StateModel
import TestSupport
import Testing

@Suite("JSON patches (RFC 6902)")
struct JSONPatchTests {
  @Test("the RFC's own cases come out as it says", .enabled(if: TestData.isPresent, TestData.hint))
  func specification() throws {
    // The file holds the RFC's example A.13 as it is, so as a whole it must be refused for the key
    // that stands twice; with that key renamed, its other cases can be read.
    let source = String(decoding: try TestData.bytes("json-patch-spec-tests.json"), as: UTF8.self)
    let refusal = #expect(throws: JSONFailure.self) { try JSONText.parse(source) }
    #expect(refusal?.code == .duplicateKey)
    #expect(refusal?.path == JSONPointer(["13", "patch", "0", "op"]))
    let cases = try JSONText.parse(
      source.replacing("\"value\": \"qux\", \"op\":", with: "\"value\": \"qux\", \"again\":"))
    var applied = 0
    for index in 0... {
      let place = JSONPointer([String(index)])
      guard let sample = cases[place] else { break }
      guard sample[JSONPointer(["disabled"])] == nil else { continue }
      let name = sample[JSONPointer(["comment"])].map { JSONText.display($0) } ?? "case \(index)"
      let document = try sample.part(at: JSONPointer(["doc"]))
      let patch = try sample.part(at: JSONPointer(["patch"]))
      var result = document
      if let expected = sample[JSONPointer(["expected"])] {
        try JSONPatch(patch).apply(to: &result)
        #expect(result.encoded() == expected.encoded(), "\(name)")
      } else {
        #expect(throws: JSONPatchFailure.self, "\(name)") {
          try JSONPatch(patch).apply(to: &result)
        }
        #expect(result.encoded() == document.encoded(), "\(name)")
      }
      applied += 1
    }
    #expect(applied == 16)
  }

  @Test("a patch with a member twice is refused (RFC 6902, A.13)")
  func duplicateMember() {
    let failure = #expect(throws: JSONPatchParsingFailure.self) {
      try JSONPatch(parsing: #"[{"op":"add","path":"/baz","value":"qux","op":"remove"}]"#)
    }
    #expect(
      failure?.description
        == "the patch is not JSON: line 1, column 42 (byte 41), at /0/op: "
        + "the key “op” stands twice in this object: keep one of them")
  }

  @Test(
    "operations do what they say",
    arguments: [
      // Several removals, with indices that shift.
      (
        "[0,1,2,3,4]",
        #"[{"op":"remove","path":"/1"},{"op":"remove","path":"/1"},{"op":"remove","path":"/0"}]"#,
        "[3,4]"
      ),
      ("[]", #"[{"op":"add","path":"/-","value":1},{"op":"add","path":"/0","value":0}]"#, "[0,1]"),
      ("[1]", #"[{"op":"add","path":"/1","value":2}]"#, "[1,2]"),
      ("[0,1,2,3]", #"[{"op":"move","from":"/3","path":"/0"}]"#, "[3,0,1,2]"),
      ("[0,1,2,3]", #"[{"op":"move","from":"/0","path":"/-"}]"#, "[1,2,3,0]"),
      ("[0,1]", #"[{"op":"move","from":"/0","path":"/0"}]"#, "[0,1]"),
      (
        #"{"a":{"b":1}}"#, #"[{"op":"copy","from":"/a","path":"/a/c"}]"#,
        #"{"a":{"b":1,"c":{"b":1}}}"#
      ),
      ("[1,2]", #"[{"op":"copy","from":"/0","path":"/-"}]"#, "[1,2,1]"),
      (
        #"{"":1,"/":2,"~":3,"\u0000":4}"#,
        #"[{"op":"remove","path":"/"},{"op":"remove","path":"/~1"},{"op":"remove","path":"/~0"},{"op":"replace","path":"/\u0000","value":5}]"#,
        #"{"\u0000":5}"#
      ),
      (
        "{\"\u{E9}\":1}", "[{\"op\":\"add\",\"path\":\"/e\u{301}\",\"value\":2}]",
        "{\"\u{E9}\":1,\"e\u{301}\":2}"
      ),
      (#"{"a":1}"#, #"[{"op":"add","path":"","value":[1]}]"#, "[1]"),
      (#"{"a":1}"#, #"[{"op":"replace","path":"","value":null}]"#, "null"),
      (#"{"a":1,"b":{}}"#, #"[{"op":"move","from":"/b","path":""}]"#, "{}"),
      (
        #"{"a":null}"#, #"[{"op":"test","path":"/a","value":null},{"op":"remove","path":"/a"}]"#,
        "{}"
      ),
      (#"{"a":1}"#, "[]", #"{"a":1}"#),
      (#"{"0":1}"#, #"[{"op":"add","path":"/-","value":2}]"#, #"{"-":2,"0":1}"#),
    ])
  func operations(document: String, patch: String, expected: String) throws {
    var value = try JSONText.parse(document)
    try JSONPatch(parsing: patch).apply(to: &value)
    #expect(try JSONText.write(value) == expected)
  }

  @Test(
    "a patch that does not fit changes nothing and says which operation",
    arguments: [
      (
        #"[{"op":"add","path":"/x","value":1},{"op":"test","path":"/a","value":2}]"#,
        "operation 2 (test): /a is 1, not 2"
      ),
      (
        #"[{"op":"remove","path":"/l/0"},{"op":"remove","path":"/l/1"}]"#,
        "operation 2 (remove): index 1 is beyond the array, which has 1 element"
      ),
      (
        #"[{"op":"add","path":"/l/3","value":1}]"#,
        "operation 1 (add): index 3 is beyond the array, which has 2 elements"
      ),
      (
        #"[{"op":"replace","path":"/b","value":1}]"#,
        "operation 1 (replace): there is no “b” in the object at the root"
      ),
      (
        #"[{"op":"move","from":"/o","path":"/o/k/x"}]"#,
        "operation 1 (move): /o cannot be moved into a part of itself, /o/k/x"
      ),
      (
        #"[{"op":"move","from":"","path":"/x"}]"#,
        "operation 1 (move): the root cannot be moved into a part of itself, /x"
      ),
      (
        #"[{"op":"remove","path":""}]"#,
        "operation 1 (remove): the whole document cannot be removed: replace it by null"
      ),
      (
        #"[{"op":"move","from":"/l/0","path":"/l/2"}]"#,
        "operation 1 (move): index 2 is beyond the array, which has 1 element"
      ),
      (
        #"[{"op":"replace","path":"/l/-","value":1}]"#,
        "operation 1 (replace): “-” is no index of an array: write digits without a leading zero"
      ),
      (
        #"[{"op":"test","path":"/o","value":{}}]"#,
        "operation 1 (test): /o is {\"k\":{}}, not {}"
      ),
      (
        #"[{"op":"copy","from":"/nowhere","path":"/x"}]"#,
        "operation 1 (copy): there is no “nowhere” in the object at the root"
      ),
      (
        #"[{"op":"add","path":"/a/x","value":1}]"#,
        "operation 1 (add): the number at /a has no part “x”"
      ),
    ])
  func refusals(patch: String, message: String) throws {
    let document = try JSONText.parse(#"{"a":1,"l":[0,1],"o":{"k":{}}}"#)
    var value = document
    let parsed = try JSONPatch(parsing: patch)
    let failure = #expect(throws: JSONPatchFailure.self) { try parsed.apply(to: &value) }
    #expect(failure?.description == message)
    #expect(value.encoded() == document.encoded())
  }

  @Test(
    "what is no patch is refused",
    arguments: [
      ("{}", "a patch is an array of operations, not the object"),
      ("[1]", "operation 1: an operation is an object, not the number"),
      (#"[{"path":"/a"}]"#, "operation 1: “op” is missing"),
      (#"[{"op":"remove"}]"#, "operation 1: “path” is missing"),
      (#"[{"op":"add","path":"/a"}]"#, "operation 1: “value” is missing"),
      (#"[{"op":"move","path":"/a"}]"#, "operation 1: “from” is missing"),
      (#"[{"op":"remove","path":null}]"#, "operation 1: “path” is a text, not null"),
      (
        #"[{"op":"remove","path":"a"}]"#,
        "operation 1: “path”: the path “a” does not begin with /: write /a, or nothing for the root"
      ),
      (
        #"[{"op":"test","path":"","value":1},{"op":"spam","path":"/a"}]"#,
        "operation 2: there is no operation “spam”: there are add, remove, replace, move, copy and test"
      ),
      (
        "[",
        "the patch is not JSON: line 1, column 2 (byte 1), at /0: the text ends where a value is expected"
      ),
    ])
  func malformed(text: String, message: String) {
    let failure = #expect(throws: JSONPatchParsingFailure.self) { try JSONPatch(parsing: text) }
    #expect(failure?.description == message)
  }

  @Test(
    "test compares numbers by value, texts by code points, objects by members",
    arguments: [
      ("1", "1.0", true), ("-0", "0", true), ("1e2", "100", true), ("1", "\"1\"", false),
      ("9007199254740993", "9007199254740992.0", false),
      ("9007199254740992", "9007199254740992.0", true),
      ("18446744073709551615", "18446744073709551616", false),
      ("-9223372036854775808", "-9223372036854775808.0", true), ("null", "false", false),
      ("{}", "[]", false), (#"{"a":1,"b":[2]}"#, #"{"b":[2.0],"a":1}"#, true),
      (#"{"a":null}"#, "{}", false), ("\"e\u{301}\"", "\"\u{E9}\"", false),
      ("{\"e\u{301}\":1}", "{\"\u{E9}\":1}", false), ("[1,2]", "[2,1]", false),
    ])
  func equality(one: String, other: String, isEqual: Bool) throws {
    let (one, other) = (try JSONText.parse(one), try JSONText.parse(other))
    #expect(one.isEqualJSON(to: other) == isEqual)
    #expect(other.isEqualJSON(to: one) == isEqual)
  }

  @Test("a patch written as JSON reads back as the same patch")
  func roundTrip() throws {
    let text =
      #"[{"op":"add","path":"/a~1b","value":{"x":-0.0}},{"op":"remove","path":""},"#
      + #"{"op":"replace","path":"/0","value":null},{"op":"move","from":"/a","path":"/b"},"#
      + #"{"op":"copy","from":"/a","path":"/b"},{"op":"test","path":"/","value":"é"}]"#
    let patch = try JSONPatch(parsing: text)
    #expect(try JSONText.write(patch.value) == text)
    #expect(try JSONPatch(patch.value) == patch)
  }

  @Test("removing the first of ten thousand, one by one, leaves the last")
  func removingTheFirst() throws {
    var value = Value.array((0..<10_000).map { .unsigned(UInt64($0)) })
    let patch = JSONPatch(Array(repeating: .remove(JSONPointer(["0"])), count: 9_999))
    try patch.apply(to: &value)
    #expect(try JSONText.write(value) == "[9999]")
  }

  @Test("no operation nests a value deeper than can be read again")
  func nesting() throws {
    let deep = try JSONText.parse(
      String(repeating: "[", count: 255) + String(repeating: "]", count: 255))
    var value = Value.map(["a": deep])
    let place = JSONPointer(["a"])
    for (operation, name) in [
      (JSONPatch.Operation.add(place, [deep]), "add"), (.replace(place, [deep]), "replace"),
      (.copy(from: place, to: JSONPointer(["a", "0"])), "copy"),
    ] {
      let failure = #expect(throws: JSONPatchFailure.self) {
        try JSONPatch([operation]).apply(to: &value)
      }
      #expect(
        failure?.description
          == "operation 1 (\(name)): the value would be nested deeper than 256: flatten it")
    }
    #expect(value == ["a": deep])
    try JSONPatch([.add(JSONPointer(["b"]), deep)]).apply(to: &value)
    #expect(try JSONText.parse(JSONText.write(value)) == value)
  }

  @Test("copies of copies end before they fill the memory")
  func copyBomb() throws {
    var value = try JSONText.parse(#"{"a":["0123456789"]}"#)
    let before = value
    let double = JSONPatch.Operation.copy(from: JSONPointer(["a"]), to: JSONPointer(["a", "-"]))
    let failure = #expect(throws: JSONPatchFailure.self) {
      try JSONPatch(Array(repeating: double, count: 100)).apply(to: &value)
    }
    #expect(
      failure?.description
        == "operation 17 (copy): the patch copies more than one patch may: split it"
    )
    #expect(value == before)
    try JSONPatch(Array(repeating: double, count: 10)).apply(to: &value)
    #expect(value[JSONPointer(["a"])]?.elements?.count == 11)
  }
}
