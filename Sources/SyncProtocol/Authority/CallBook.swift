/// The calls that are under way: who waits for whom, and until when.
struct CallBook {
  struct Open {
    var owner: PublicNumber
    var name: String
    var deadline: Moment
  }

  private var calls: [CallKey: Open] = [:]
  /// No call is overdue before this.
  private(set) var nextDeadline = Moment.never

  var count: Int { calls.count }

  subscript(key: CallKey) -> Open? { calls[key] }

  mutating func begin(_ key: CallKey, _ call: Open) {
    calls[key] = call
    nextDeadline = min(nextDeadline, call.deadline)
  }

  mutating func end(_ key: CallKey) -> Open? { calls.removeValue(forKey: key) }

  /// The calls whose time is over, in order.
  mutating func overdue(at now: Moment) -> [CallKey] {
    guard now >= nextDeadline else { return [] }
    nextDeadline = calls.values.reduce(.never) { $1.deadline > now ? min($0, $1.deadline) : $0 }
    return keys { $0.deadline <= now }
  }

  /// The calls that a session is to answer.
  func calls(to owner: PublicNumber) -> [CallKey] { keys { $0.owner == owner } }

  /// The calls that a session waits for.
  func calls(of caller: PublicNumber) -> [CallKey] {
    sorted(calls.keys.filter { $0.caller == caller })
  }

  private func keys(where fits: (Open) -> Bool) -> [CallKey] {
    sorted(calls.filter { fits($0.value) }.map(\.key))
  }

  /// In a fixed order, so that the same events give the same outputs.
  private func sorted(_ keys: [CallKey]) -> [CallKey] {
    keys.sorted { ($0.caller, $0.id) < ($1.caller, $1.id) }
  }

  /// A pause of the daemon moves all deadlines.
  mutating func shift(by pause: Duration) {
    guard !calls.isEmpty else { return }
    calls = calls.mapValues { call in
      var later = call
      later.deadline = call.deadline + pause
      return later
    }
    nextDeadline = nextDeadline + pause
  }
}
