import Foundation
import Journal
import StatecastClient
import SyncProtocol

/// Exit codes: scripts tell "refused" from "unknown" from "nobody there".
enum ExitCode: Int32 {
  case success = 0
  /// A fault of this tool's surroundings (a file, a terminal).
  case failure = 1
  /// The command line is not understood.
  case usage = 2
  /// No daemon answers.
  case unreachable = 3
  /// The daemon answered, and refused: nothing was changed.
  case refused = 4
  /// Whether the action was applied is not known.
  case unknown = 5
  /// Acknowledged commits are missing or damaged in a journal.
  case damaged = 6
  /// A journal was written by a newer version.
  case tooNew = 7
  /// What was called is not there any more.
  case gone = 10
  /// A journal is in use by a daemon.
  case busy = 8
  /// A journal's actions do not give the journalled states again.
  case differs = 9
}

/// Why a command ends: what happened, what to do, and the exit code.
struct ToolFailure: Error, Equatable {
  var code: ExitCode
  var message: String
  var advice: String
  /// Whether the advice says what the daemon's schema has for what was asked.
  var isAboutSchema = false

  init(_ code: ExitCode, _ message: String, advice: String) {
    self.code = code
    self.message = message
    self.advice = advice
  }

  init(_ failure: ConnectionFailure) {
    self.init(
      failure.reason == .unreachable
        ? .unreachable : failure.reason == .refused ? .refused : .failure,
      failure.message, advice: failure.advice)
  }

  init(_ failure: ActionFailure) {
    if failure.isCertain {
      self.init(
        .refused, "the action was not applied: \(failure)", advice: Self.advice(failure.code))
    } else {
      self.init(
        .unknown, "whether the action was applied is not known: \(failure.message)",
        advice: "Look at the state (`statecast get`) before you send it again.")
    }
  }

  init(_ error: JournalError) {
    let code: ExitCode =
      switch error.kind {
      case .damaged: .damaged
      case .tooNew: .tooNew
      case .busy: .busy
      case .inputOutput, .noSpace: .failure
      }
    // The journal's messages end with their advice.
    let parts = error.message.split(separator: " Try: ", maxSplits: 1)
    self.init(
      code, parts.first.map { String($0.hasSuffix(".") ? $0.dropLast() : $0) } ?? "",
      advice: parts.dropFirst().first.map(Self.sentence) ?? "")
  }

  /// What to do about an action that was refused.
  private static func advice(_ code: Code) -> String {
    switch code {
    case .invalid, .unknownAction, .notSettable, .malformed:
      "`statecast schema` shows what can be sent."
    case .rejected, .conflict, .gone, .alreadyAnswered:
      "Look at the state (`statecast get`), and send what fits it."
    case .forbidden: "Send it as somebody whom the app allows to."
    case .busy, .retry, .cancelled: "Send it again in a moment."
    case .noSpace: "Mend that (the daemon goes on by itself), and send it again."
    case .tooLarge: "Send it in smaller parts, or let the daemon take more (`statecastd --help`)."
    default: "Look at `statecast status`, and at the daemon's log."
    }
  }

  /// A failure of an action or a setting, with what was probably meant and what it takes.
  init(_ failure: ActionFailure, about subject: SchemaGuide.Subject?, _ guide: SchemaGuide) {
    self.init(failure)
    guard let subject, failure.isCertain else { return }
    switch failure.code {
    case .unknownAction, .notSettable: message += guide.meant(subject)
    case .invalid:
      guard let line = guide.shown(subject) else { return }
      advice = line
      isAboutSchema = true
    default: break
    }
  }

  private static func sentence(_ text: Substring) -> String {
    // A command stays what is typed.
    text.hasPrefix("statecast ")
      ? String(text) : text.prefix(1).uppercased() + text.dropFirst()
  }

  init(_ failure: CallFailure, handle: String) {
    switch failure.reason {
    case .gone:
      self.init(
        .gone, "\(handle) is gone: \(failure.message)",
        advice: "`statecast get refresh` shows which handles there are.")
    case .overdue:
      self.init(
        .unknown,
        failure.message.hasPrefix(handle) ? failure.message : "\(handle): \(failure.message)",
        advice: "Give it longer with --timeout, or look at what its owner does.")
    case .failed:
      self.init(
        .refused, "\(handle) failed: \(failure.message)", advice: "Look at what its owner says.")
    case .busy, .cancelled, .refused:
      self.init(
        .refused, "\(handle) was not called: \(failure)", advice: "Call again in a moment.")
    }
  }

  static func usage(_ message: String) -> ToolFailure {
    ToolFailure(.usage, message, advice: generalHelp)
  }

  private static let generalHelp = "`statecast --help` lists the commands."

  /// Of a command that was not used as it is: how it is used.
  func used(as command: Command) -> ToolFailure {
    guard code == .usage, advice == Self.generalHelp else { return self }
    var failure = self
    failure.advice =
      "statecast " + [command.name, command.usage].filter { !$0.isEmpty }.joined(separator: " ")
      + " (`statecast \(command.name) --help` says more)"
    return failure
  }
}
