/// A dependency of one's own: the type of its value, and what that is where nobody has set it.
///
/// Add a property to `DependencyValues` that gets and sets `self[Key.self]`.
public protocol DependencyKey {
  /// What the dependency gives.
  associatedtype Value: Sendable
  /// For real.
  static var liveValue: Value { get }
  /// In a preview; the live value unless given.
  static var previewValue: Value { get }
  /// Under a test; unless given, the live value, and its use is reported.
  static var testValue: Value { get }
}

extension DependencyKey {
  /// The live value.
  public static var previewValue: Value { liveValue }

  /// The live value, reported: a test must not depend on the world without saying so.
  public static var testValue: Value {
    UnstubbedDependency.reportUse()
    return liveValue
  }
}

/// Names a dependency that a test uses without having set it.
package enum UnstubbedDependency {
  @TaskLocal package static var name = "?"

  /// Reports the dependency whose test value is being asked for.
  package static func reportUse() { reportUse(of: name) }

  /// Reports the use of a dependency.
  package static func reportUse(of name: String) {
    reportIssue(
      IssueReport(
        """
        @Dependency(\\.\(name)) was used in a test that does not set it. Set it where the store is \
        made: withDependencies: { $0.\(name) = … }.
        """))
  }
}
