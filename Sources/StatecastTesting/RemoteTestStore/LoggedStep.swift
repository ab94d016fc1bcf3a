public import StateModel
public import SyncProtocol

/// One action as a daemon's log has it.
public struct LoggedStep<Action: Mirrored>: Sendable {
  /// What was done.
  public enum What: Sendable {
    /// An action of the app, sent by a client or by an effect.
    case action(Action)
    /// A field was set by its name.
    case set(field: String, value: Value)
    /// A question was answered; without a button it was dismissed.
    case answered(alert: Value, button: Int?)
    /// A run of the daemon began.
    case started
    /// The state was brought from what another version of the app wrote, with a schema of this hash.
    case migrated(from: Digest)
    /// Something that this version does not know.
    case other(Value)
  }

  /// The commit; of an action that was refused, the one before it.
  public var commit: CommitNumber
  /// What was done.
  public var what: What
  /// The public number of the client that sent it; nil for the daemon itself.
  public var origin: UInt64?
  /// The commit whose effect sent it.
  public var cause: CommitNumber?
  /// What became of it: `ok`, `no-change`, or why it was refused.
  public var code: Code
  /// Why it was refused, for a person.
  public var text: String

  /// A step from an item of the answer to `log`; nil for what is none.
  init?(_ item: Value) {
    guard let commit = item["commit"]?.integer, let code = item["code"]?.string,
      case .bytes(let encoded) = item["entry"],
      let entry = try? Value(encoded: encoded), let kind = entry[0]?.string
    else { return nil }
    self.commit = CommitNumber(rawValue: UInt64(commit))
    self.code = Code(rawValue: code)
    text = item["text"]?.string ?? ""
    origin = item["origin"]?.integer.map { UInt64($0) }
    switch kind {
    case "do", "effect":
      guard let value = entry[1], let action = try? Action(encoded: value.encoded()) else {
        what = .other(entry)
        return
      }
      what = .action(action)
      if kind == "effect" {
        cause = entry[2]?.integer.map { CommitNumber(rawValue: UInt64($0)) }
      }
    case "set": what = .set(field: entry[1]?.string ?? "?", value: entry[2] ?? .null)
    case "answer":
      what = .answered(alert: entry[1] ?? .null, button: entry[2]?.integer.map { Int($0) })
    case "started": what = .started
    case "migrated":
      if case .unsigned(let hash)? = entry[1] {
        what = .migrated(from: Digest(rawValue: hash))
      } else {
        what = .other(entry)
      }
    default: what = .other(entry)
    }
  }
}

extension LoggedStep: CustomStringConvertible {
  /// `commit 3, client 2: .increment`, and what became of it if it was refused.
  public var description: String {
    let sender =
      if let cause { "effect of commit \(cause)" } else if let origin { "client \(origin)" } else {
        "daemon"
      }
    let fate = code == .ok || code == .noChange ? "" : " (\(code.rawValue): \(text))"
    return "commit \(commit), \(sender): \(shown)\(fate)"
  }

  private var shown: String {
    switch what {
    case .action(let action): TestStoreMessages.one(action)
    case .set(let field, let value): "set \(field) to \(value)"
    case .answered(_, let button): button.map { "answer with button \($0)" } ?? "dismiss"
    case .started: "started"
    case .migrated(let hash): "the state migrated from the schema \(hash)"
    case .other(let entry): "\(entry)"
    }
  }
}

/// Who sent a step of a daemon's log.
public enum StepSender: Equatable, Sendable {
  /// Whoever it was.
  case anybody
  /// Any client.
  case client
  /// An effect of a commit.
  case effect(of: CommitNumber)
}
