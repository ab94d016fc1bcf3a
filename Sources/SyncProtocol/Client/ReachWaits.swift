/// Read your own writes: which actions are done but not yet shown by all mirrors they touched.
///
/// A wait ends when the mirror reaches the number that the daemon named, when it joins another
/// epoch (what is durable is in the value it gets there), or when the view is not mirrored any more.
struct ReachWaits: Sendable {
  private struct Wait: Sendable {
    var token: ActionToken
    var numbers: [Topic: CommitNumber]
  }

  private var waits: [Wait] = []
  /// Waits of an epoch that is over; they end once all mirrors have joined the present one.
  private var orphans: [ActionToken] = []

  var isEmpty: Bool { waits.isEmpty && orphans.isEmpty }
  var count: Int { waits.count + orphans.count }

  mutating func add(_ token: ActionToken, numbers: [Topic: CommitNumber]) {
    waits.append(Wait(token: token, numbers: numbers))
  }

  /// The epoch ended: its numbers mean nothing in the next one.
  mutating func epochEnded() {
    orphans += waits.map(\.token)
    waits = []
  }

  /// The actions that all mirrors now show, in the order in which they were done.
  mutating func reached(by mirrors: [MirrorMachine]) -> [ActionToken] {
    guard !isEmpty else { return [] }
    var done: [ActionToken] = []
    if !orphans.isEmpty, mirrors.allSatisfy({ !$0.follows || $0.isRefused || !$0.isStale }) {
      done = orphans
      orphans = []
    }
    waits.removeAll { wait in
      let isReached = mirrors.allSatisfy { mirror in
        guard mirror.follows, !mirror.isRefused, let number = wait.numbers[mirror.topic] else {
          return true
        }
        return mirror.position.map { $0.number >= number } ?? false
      }
      if isReached { done.append(wait.token) }
      return isReached
    }
    return done
  }
}
