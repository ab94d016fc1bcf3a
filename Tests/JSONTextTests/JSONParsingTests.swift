import Foundation
import JSONText
import StateModel
import Testing

@Suite("JSON text is read")
struct JSONParsingTests {
  /// Encodings tell apart what `==` merges: composed and decomposed texts, 0.0 and -0.0.
  private func encoding(_ text: String) throws -> [UInt8] { try JSONText.parse(text).encoded() }

  @Test(
    "numbers are kept as they are written",
    arguments: [
      ("0", Value.unsigned(0)), ("1", .unsigned(1)), ("-1", .negative(0)),
      ("9007199254740993", .unsigned((1 << 53) + 1)),
      ("9223372036854775807", .unsigned(UInt64(Int64.max))),
      ("18446744073709551615", .unsigned(.max)),
      ("-9223372036854775808", .negative(UInt64(Int64.max))),
      ("18446744073709551616", .float(0x1p64)),
      ("-9223372036854775809", .float(-0x1p63)),
      ("123456789012345678901234567890", .float(0x1.8EE90FF6C373Ep96)),
      ("-0", .float(-0.0)), ("0.0", .float(0)), ("-0.0", .float(-0.0)), ("1.0", .float(1)),
      ("1e2", .float(100)), ("1E+2", .float(100)), ("0.1", .float(0.1)),
      ("1.7976931348623157e308", .float(.greatestFiniteMagnitude)),
      ("5e-324", .float(.leastNonzeroMagnitude)), ("1e-400", .float(0)), ("-1e-400", .float(-0.0)),
      ("2.2250738585072011e-308", .float(Double(bitPattern: 0xF_FFFF_FFFF_FFFF))),
      ("9007199254740993.0", .float(9_007_199_254_740_992)),
      // More digits than 64 bits hold, which simdjson 3.0 does not see behind a zero.
      ("0.44774424916013312688221", .float(0x1.CA7D77EC759A8p-2)),
      ("-0.386213409138111132289329E+140", .float(-0x1.9F201B177D283p463)),
    ])
  func numbers(text: String, expected: Value) throws {
    #expect(try encoding(text) == expected.encoded())
    // Within an array the parser takes another way than at the root.
    #expect(try encoding("[\(text)]") == Value.array([expected]).encoded())
  }

  @Test(
    "white space around whatever stands at the root is passed",
    arguments: [
      "null", "true", "false", "0", "-0", "7", "-7", "18446744073709551615",
      "-9223372036854775808", "1.5", "1e3", "0.44774424916013312688221", #""a""#, #""""#, "[]",
      "{}", "[1]", #"{"a":1}"#,
    ])
  func space(text: String) throws {
    let expected = try encoding(text)
    for space in [" ", "\n", "\t", "\r\n", "  ", " \n\t ", String(repeating: " ", count: 3_000)] {
      for padded in [text + space, space + text, space + text + space] {
        #expect(try encoding(padded) == expected, "\(padded.debugDescription)")
      }
    }
  }

  @Test("random decimals are the nearest double, however many digits they have")
  func decimals() throws {
    var random = SeededGenerator(seed: 11)
    func digits(_ most: Int) -> String {
      (0..<Int.random(in: 1...most, using: &random)).map { _ in
        String(Int.random(in: 0...9, using: &random))
      }.joined()
    }
    for round in 0..<6_000 {
      var text = random.next() % 2 == 0 ? "-" : ""
      let whole = random.next() >> UInt64.random(in: 0..<60, using: &random)
      text += round % 3 == 0 ? "0" : String(whole)
      text += "." + (round % 2 == 0 ? digits(40) : String(random.next() >> 30))
      if round % 5 > 0 { text += "e" + String(Int.random(in: -330...290, using: &random)) }
      let expected = try #require(Double(text))
      guard expected.isFinite else { continue }
      for (json, isInArray) in [(text, false), ("[1,\(text) , 2]", true)] {
        var found = try JSONText.parse(json)
        if isInArray, case .array(let items) = found { found = items[1] }
        guard case .float(let number) = found else {
          Issue.record("\(json) is no float")
          return
        }
        #expect(number.bitPattern == expected.bitPattern, "\(json)")
      }
    }
  }

  @Test(
    "texts are unescaped",
    arguments: [
      (#""""#, ""), (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041""#, "A"),
      (#""\ud83d\ude00""#, "😀"), (#""\u0000""#, "\0"), ("\"e\u{301}\"", "e\u{301}"),
      ("\"é\"", "é"), ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
    ])
  func texts(json: String, expected: String) throws {
    #expect(try encoding(json) == Value.text(expected).encoded())
    #expect(try encoding("[\(json)]") == Value.array([.text(expected)]).encoded())
  }

  @Test("objects come out in the order of a value's map, whatever order they were written in")
  func objects() throws {
    let value = try JSONText.parse(
      #" { "bb" : [ ] , "a" : { } , "" : null, "~": true, "/": false } "#)
    #expect(JSONText.display(value) == #"{"":null,"/":false,"a":{},"~":true,"bb":[]}"#)
    var decoder = CBORDecoder(value.encoded())
    _ = try decoder.item()
    try decoder.finish()
  }

  @Test("keys of composed and decomposed Unicode are two keys")
  func unicodeKeys() throws {
    let value = try JSONText.parse("{\"e\u{301}\": 1, \"\u{E9}\": 2}")
    #expect(JSONText.display(value) == "{\"\u{E9}\":2,\"e\u{301}\":1}")
  }

  @Test("nesting of 256 is read, and written again")
  func nesting() throws {
    let text = String(repeating: "[", count: 256) + String(repeating: "]", count: 256)
    #expect(try JSONText.write(JSONText.parse(text)) == text)
  }

  @Test("an array of ten thousand and an object of ten thousand are read whole")
  func large() throws {
    let array = "[" + (0..<10_000).map(String.init).joined(separator: ",") + "]"
    #expect(try JSONText.write(JSONText.parse(array)) == array)
    let object = "{" + (10_000..<20_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",") + "}"
    #expect(try JSONText.write(JSONText.parse(object)) == object)
  }
}

private let isoLanguages = "/usr/share/iso-codes/json/iso_639-3.json"

@Suite("JSON text of a real document")
struct RealDocumentTests {
  @Test(
    "thousands of languages come back as they were",
    .enabled(
      if: FileManager.default.fileExists(atPath: isoLanguages),
      "Debian's package iso-codes is not installed"))
  func languages() throws {
    let text = [UInt8](try Data(contentsOf: URL(fileURLWithPath: isoLanguages)))
    let value = try JSONText.parse(text)
    #expect(value["639-3"]?.elements?.count ?? 0 > 7_000)
    #expect(try JSONText.parse(JSONText.write(value, layout: .pretty)) == value)
    #expect(try Value(encoded: value.encoded()) == value)
  }
}
