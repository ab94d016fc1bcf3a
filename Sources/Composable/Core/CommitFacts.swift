package import StateModel

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
  /// What the field that the first binding sets must still be: compare-and-set.
  package var expectations: [FieldExpectation]

  package init(
    date: Double? = nil, seed: UInt64? = nil, origin: UInt64? = nil, commit: UInt64 = 0,
    expectations: [FieldExpectation] = []
  ) {
    self.date = date
    self.seed = seed
    self.origin = origin
    self.commit = commit
    self.expectations = expectations
  }
}

/// What a part of a field must be for the field to be set.
package struct FieldExpectation: Equatable, Sendable {
  /// From the field on; empty for the field itself.
  package var path: [Value]
  /// Of the part.
  package var digest: Digest

  package init(path: [Value], digest: Digest) {
    self.path = path
    self.digest = digest
  }

  /// The first part of `field` that is not as it is expected to be.
  static func firstUnmet(
    _ expectations: [FieldExpectation], in field: any Mirrored
  ) -> FieldExpectation? {
    let value = Value(of: field)
    return expectations.first { value.value(at: $0.path)?.digest != $0.digest }
  }
}
