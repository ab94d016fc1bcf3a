/// What is in force while a commit is made: the dependencies under those of the caller, and the
/// scratch that collects.
///
/// An object, so that nothing of it is copied for an action, and of no reducer's type: a daemon runs
/// an action in it without asking the runtime for anything.
package final class CommitContext {
  /// What is under the dependencies of each call.
  package var dependencies: DependencyValues {
    didSet { alone = Self.values(of: DependencyValues(), dependencies, scratch) }
  }
  let scratch = CommitScratch()
  /// What is in force where the caller has set nothing, as in a daemon: made once.
  private var alone: DependencyValues

  init(_ dependencies: DependencyValues) {
    self.dependencies = dependencies
    alone = Self.values(of: DependencyValues(), dependencies, scratch)
  }

  private static func values(
    of caller: DependencyValues, _ dependencies: DependencyValues, _ scratch: CommitScratch
  ) -> DependencyValues {
    var values = caller.over(dependencies)
    values.scratch = scratch
    return values
  }

  /// Runs `body` with the values in force.
  func withValues(_ body: () -> Void) {
    let caller = DependencyValues.current
    let values =
      caller.isUntouched ? alone : Self.values(of: caller, dependencies, scratch)
    DependencyValues.$current.withValue(values, operation: body)
  }

  /// Runs `body`, which is to handle one action with the reducer, as the beginning of a commit.
  /// `ReducerCore.finish` goes on with the effect that came out of it.
  package func begin(_ facts: CommitFacts, _ body: () -> Void) -> [IssueReport] {
    scratch.begin(facts)
    withValues(body)
    return scratch.end()
  }
}
