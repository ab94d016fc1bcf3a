/// A test framework that takes failures: a test target says once how, since this library links no
/// framework, and an app's tests may run under either.
///
/// For Swift Testing, anywhere in the test target:
///
///     extension Test: @retroactive FailureReporting {
///       public static var isRunning: Bool { current != nil }
///       public static func report(_ failure: TestFailure) {
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
///     extension XCTestCase: @retroactive FailureReporting {
///       public static var isRunning: Bool { true }
///       public static func report(_ failure: TestFailure) {
///         XCTFail(failure.message, file: failure.location.filePath, line: failure.location.line)
///       }
///     }
///
/// Nothing is to be called: a `TestStore` looks the two types up by name, and asks those that
/// conform.
public protocol FailureReporting {
  /// Whether a test of this framework is running here.
  static var isRunning: Bool { get }

  /// Fails the test.
  static func report(_ failure: TestFailure)
}
