public import StatecastTesting
public import Testing

/// Failures of test stores are failures of the test that is running.
extension Test: FailureReporting {
  /// Whether a test is running in this task.
  public static var isRunning: Bool { current != nil }

  /// Fails the test.
  public static func report(_ failure: TestFailure) {
    let place = failure.location
    Issue.record(
      Comment(rawValue: failure.message),
      sourceLocation: SourceLocation(
        fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line),
        column: Int(place.column)))
  }
}
