import StatecastTesting
import Testing

/// Failures of test stores are failures of the test that is running.
enum TestStoreFailures: FailureReporting {
  static var isRunning: Bool { Test.current != nil }

  static func report(_ failure: TestFailure) {
    let place = failure.location
    Issue.record(
      Comment(rawValue: failure.message),
      sourceLocation: SourceLocation(
        fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line),
        column: Int(place.column)))
  }
}
