import StateModel
import Testing

@testable import JSONText

@Suite("JSON text is refused with its place and path")
struct JSONRefusalTests {
  @Test(
    "the message says what is wrong, where, and what to do",
    arguments: [
      (
        "",
        "line 1, column 1 (byte 0): there is no JSON value, only white space: null is one"
      ),
      (
        " \n ",
        "line 2, column 2 (byte 3): there is no JSON value, only white space: null is one"
      ),
      (
        "{\"a\": [1, 1e400]}",
        "line 1, column 11 (byte 10), at /a/1: 1e400 is beyond what a number can hold (1.8e308): "
          + "write it as a text"
      ),
      (
        "{\"a\": {\"x\": 1,\n \"b\": 2, \"x\": 3}}",
        "line 2, column 10 (byte 24), at /a/x: the key “x” stands twice in this object: keep one of them"
      ),
      (
        #"{"a": 1, "\u0061": 2}"#,
        "line 1, column 10 (byte 9), at /a: the key “a” stands twice in this object: keep one of them"
      ),
      (
        "[1, 2", "line 1, column 6 (byte 5), at /1: the text ends where , or ] is expected"
      ),
      ("[1 2]", "line 1, column 4 (byte 3), at /0: “2” stands where , or ] is expected"),
      ("[1,]", "line 1, column 4 (byte 3), at /1: “]” stands where a value is expected"),
      ("{\"é\" 1}", "line 1, column 6 (byte 6), at /é: “1” stands where : is expected"),
      (
        "{a: 1}", "line 1, column 2 (byte 1): “a” stands where a key in quotation marks is expected"
      ),
      (
        "{\"a\": 1,}",
        "line 1, column 9 (byte 8): “}” stands where a key in quotation marks is expected"
      ),
      ("{} {}", "line 1, column 4 (byte 3): “{” follows the JSON value: give one value at a time"),
      ("1 2", "line 1, column 3 (byte 2): “2” follows the JSON value: give one value at a time"),
      ("nul", "line 1, column 1 (byte 0): “n” stands where a value is expected"),
      ("[NaN]", "line 1, column 2 (byte 1), at /0: “N” stands where a value is expected"),
      (
        "[01]",
        "line 1, column 2 (byte 1), at /0: a number does not begin with 0 but for 0 itself: leave it out"
      ),
      ("-", "line 1, column 2 (byte 1): the text ends where a digit is expected"),
      ("[1.]", "line 1, column 4 (byte 3), at /0: “]” stands where a digit is expected"),
      ("1x", "line 1, column 2 (byte 1): “x” stands where the number's end is expected"),
      (
        #"["\ud800"]"#,
        "line 1, column 3 (byte 2), at /0: half a surrogate pair is no character: "
          + "write both halves, or the character"
      ),
      (
        #"["\udc00"]"#,
        "line 1, column 3 (byte 2), at /0: half a surrogate pair is no character: "
          + "write both halves, or the character"
      ),
      (
        #""\ud800\u0041""#,
        "line 1, column 2 (byte 1): half a surrogate pair is no character: "
          + "write both halves, or the character"
      ),
      (
        #"["\x"]"#,
        "line 1, column 3 (byte 2), at /0: JSON has no such escape: write \\\\ for a backslash"
      ),
      (#""\u00g0""#, "line 1, column 2 (byte 1): \\u wants four hexadecimal digits"),
      (
        "{\"k\": \"abc",
        "line 1, column 7 (byte 6), at /k: the text that begins here does not end: close it with \""
      ),
      (
        "\"a\nb\"",
        "line 1, column 3 (byte 2): a control character stands in a text: write it as \\n, \\t or \\u000a"
      ),
      (
        "\u{FEFF}{}",
        "line 1, column 1 (byte 0): a byte order mark stands before the JSON value: remove it"
      ),
    ])
  func messages(text: String, expected: String) {
    let failure = #expect(throws: JSONFailure.self) { try JSONText.parse(text) }
    #expect(failure?.description == expected)
  }

  @Test(
    "bytes that are not UTF-8 are refused where they stand",
    arguments: [
      ([0xFF], 1), ([0xC3], 1), ([0xC0, 0x80], 1), ([0xED, 0xA0, 0x80], 1), ([0x41, 0xF5], 2),
      ([0xF4, 0x90, 0x80, 0x80], 1),
    ] as [([UInt8], Int)])
  func notUTF8(content: [UInt8], offset: Int) {
    let text = [UInt8(ascii: "\"")] + content + [UInt8(ascii: "\"")]
    let failure = #expect(throws: JSONFailure.self) { try JSONText.parse(text) }
    #expect(failure?.code == .notUTF8)
    #expect(failure?.offset == offset)
  }

  @Test(
    "nesting beyond 256 is refused at the bracket that goes too far",
    arguments: [257, 500, 100_000])
  func nesting(depth: Int) {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      let text =
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
      let failure = #expect(throws: JSONFailure.self) { try JSONText.parse(text) }
      #expect(failure?.code == .tooDeep)
      #expect(failure?.offset == open.utf8.count * 256)
      #expect(failure?.path.tokens.count == 256)
    }
    let failure = #expect(throws: JSONFailure.self) {
      try JSONText.parse(String(repeating: "[", count: depth))
    }
    #expect(failure?.code == .tooDeep)
  }

  @Test("parser and diagnosis agree on thousands of mutated texts")
  func agreement() throws {
    let samples = [
      #"{"a":[1,-0,2.5e-3,true,false,null],"b":{"c":"x\"\\\u00e9\ud83d\ude00","":[]},"é":"漢"}"#,
      #"[[],{},[[{"k":[{}]}]],"",0,-1,18446744073709551616,1e308]"#, #""text\n\/""#, "-12.5E+3",
      " [ 1 , { \"a\" : \"b\" } ]\n", "true", "null", "{\"a\":1,\"b\":2,\"c\":3}",
    ]
    let inserts = Array(#"[]{}",:\u0eE+-.1 dt/"#.utf8) + [0x00, 0x0A, 0x80, 0xC3, 0xED, 0xFF]
    let seed: UInt64 = 20
    var random = SeededGenerator(seed: seed)
    var refused = 0
    for round in 0..<40_000 {
      var text = Array(samples[round % samples.count].utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0...text.count, using: &random)
        switch random.next() % 4 {
        case 0 where place < text.count: text.remove(at: place)
        case 1 where place < text.count: text[place] = inserts.randomElement(using: &random) ?? 0
        case 2: text.removeSubrange(place...)
        default: text.insert(inserts.randomElement(using: &random) ?? 0, at: place)
        }
      }
      var diagnosis = JSONDiagnosis(text)
      let fault = diagnosis.fault()
      do {
        _ = try JSONText.parse(text)
        #expect(
          fault == nil, "seed \(seed), round \(round): \(String(decoding: text, as: UTF8.self))")
      } catch {
        refused += 1
        guard error.code != .duplicateKey else { continue }
        #expect(
          fault == error, "seed \(seed), round \(round): \(String(decoding: text, as: UTF8.self))")
      }
    }
    #expect((10_000..<39_000).contains(refused))
  }
}
