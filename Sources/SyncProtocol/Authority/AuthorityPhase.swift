/// How far the daemon's machine is on its way out.
enum AuthorityPhase: Equatable {
  case running
  /// Takes nothing new; the batch under way is being finished.
  case stopping(String)
  /// Clients are told, and have until then to read it.
  case farewell(String, until: Moment)
  case stopped
  /// It is not known whether a row is in the journal.
  case failed(String)
  /// Another daemon has written.
  case fenced

  var isRunning: Bool { self == .running }

  /// Whether only refusals may leave.
  var isSilent: Bool {
    switch self {
    case .running, .stopping, .farewell: false
    case .stopped, .failed, .fenced: true
    }
  }

  /// What whoever asks for something new is told.
  var refusal: String {
    switch self {
    case .running: ""
    case .stopping(let text), .farewell(let text, _):
      "the daemon is going away (\(text)): try again"
    case .stopped: "the daemon has stopped: try again when it runs"
    case .failed(let text):
      "the journal failed (\(text)) and the daemon must be restarted: it is not known whether the "
        + "action was done; send the same again after a new hello"
    case .fenced:
      "another daemon has taken over this journal: connect to that one and send the same again"
    }
  }
}
