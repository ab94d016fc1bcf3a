/// Why a daemon cannot start: what happened, and what to do.
package struct HostFailure: Error, Equatable, Sendable, CustomStringConvertible {
  package var message: String
  package var advice: String

  package init(_ message: String, advice: String) {
    self.message = message
    self.advice = advice
  }

  package var description: String { "\(message). \(advice)" }
}
