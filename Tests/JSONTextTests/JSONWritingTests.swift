import JSONText
import StateModel
import Testing

@Suite("JSON text is written")
struct JSONWritingTests {
  @Test(
    "numbers are the shortest text that reads back as the same number",
    arguments: [
      (Value.unsigned(.max), "18446744073709551615"), (.negative(0), "-1"),
      (.negative(UInt64(Int64.max)), "-9223372036854775808"), (.float(1), "1.0"),
      (.float(-0.0), "-0.0"), (.float(0.1), "0.1"), (.float(1e16), "1e+16"),
      (.float(1e300), "1e+300"),
      (.float(.leastNonzeroMagnitude), "5e-324"), (.float(0x1p64), "1.8446744073709552e+19"),
    ])
  func numbers(value: Value, text: String) throws {
    #expect(try JSONText.write(value) == text)
    #expect(try JSONText.parse(text).encoded() == value.encoded())
  }

  @Test("a text is escaped where JSON asks for it, and where a terminal would obey it")
  func escapes() throws {
    let text = "\"\\/\u{8}\u{C}\n\r\t\0\u{1F}\u{7F}\u{9B}é😀e\u{301}"
    let json = try JSONText.write(.text(text))
    #expect(json == #""\"\\/\b\f\n\r\t\u0000\u001f\u007f\u009bé😀"# + "e\u{301}\"")
    #expect(try JSONText.parse(json).encoded() == Value.text(text).encoded())
  }

  @Test("the pretty form has a line for each member and element")
  func pretty() throws {
    let value = try JSONText.parse(#"{"a":[1,{"b":null}],"c":{},"d":[]}"#)
    #expect(
      try JSONText.write(value, layout: .pretty) == """
        {
          "a": [
            1,
            {
              "b": null
            }
          ],
          "c": {},
          "d": []
        }
        """)
  }

  @Test(
    "what JSON has no word for is an error in the strict form and an @ object in the extended one",
    arguments: [
      (
        Value.bytes([0, 255]), #"{"@bytes":"00ff"}"#,
        "JSON has no word for a byte string: ask for the extended form"
      ),
      (
        .tag(37, .bytes([1])), #"{"@tag":[37,{"@bytes":"01"}]}"#,
        "JSON has no word for a tagged item: ask for the extended form"
      ),
      (
        .float(.infinity), #"{"@float":"inf"}"#,
        "JSON has no word for the float inf: ask for the extended form"
      ),
      (
        .float(-.infinity), #"{"@float":"-inf"}"#,
        "JSON has no word for the float -inf: ask for the extended form"
      ),
      (
        .float(.nan), #"{"@float":"nan"}"#,
        "JSON has no word for the float nan: ask for the extended form"
      ),
      (
        .float(Double(bitPattern: 0xFFF8_0000_0000_0001)), #"{"@float":"nan:fff8000000000001"}"#,
        "JSON has no word for the float nan:fff8000000000001: ask for the extended form"
      ),
      (
        .negative(.max), #"{"@integer":"-18446744073709551616"}"#,
        "JSON has no word for the integer -18446744073709551616, below -2^63: "
          + "ask for the extended form"
      ),
      (
        [1: .null, "a": .null],
        #"{"@map":[[1,null],["a",null]]}"#,
        "JSON has no word for a map with a key that is no text: ask for the extended form"
      ),
    ] as [(Value, String, String)])
  func words(value: Value, text: String, message: String) throws {
    #expect(JSONText.display(value) == text)
    #expect(try JSONText.parse(text, form: .extended).encoded() == value.encoded())
    let failure = #expect(throws: JSONWritingFailure.self) {
      try JSONText.write(["k": [.null, value]])
    }
    #expect(failure?.description == "at /k/1: " + message)
  }

  @Test("a document that contains an @ word reads back as the document it was")
  func documentsWithWords() throws {
    for key in ["@bytes", "@@bytes", "@tag", "@@@map"] {
      let value = try JSONText.parse("{\"\(key)\":\"00\"}")
      #expect(JSONText.display(value) == "{\"@\(key)\":\"00\"}")
      #expect(
        try JSONText.parse(JSONText.display(value), form: .extended).encoded() == value.encoded())
    }
    for text in [#"{"@id":"x"}"#, #"{"@bytes":"00","a":1}"#, #"{"@":1}"#, #"{"x@bytes":1}"#] {
      let value = try JSONText.parse(text)
      #expect(
        try JSONText.parse(JSONText.display(value), form: .extended).encoded() == value.encoded())
      #expect(JSONText.display(value).contains("@@") == false)
    }
  }

  @Test(
    "an @ object that does not follow its convention is refused",
    arguments: [
      #"{"@bytes":"0"}"#, #"{"@bytes":"0g"}"#, #"{"@bytes":1}"#, #"{"@tag":[1]}"#,
      #"{"@map":[[1,2],[1,3]]}"#, #"{"@float":"nan:0"}"#, #"{"@integer":"-1"}"#,
      #"{"@integer":"-18446744073709551617"}"#, #"{"@float":1.0}"#,
    ])
  func badWords(text: String) {
    let failure = #expect(throws: JSONFailure.self) {
      try JSONText.parse("[\(text)]", form: .extended)
    }
    #expect(failure?.code == .convention)
    #expect(failure?.path == JSONPointer(["0"]))
    #expect(failure?.offset == 1)
  }

  @Test("every value reads back identical, strictly where JSON can say it", arguments: [1, 2, 3])
  func roundTrips(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for round in 0..<2_000 {
      let plain = RandomValue.json(depth: 4, using: &random)
      for layout in [JSONText.Layout.compact, .pretty] {
        let back = try JSONText.parse(JSONText.write(plain, layout: layout))
        #expect(back.encoded() == plain.encoded(), "seed \(seed), round \(round)")
      }
      let any = RandomValue.any(depth: 4, using: &random)
      let back = try JSONText.parse(JSONText.display(any), form: .extended)
      #expect(back.encoded() == any.encoded(), "seed \(seed), round \(round)")
    }
  }
}
