/// Read your own writes: which actions are done but not yet shown by all mirrors they touched.
///
/// A wait ends when the mirror reaches the number that the daemon named, when it joins another
/// epoch (what is durable is in the value it gets there), or when the view is not mirrored any more.
struct ReachWaits: Sendable {
  private struct Wait: Sendable {
    /// What one answer settled: their mirrors have to reach the same.
    var tokens: [ActionToken]
    var numbers: [Topic: CommitNumber]
  }

  private var waits: [Wait] = []
  /// Waits of an epoch that is over; they end once all mirrors have joined the present one.
  private var orphans: [ActionToken] = []

  var isEmpty: Bool { waits.isEmpty && orphans.isEmpty }
  var count: Int { waits.reduce(orphans.count) { $0 + $1.tokens.count } }

  mutating func add(_ tokens: [ActionToken], numbers: [Topic: CommitNumber]) {
    waits.append(Wait(tokens: tokens, numbers: numbers))
  }

  /// The epoch ended: its numbers mean nothing in the next one.
  mutating func epochEnded() {
    orphans += waits.flatMap(\.tokens)
    waits = []
  }

  /// The actions that all mirrors now show, in the order in which they were done.
  ///
  /// - Parameter isJoined: whether a hello was answered since the epoch, or the session, ended: what
  ///   the mirrors hold before that says nothing of actions whose numbers mean nothing any more.
  mutating func reached(by mirrors: [MirrorMachine], isJoined: Bool) -> [ActionToken] {
    guard !isEmpty else { return [] }
    var done: [ActionToken] = []
    if !orphans.isEmpty, isJoined {
      let isShown = mirrors.allSatisfy {
        !$0.follows || $0.isRefused || !$0.isStale && $0.want == .nothing
      }
      if isShown {
        done = orphans
        orphans = []
      }
    }
    if waits.isEmpty { return done }
    waits.removeAll { wait in
      let isReached =
        wait.numbers.isEmpty
        || mirrors.indices.allSatisfy { index in
          guard mirrors[index].follows, !mirrors[index].isRefused,
            let number = wait.numbers[mirrors[index].topic]
          else { return true }
          return mirrors[index].position.map { $0.number >= number } ?? false
        }
      if isReached { done += wait.tokens }
      return isReached
    }
    return done
  }
}
