internal import StateModel
internal import Synchronization

/// What is collected while a commit is being made. One is reused for all commits of a core, so
/// that an action costs no allocation for what its reducer does not ask for.
package final class CommitScratch: Sendable {
  private struct Contents {
    var facts = CommitFacts()
    var random = SeededGenerator(seed: 0)
    var reports: [IssueReport] = []
    /// How many bindings a `BindingReducer` has applied.
    var bindings = 0
    /// How many actions were for a child that is not there.
    var absentChildren = 0
    /// Places of children of which one may have an effect under way.
    var keyedScopes: Set<ScopeID> = []
  }

  private let contents = Mutex(Contents())

  package init() {}

  /// Starts a commit.
  func begin(_ facts: CommitFacts) {
    contents.withLock {
      $0.facts = facts
      $0.bindings = 0
      $0.absentChildren = 0
      if let seed = facts.seed { $0.random = SeededGenerator(seed: seed) }
    }
  }

  /// Ends a commit: what was reported.
  func end() -> [IssueReport] {
    contents.withLock { contents in
      if contents.reports.isEmpty { return [] }
      defer { contents.reports = [] }
      return contents.reports
    }
  }

  /// Keeps a report for the end of the commit.
  func report(_ report: IssueReport) { contents.withLock { $0.reports.append(report) } }

  /// Counts a binding that is about to be applied; what its field must still be.
  func noteBinding() -> [FieldExpectation] {
    contents.withLock { contents in
      contents.bindings += 1
      if contents.facts.expectations.isEmpty { return [] }
      defer { contents.facts.expectations = [] }
      return contents.facts.expectations
    }
  }

  /// Counts an action for a child that is not there.
  func noteAbsentChild() { contents.withLock { $0.absentChildren += 1 } }

  /// How many actions were for a child that is not there.
  var absentChildCount: Int { contents.withLock(\.absentChildren) }

  /// How many bindings were applied.
  var bindingCount: Int { contents.withLock(\.bindings) }

  /// The commit's date; `now` is asked once, where none was given.
  func date(_ now: () -> Double) -> Double {
    contents.withLock { contents in
      if let date = contents.facts.date { return date }
      let date = now()
      contents.facts.date = date
      return date
    }
  }

  /// Random numbers of this commit.
  func nextRandom() -> UInt64 {
    contents.withLock { contents in
      if contents.facts.seed == nil {
        let seed = UInt64.random(in: .min ... .max)
        contents.facts.seed = seed
        contents.random = SeededGenerator(seed: seed)
      }
      return contents.random.next()
    }
  }

  /// Who sent the action.
  var origin: UInt64? { contents.withLock { $0.facts.origin } }

  /// The number of the commit.
  var commit: UInt64 { contents.withLock { $0.facts.commit } }

  /// Notes that a child at `scope` has an effect.
  func noteKeyed(_ scope: ScopeID) { contents.withLock { _ = $0.keyedScopes.insert(scope) } }

  /// Forgets which children have effects: none is under way, nor waits to be started.
  func forgetKeyed() { contents.withLock { $0.keyedScopes.removeAll() } }

  /// Whether a child at `scope` may have an effect under way.
  func isKeyed(_ scope: ScopeID) -> Bool { contents.withLock { $0.keyedScopes.contains(scope) } }
}
