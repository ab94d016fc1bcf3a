/// What holds for values without parts (numbers, dates, identifiers), and is the default for all.
extension Mirrored {
  /// A value without parts is set when it differs.
  public func writeDelta(from old: Self, to writer: inout DeltaWriter) {
    if !isIdentical(to: old) { writer.set(self) }
  }

  /// Of a value without parts only the whole can be set.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    throw DeltaFailure("\(Self.self) has no such part to change", path: change.path[..<depth])
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
  @usableFromInline func under(index: Int) -> DecodingFailure { under("\(index)") }
}
