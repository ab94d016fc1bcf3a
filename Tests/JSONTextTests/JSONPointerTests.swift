import JSONText
import StateModel
import Testing

@Suite("JSON pointers (RFC 6901)")
struct JSONPointerTests {
  @Test(
    "the RFC's examples name what they name",
    arguments: [
      ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"),
      ("/c%d", "2"), ("/e^f", "3"), ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"),
      ("/m~0n", "8"),
    ])
  func examples(pointer: String, expected: String) throws {
    let document = try JSONText.parse(
      #"{"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}"#
    )
    let pointer = try JSONPointer(parsing: pointer)
    #expect(try JSONText.write(document.part(at: pointer)) == expected)
    #expect(try document.part(at: .root).encoded() == document.encoded())
  }

  @Test(
    "a pointer's text comes back as it was",
    arguments: ["", "/", "//", "/a/b", "/~0/~1", "/~01", "/0/-", "/\0", "/e\u{301}", "/a b/漢"])
  func texts(text: String) throws {
    #expect(try Array(JSONPointer(parsing: text).description.utf8) == Array(text.utf8))
  }

  @Test("~01 is ~1, not /")
  func escapeOrder() throws {
    #expect(try JSONPointer(parsing: "/~01").tokens == ["~1"])
  }

  @Test(
    "a text that is no pointer is refused",
    arguments: [
      ("a", "the path “a” does not begin with /: write /a, or nothing for the root"),
      ("a/b", "the path “a/b” does not begin with /: write /a/b, or nothing for the root"),
      ("/~", "the path “/~” has a ~ that neither 0 nor 1 follows: write ~0 for ~"),
      ("/a~2b", "the path “/a~2b” has a ~ that neither 0 nor 1 follows: write ~0 for ~"),
    ])
  func refusals(text: String, message: String) {
    let failure = #expect(throws: JSONPointerFailure.self) { try JSONPointer(parsing: text) }
    #expect(failure?.description == message)
  }

  @Test("composed and decomposed keys are different places")
  func unicode() throws {
    let composed = JSONPointer(["\u{E9}"])
    let decomposed = JSONPointer(["e\u{301}"])
    #expect(composed != decomposed)
    #expect(decomposed.appending("x").isWithin(composed) == false)
    let document = try JSONText.parse("{\"\u{E9}\":1}")
    #expect(document[composed] != nil)
    #expect(document[decomposed] == nil)
  }

  @Test("a place is within another when it goes further by whole tokens")
  func within() {
    #expect(JSONPointer(["a", "b"]).isWithin(JSONPointer(["a"])))
    #expect(JSONPointer(["a"]).isWithin(.root))
    #expect(JSONPointer(["a"]).isWithin(JSONPointer(["a"])) == false)
    #expect(JSONPointer(["ab"]).isWithin(JSONPointer(["a"])) == false)
  }

  @Test(
    "a place that does not exist is named",
    arguments: [
      ("/b", "there is no “b” in the object at the root"),
      ("/a/x/y", "there is no “x” in the object at /a"),
      ("/a/l/2", "index 2 is beyond the array, which has 2 elements"),
      ("/a/l/-", "“-” is no index of an array: write digits without a leading zero"),
      ("/a/l/01", "“01” is no index of an array: write digits without a leading zero"),
      ("/a/l/+1", "“+1” is no index of an array: write digits without a leading zero"),
      ("/a/l/", "“” is no index of an array: write digits without a leading zero"),
      ("/a/l/0/z", "the number at /a/l/0 has no part “z”"),
      ("/a/t/0", "the text at /a/t has no part “0”"),
      (
        "/a/l/99999999999999999999",
        "“99999999999999999999” is no index of an array: write digits without a leading zero"
      ),
    ])
  func notFound(pointer: String, message: String) throws {
    let document = try JSONText.parse(#"{"a":{"l":[1,2],"t":"x"}}"#)
    let pointer = try JSONPointer(parsing: pointer)
    let failure = #expect(throws: JSONEditFailure.self) { try document.part(at: pointer) }
    #expect(failure == JSONEditFailure(.notFound, message, at: pointer))
    #expect(document[pointer] == nil)
  }
}
