import Testing

@testable import StatecastDaemon

@Suite("Values of options")
struct OptionValueTests {
  @Test(
    "sizes are read in any unit and written in the largest that fits",
    arguments: [
      ("16777216", 16 << 20, "16 MiB"), ("16 MiB", 16 << 20, "16 MiB"),
      ("16384KiB", 16 << 20, "16 MiB"), ("1 gib", 1 << 30, "1 GiB"), ("1500", 1500, "1500"),
      ("255 B", 255, "255"), ("0", 0, "0"),
    ])
  func sizes(text: String, bytes: Int, written: String) throws {
    #expect(try OptionValue.bytes(text) == bytes)
    #expect(OptionValue.text(bytes: bytes) == written)
    #expect(try OptionValue.bytes(written) == bytes)
  }

  @Test(
    "what is no size is refused", arguments: ["", "MiB", "-1", "1.5 MiB", "1 MB", "1 Mi B", "٣"])
  func noSizes(text: String) {
    #expect(throws: OptionValue.Fault.self) { try OptionValue.bytes(text) }
  }

  @Test(
    "durations are read in any unit and written in seconds or milliseconds",
    arguments: [
      ("250 ms", 250, "250 ms"), ("10s", 10_000, "10 s"), ("1500 ms", 1500, "1500 ms"),
      ("5 min", 300_000, "300 s"), ("1 h", 3_600_000, "3600 s"), ("2000ms", 2000, "2 s"),
    ] as [(String, Int64, String)])
  func durations(text: String, milliseconds: Int64, written: String) throws {
    #expect(try OptionValue.duration(text) == .milliseconds(milliseconds))
    #expect(OptionValue.text(duration: .milliseconds(milliseconds)) == written)
    #expect(try OptionValue.duration(written) == .milliseconds(milliseconds))
  }

  @Test(
    "what is no duration is refused",
    arguments: ["", "10", "s", "-1 s", "1.5 s", "1 day", "9223372036854775807 h"])
  func noDurations(text: String) {
    #expect(throws: OptionValue.Fault.self) { try OptionValue.duration(text) }
  }

  @Test(
    "the nearest word is the one that was meant",
    arguments: [
      ("fram", "frame"), ("framee", "frame"), ("farme", "frame"), ("FRAME", "frame"),
      ("windw", "window"), ("xyz", nil), ("", nil),
    ] as [(String, String?)])
  func likeness(word: String, meant: String?) {
    #expect(Likeness.closest(to: word, among: ["frame", "window", "request"]) == meant)
  }

  @Test("is not compared with what is far longer or shorter", .timeLimit(.minutes(1)))
  func longWord() {
    let word = String(repeating: "a", count: 20_000_000)
    #expect(Likeness.closest(to: word, among: ["frame", "window", "request"]) == nil)
  }
}
