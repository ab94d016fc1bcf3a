internal import Foundation
internal import Journal
internal import ZeroMQ

/// `replay --verify JOURNAL`, or `--verify JOURNAL` alone: what a daemon's command line asks for in
/// the place of serving.
struct ReplayRequest: Equatable {
  var journal: String

  /// Exit codes, as the command line client's.
  enum Ending: Int32 {
    case same = 0
    case failure = 1
    case damaged = 6
    case tooNew = 7
    case differs = 9
  }

  /// Nil where it is something else that is asked for.
  init?(program: String, arguments: [String]) throws(ConfigurationError) {
    let isReplay = arguments.first == "replay"
    guard isReplay || arguments.contains(where: { $0 == "--verify" || $0.hasPrefix("--verify=") })
    else { return nil }
    var rest = arguments.dropFirst(isReplay ? 1 : 0)
    var journal: String?
    var faults: [ConfigurationError.Fault] = []
    while let word = rest.popFirst() {
      if word.hasPrefix("--verify=") {
        journal = String(word.dropFirst("--verify=".count))
      } else if word == "--verify" {
        journal = rest.popFirst() ?? ""
      } else {
        faults.append(
          ConfigurationError.Fault(
            word, "does not go with a replay, see \(program) --help"))
      }
    }
    if journal?.isEmpty != false {
      faults.append(ConfigurationError.Fault("--verify", "the folder of a journal is missing"))
    }
    guard faults.isEmpty, let journal else { throw ConfigurationError(faults) }
    self.journal = journal
  }

  /// Runs it and gives the exit code. The result goes to standard output, words for people to
  /// standard error.
  func run<App: DaemonApp>(_ app: sending App) async -> Int32 {
    do {
      // As a daemon's: a reducer may need the stack.
      let loop = try EventLoop(name: "replay")
      loop.start()
      let journal = journal
      let report = try await withCheckedThrowingContinuation { done in
        loop.perform {
          done.resume(
            with: Result { try Self.replay(App(), journal) })
        }
      }
      await loop.stop()
      return Self.tell(report)
    } catch {
      return Self.tell(error)
    }
  }

  private static func replay<App: DaemonApp>(_ app: App, _ journal: String) throws -> ReplayReport {
    var replay = try Replay(app, try JournalPass(journal)) { issue in
      FileHandle.standardError.write(Data("\(issue)\n".utf8))
    }
    return try replay.run()
  }

  private static func tell(_ report: ReplayReport) -> Int32 {
    if report.difference == nil { print(report.line) }
    if let note = report.note { say("Note: \(note).") }
    guard let difference = report.difference else { return Ending.same.rawValue }
    let fault = "Error: the journal's actions do not give its states again: \(report.line).\n"
    if difference.otherSchema != nil {
      say(
        fault + "Try: replay it with the version of the app that wrote it: this one's state has "
          + "another schema.")
      return Ending.differs.rawValue
    }
    say(
      fault
        + "Try: look for a date, a random number or a file that the reducer takes from elsewhere "
        + "than its dependencies; or, if this is another version of the app, for what it does "
        + "differently from this commit on.")
    return Ending.differs.rawValue
  }

  private static func tell(_ error: any Error) -> Int32 {
    switch error {
    case let error as JournalError:
      let parts = error.message.components(separatedBy: " Try: ")
      say("Error: \(parts[0])" + parts.dropFirst().map { "\nTry: \($0)" }.joined())
      switch error.kind {
      case .damaged: return Ending.damaged.rawValue
      case .tooNew: return Ending.tooNew.rawValue
      case .busy, .inputOutput, .noSpace: return Ending.failure.rawValue
      }
    case let error as HostFailure: say("Error: \(error.message).\nTry: \(error.advice)")
    default: say("Error: \(error)")
    }
    return Ending.failure.rawValue
  }

  private static func say(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }
}
