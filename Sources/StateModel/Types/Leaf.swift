extension Mirrored {
  /// Applies a change to a value that has no parts: only a `set` of the whole fits.
  ///
  /// `name` says what it is, with its article, for the message: `an integer`.
  public mutating func applyToLeaf(
    _ change: Change, at depth: Int, _ name: String
  ) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    throw DeltaFailure("\(name) has no parts to change", path: change.path[..<depth])
  }

  /// Where the change sets this value as a whole, does so and gives true.
  ///
  /// Conformances call it first, then go on to their own parts.
  public mutating func replace(with change: Change, at depth: Int) throws(DeltaFailure) -> Bool {
    guard depth == change.path.count, case .set(let item) = change.operation else { return false }
    do throws(DecodingFailure) {
      self = try Self(encoded: item)
    } catch {
      throw DeltaFailure(error.description, path: change.path[...])
    }
    return true
  }
}

extension DecodingFailure {
  /// An element's failure, seen from its array.
  func under(index: Int) -> DecodingFailure { under("\(index)") }
}
