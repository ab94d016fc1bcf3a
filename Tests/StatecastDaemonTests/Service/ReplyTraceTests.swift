import SyncProtocol
import Testing

@testable import StatecastDaemon

@Suite("The log at debug")
struct ReplyTraceTests {
  private func lines(_ code: Code, _ body: Reply.Body) -> [String] {
    let header = Reply.Header(
      code: code, request: 9, lineage: Lineage(Bytes16(high: 1, low: 2)),
      epoch: Epoch(rawValue: 1), commit: .zero, durable: .zero, oldest: .zero)
    return ReplyTrace.lines(of: Reply(header: header, body: body))
  }

  @Test("tells of refusals by their codes, without any text of the app's, and of nothing else")
  func refusals() {
    let outcomes = [
      Outcome(number: 3, code: .ok, commit: .zero),
      Outcome(number: 4, code: .rejected, text: "secret is no prime"),
    ]
    #expect(
      lines(.ok, .act(ActAnswer(outcomes: outcomes)))
        == ["action 4 of a client was refused: \(Code.rejected.rawValue)"])
    #expect(lines(.ok, .text("")) == [])
    #expect(
      lines(.forbidden, .text("secret")) == ["request 9 was refused: \(Code.forbidden.rawValue)"])
  }

  @Test("counts in the singular and the plural")
  func counted() {
    #expect(1.counted("epoch") == "1 epoch")
    #expect(0.counted("epoch") == "0 epochs")
    #expect(2.counted("session") == "2 sessions")
  }
}
