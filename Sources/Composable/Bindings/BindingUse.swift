internal import Synchronization

/// Notices a binding that no reducer applies: most likely `BindingReducer()` was forgotten.
///
/// Lives as long as the action does; what it finds out is reported at its end.
final class BindingUse: Sendable {
  private let isUsed = Atomic(false)
  private let reporter: IssueReporter
  private let report: IssueReport

  init(_ report: IssueReport) {
    self.report = report
    reporter = DependencyValues.current.issueReporter
  }

  deinit { if !isUsed.load(ordering: .acquiring) { reporter(report) } }

  /// A reducer has applied the action.
  func isApplied() { isUsed.store(true, ordering: .releasing) }

  /// The action goes to another process, which has to look for itself.
  func hasLeft() { isApplied() }
}
