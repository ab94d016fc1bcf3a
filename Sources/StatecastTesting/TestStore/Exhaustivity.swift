/// How much a test store wants asserted.
public enum Exhaustivity: Equatable, Sendable {
  /// Everything: every change of the state, every action that is received, the end of every effect.
  case on
  /// What the test asserts, and nothing else.
  ///
  /// - Parameter showSkippedAssertions: whether what was left out is printed.
  case off(showSkippedAssertions: Bool)

  /// What the test asserts, and nothing else; nothing is printed.
  public static var off: Exhaustivity { .off(showSkippedAssertions: false) }
}
