public import SyncProtocol

/// Why an action was not applied, or why that is not known.
public struct ActionFailure: Error, Equatable, Sendable, CustomStringConvertible {
  /// The daemon's code; `expired` where it cannot be known.
  public var code: Code
  /// A sentence for a person.
  public var message: String
  /// Whether it is certain that the action was not applied, and never will be.
  public var isCertain: Bool

  /// A failure from its parts.
  public init(code: Code, message: String, isCertain: Bool) {
    self.code = code
    self.message = message
    self.isCertain = isCertain
  }

  /// `code: message`.
  public var description: String {
    message.isEmpty ? code.rawValue : "\(code.rawValue): \(message)"
  }
}

/// What the daemon made of an action.
public struct Receipt: Equatable, Sendable {
  /// The place in the one order that it got.
  public var commit: CommitNumber
  /// Whether the state is another one than before.
  public var changed: Bool

  /// A receipt from its parts.
  public init(commit: CommitNumber, changed: Bool) {
    self.commit = commit
    self.changed = changed
  }
}

extension Resolution {
  /// The receipt, or the failure.
  package func receipt() throws(ActionFailure) -> Receipt {
    switch self {
    case .done(let code, let commit?, _) where code == .ok || code == .noChange:
      return Receipt(commit: commit, changed: code == .ok)
    case .done(let code, _, let text), .notDone(let code, let text):
      throw ActionFailure(code: code, message: text, isCertain: true)
    case .unknown(let text):
      throw ActionFailure(code: .expired, message: text, isCertain: false)
    }
  }
}
