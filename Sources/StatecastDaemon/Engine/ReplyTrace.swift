package import SyncProtocol

/// What the log tells at `debug` of an answer: sessions that begin, and what was refused. Codes
/// only: an app's sentence may have a payload in it, which no log is to have.
package enum ReplyTrace {
  /// Nothing for an answer as it should be.
  package static func lines(of reply: Reply) -> [String] {
    switch reply.body {
    case .hello(let answer):
      return ["client \(answer.publicNumber) attached, \(answer.views.count.counted("view"))"]
    case .act(let answer):
      return answer.outcomes.filter { $0.code != .ok && $0.code != .noChange }.map {
        "action \($0.number) of a client was refused: \($0.code.rawValue)"
      }
    default:
      if reply.header.code == .ok { return [] }
      return ["request \(reply.header.request) was refused: \(reply.header.code.rawValue)"]
    }
  }
}
