public import StatecastTesting
import Testing

/// Makes failures of test stores failures of the test that is running: what `TestStoreFailures` of
/// each test target conforms to.
public protocol SwiftTestingFailures: FailureReporting {}

extension SwiftTestingFailures {
  /// Whether a test is running in this task.
  public static var isRunning: Bool { Test.current != nil }

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
