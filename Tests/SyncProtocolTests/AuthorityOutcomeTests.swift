import StateModel
import Testing

@testable import SyncProtocol

/// What is kept of an outcome is bounded, whatever the app says of its input.
@Suite("The daemon's machine: the size of outcomes")
struct AuthorityOutcomeTests {
  @Test("an outcome's text is cut on a scalar's boundary, in the answer, the window and the row")
  func text() throws {
    var bench = AuthorityBench(durable: true)
    bench.act(1, String(repeating: "é", count: 300_000), "a")
    bench.drain()
    bench.journaled()
    let outcome = try #require(bench.outcomes.first)
    #expect(outcome.code == .unknownAction)
    #expect((1023...1024).contains(outcome.text.utf8.count))
    #expect(outcome.text.hasPrefix("no action is called éé"))
    #expect(outcome.text.hasSuffix("é…"))
    #expect(bench.journal.first?.entries.first?.outcome == outcome)
    #expect(bench.machine.sessions[0].window[1]?.outcome == outcome)
  }

  @Test("an outcome's path keeps the first elements that fit")
  func path() throws {
    var bench = AuthorityBench(durable: true)
    let path = (0..<500_000).map { _ in CBOREncoder.text("x") }
    bench.request(
      .act(
        Act(
          base: 0,
          entries: [
            Act.Numbered(
              number: 1,
              entry: Entry(
                .perform(action: FlipApp.action("inc", "a")),
                expectations: [Entry.Expectation(path: path, digest: Digest(rawValue: 9))]))
          ])))
    bench.drain()
    bench.journaled()
    let outcome = try #require(bench.outcomes.first)
    #expect(outcome.code == .conflict)
    #expect(outcome.path == Array(path.prefix(512)))
    #expect(bench.journal.first?.entries.first?.outcome == outcome)
  }

  @Test(
    "texts are cut to a limit, and left alone within it",
    arguments: [
      ("", 4, ""), ("abcd", 4, "abcd"), ("abcde", 4, "a…"), ("éé", 4, "éé"), ("ééé", 5, "é…"),
      ("ééé", 4, "…"), ("👍👍", 7, "👍…"), ("👍👍", 6, "…"), ("e\u{301}e\u{301}", 5, "e…"),
    ])
  func cut(text: String, limit: Int, expected: String) {
    #expect(Array(text.cut(to: limit).utf8) == Array(expected.utf8))
  }

  @Test("the schema's answer is encoded once, and read like any other value")
  func schema() throws {
    var bench = AuthorityBench()
    for _ in 0..<2 {
      bench.request(.schema)
      let reply = try #require(bench.replies.last)
      #expect(try ReplyCodec.decode(ReplyCodec.encode(reply)).body == .value(.text("flip")))
    }
    #expect(bench.machine.schemaAnswer == Value.text("flip").encoded())
  }
}

extension CBOREncoder {
  fileprivate static func text(_ text: String) -> [UInt8] {
    var encoder = CBOREncoder()
    encoder.text(text)
    return encoder.bytes
  }
}
