/// The handles that a client offers: offered anew in every run of the daemon, once its mirrors show
/// their first values.
struct OfferBook: Sendable {
  enum Stage: Equatable, Sendable {
    /// To be offered (again).
    case due
    /// An entry is on its way.
    case sent(ActionToken)
    case offered
    /// The daemon does not want it, in this run.
    case refused
  }

  private(set) var stages: [String: Stage] = [:]
  private var lastToken: UInt64 = 0

  /// Tokens of the machine's own entries, which no shell gives.
  static let ownTokens: UInt64 = 1 << 63

  var isEmpty: Bool { stages.isEmpty }

  mutating func add(_ name: String) { if stages[name] == nil { stages[name] = .due } }

  /// Takes a handle back; whether the daemon may have it.
  mutating func remove(_ name: String) -> Bool {
    switch stages.removeValue(forKey: name) {
    case nil, .due, .refused: false
    case .sent, .offered: true
    }
  }

  /// The daemon has none of them (any more).
  mutating func startOver() { for name in stages.keys { stages[name] = .due } }

  /// The names to offer now, each with a token for its entry.
  mutating func takeDue() -> [(ActionToken, String)] {
    var due: [(ActionToken, String)] = []
    for name in stages.filter({ $0.value == .due }).keys.sorted() {
      let token = nextToken()
      stages[name] = .sent(token)
      due.append((token, name))
    }
    return due
  }

  mutating func nextToken() -> ActionToken {
    lastToken += 1
    return ActionToken(rawValue: Self.ownTokens | lastToken)
  }

  /// What became of an entry of the machine's own; the name it was about, if it is still wanted.
  mutating func take(_ token: ActionToken, _ resolution: Resolution) -> String? {
    guard let name = stages.first(where: { $0.value == .sent(token) })?.key else { return nil }
    switch resolution {
    case .done(.ok, _, _), .done(.noChange, _, _): stages[name] = .offered
    case .done: stages[name] = .refused
    case .notDone(let code, _) where code != .cancelled: stages[name] = .refused
    case .notDone, .unknown: stages[name] = .due
    }
    return name
  }
}

extension ActionToken {
  /// Whether it is of an entry that the machine made itself.
  var isOwn: Bool { rawValue & OfferBook.ownTokens != 0 }
}
