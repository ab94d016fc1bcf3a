/// Takes the failures of test stores to the framework that runs the tests: each test target says
/// once how, since this library links no framework, and an app's tests may run under either.
///
/// A test target declares a type of its own with the name `TestStoreFailures`. For Swift Testing:
///
///     enum TestStoreFailures: FailureReporting {
///       static var isRunning: Bool { Test.current != nil }
///
///       static func report(_ failure: TestFailure) {
///         let place = failure.location
///         Issue.record(
///           Comment(rawValue: failure.message),
///           sourceLocation: SourceLocation(
///             fileID: "\(place.fileID)", filePath: "\(place.filePath)", line: Int(place.line),
///             column: Int(place.column)))
///       }
///     }
///
/// For XCTest:
///
///     enum TestStoreFailures: FailureReporting {
///       static var isRunning: Bool { true }
///
///       static func report(_ failure: TestFailure) {
///         XCTFail(failure.message, file: failure.location.filePath, line: failure.location.line)
///       }
///     }
///
/// Nothing is to be called: a store looks the type up by its name, in the module of the test that
/// uses the store. Nobody's type is made to conform to a protocol that is not its own.
public protocol FailureReporting {
  /// Whether a test is running here, so that its framework takes a failure.
  static var isRunning: Bool { get }

  /// Fails the test.
  static func report(_ failure: TestFailure)
}
