internal import Foundation

/// Where failures go.
///
/// By default to the framework that runs the test (see `FailureReporting`). A test of a helper that
/// is to fail puts one of its own in place:
///
///     await FailureReporter.$current.withValue(FailureReporter { failures.append($0) }) { … }
public struct FailureReporter: Sendable {
  /// Where failures go, from here on inwards.
  @TaskLocal public static var current = FailureReporter.framework

  private let take: @Sendable (TestFailure) -> Void
  private let tell: @Sendable (String) -> Void

  /// A reporter that calls `take` for each failure.
  ///
  /// - Parameter tell: called with what is only to be shown: the assertions that were skipped.
  public init(
    note tell: @escaping @Sendable (String) -> Void = { print($0) },
    _ take: @escaping @Sendable (TestFailure) -> Void
  ) {
    self.take = take
    self.tell = tell
  }

  /// Takes a failure.
  public func callAsFunction(_ failure: TestFailure) { take(failure) }

  /// Shows something that is no failure.
  func note(_ text: String) { tell(text) }

  /// The framework that runs the test; without any the process ends, so that no failure is lost.
  public static let framework = FailureReporter { failure in
    guard let framework = frameworks.first(where: { $0.isRunning }) else {
      let text = nobody(failure)
      FileHandle.standardError.write(Data("\(text)\n".utf8))
      fatalError("a failure of a test store that nobody takes")
    }
    framework.report(failure)
  }

  /// The types to which a test target adds `FailureReporting`: `Testing.Test`, `XCTest.XCTestCase`,
  /// by their mangled names. Nil where the framework is not in the process.
  private static var frameworks: [any FailureReporting.Type] {
    ["7Testing4TestV", "6XCTest10XCTestCaseC"].compactMap { name in
      _typeByName(name) as? any FailureReporting.Type
    }
  }

  /// What is said when there is no framework.
  static func nobody(_ failure: TestFailure) -> String {
    """
    Error: \(failure.location.fileID):\(failure.location.line): \(failure.message)
    Nobody takes this failure: no test of a framework that conforms to 'FailureReporting' is running.
    Try: add to the test target 'extension Test: @retroactive FailureReporting { … }', or \
    'extension XCTestCase: …' (the documentation of 'FailureReporting' has both in full), and use \
    the store in the task of a test.
    """
  }
}
