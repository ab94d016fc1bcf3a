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
    let module = "\(failure.location.fileID)".prefix { $0 != "/" }
    guard let framework = type(of: String(module)), framework.isRunning else {
      FileHandle.standardError.write(Data("\(nobody(failure, in: String(module)))\n".utf8))
      fatalError("a failure of a test store that nobody takes")
    }
    framework.report(failure)
  }

  /// The type by which a test target takes failures.
  private static let typeName = "TestStoreFailures"

  /// That type in a module, found by its mangled name: a nominal type's is the lengths and names of
  /// module and type, and a letter for an enum, a struct or a class.
  private static func type(of module: String) -> (any FailureReporting.Type)? {
    let name = "\(module.utf8.count)\(module)\(typeName.utf8.count)\(typeName)"
    return ["O", "V", "C"].lazy.compactMap { _typeByName(name + $0) }.first
      as? any FailureReporting.Type
  }

  /// What is said when there is no framework.
  static func nobody(_ failure: TestFailure, in module: String) -> String {
    """
    Error: \(failure.location.fileID):\(failure.location.line): \(failure.message)
    Nobody takes this failure: the module \(module) has no type \(typeName) that conforms to \
    FailureReporting, or no test is running in this task.
    Try: add 'enum \(typeName): FailureReporting { … }' to the test target (the documentation of \
    FailureReporting has it in full), and use the store in the task of a test.
    """
  }
}
