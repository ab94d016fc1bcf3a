/// What a reducer may take from outside, constant within a commit and journalled with it.
package struct CommitFacts: Sendable {
  /// Seconds since 2001-01-01; nil: the `date` dependency is asked when it is first needed.
  package var date: Double?
  /// Feeds random numbers and ids; nil: the system's generator is asked when it is first needed.
  package var seed: UInt64?
  /// Who sent the action; nil for the store or daemon itself.
  package var origin: UInt64?
  /// The number that the commit gets.
  package var commit: UInt64

  package init(
    date: Double? = nil, seed: UInt64? = nil, origin: UInt64? = nil, commit: UInt64 = 0
  ) {
    self.date = date
    self.seed = seed
    self.origin = origin
    self.commit = commit
  }
}
