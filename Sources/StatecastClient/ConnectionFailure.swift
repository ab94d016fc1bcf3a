/// Why a daemon cannot be used: what happened, and what to do.
public struct ConnectionFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds that callers tell apart.
  public enum Reason: Equatable, Sendable {
    /// Nobody answers at the endpoint.
    case unreachable
    /// The daemon answered, and refused.
    case refused
    /// Sockets could not be made on this machine.
    case transport
  }

  /// What kind of failure it is.
  public var reason: Reason
  /// What happened.
  public var message: String
  /// What to do.
  public var advice: String

  /// A failure with two sentences for a person.
  public init(_ reason: Reason, _ message: String, advice: String) {
    self.reason = reason
    self.message = message
    self.advice = advice
  }

  /// Both sentences.
  public var description: String { "\(message). \(advice)" }
}
