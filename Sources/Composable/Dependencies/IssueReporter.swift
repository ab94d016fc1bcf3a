/// Takes reports of programming errors: a test makes failures of them, a daemon log lines.
public struct IssueReporter: Sendable {
  private let take: @Sendable (IssueReport) -> Void

  /// A reporter that calls `take`.
  public init(_ take: @escaping @Sendable (IssueReport) -> Void) { self.take = take }

  /// Takes a report.
  public func callAsFunction(_ report: IssueReport) { take(report) }
}

extension DependencyValues {
  /// Where reports of programming errors go; unless set, they are printed.
  public var issueReporter: IssueReporter {
    get { self[IssueReporterKey.self] }
    set { self[IssueReporterKey.self] = newValue }
  }

  private enum IssueReporterKey: DependencyKey {
    static let liveValue = IssueReporter { print("Error: \($0)") }
    static let testValue = liveValue
  }
}
