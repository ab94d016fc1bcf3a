public import SyncProtocol

/// Why a call of a handle has no result.
public struct CallFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The kinds that callers tell apart.
  public enum Reason: Equatable, Sendable {
    /// The handle is not offered any more, or its owner or the daemon's run ended before it gave
    /// anything back.
    case gone
    /// Too much waits already: again in a moment.
    case busy
    /// The deadline passed; whether it was done is not known.
    case overdue
    /// It was cancelled.
    case cancelled
    /// The owner failed at it, or what it gave back is not what was expected.
    case failed
    /// The daemon refused it.
    case refused
  }

  /// What kind of failure it is.
  public var reason: Reason
  /// The daemon's or the owner's code.
  public var code: Code
  /// A sentence for a person.
  public var message: String

  /// A failure from its parts.
  public init(_ reason: Reason, code: Code, message: String) {
    self.reason = reason
    self.code = code
    self.message = message
  }

  init(_ end: CallEnd) {
    let reason: Reason =
      switch end.code {
      case .gone: .gone
      case .busy: .busy
      case .overdue: .overdue
      case .cancelled: .cancelled
      case .rejected: .failed
      default: .refused
      }
    self.init(reason, code: end.code, message: end.text)
  }

  /// `code: message`.
  public var description: String {
    message.isEmpty ? code.rawValue : "\(code.rawValue): \(message)"
  }
}

/// Why it is not known that everything an action started in the daemon has ended, or why it started
/// nothing.
public struct TaskFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// `gone` where the daemon's run has ended, and with it the effects; else why the action was not
  /// applied.
  public var code: Code
  /// A sentence for a person.
  public var message: String

  /// A failure from its parts.
  public init(code: Code, message: String) {
    self.code = code
    self.message = message
  }

  /// `code: message`.
  public var description: String {
    message.isEmpty ? code.rawValue : "\(code.rawValue): \(message)"
  }
}
