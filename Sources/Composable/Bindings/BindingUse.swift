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

/// A binding, whatever its state is; for those who look for one in an action.
package protocol AnyBindingAction {}

extension BindingAction: AnyBindingAction {}

/// Whether an action sets a field of its own state, or of a child's.
package func carriesBinding(_ action: Any, depth: Int = 16) -> Bool {
  if action is any AnyBindingAction { return true }
  guard depth > 0 else { return false }
  let mirror = Mirror(reflecting: action)
  // Along the cases, and what they carry: what a payload holds is data.
  guard mirror.displayStyle == .enum || mirror.displayStyle == .tuple else { return false }
  return mirror.children.contains { carriesBinding($0.value, depth: depth - 1) }
}
