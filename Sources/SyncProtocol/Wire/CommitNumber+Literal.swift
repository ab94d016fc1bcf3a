/// A commit number may be written as a literal: examples and tests are full of them.
extension CommitNumber: ExpressibleByIntegerLiteral {
  /// The number `value`.
  public init(integerLiteral value: UInt64) { self.init(rawValue: value) }
}
