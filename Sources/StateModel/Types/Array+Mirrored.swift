extension Array: Mirrored where Element: Mirrored {
  /// An array of the elements' type.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .array(Element.describe(in: &schema))
  }

  /// Writes the elements in order.
  @inlinable
  public func encode(to encoder: inout CBOREncoder) {
    encoder.array(count)
    for element in self {
      if encoder.isFull { return }
      element.encode(to: &encoder)
    }
  }

  /// Reads an array; a failure names the element.
  @inlinable
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let count = try decoder.array()
    self.init()
    reserveCapacity(Swift.min(count, CBORDecoder.mostReserved))
    try decoder.enter()
    for index in 0..<count {
      let (start, depth) = (decoder.position, decoder.depth)
      do throws(DecodingFailure) {
        append(try Element(from: &decoder))
      } catch {
        guard decoder.omits(error, from: start, at: depth) else { throw error.under(index: index) }
      }
    }
    decoder.leave()
  }

  /// Whether both have identical elements in the same order.
  @inlinable
  public func isIdentical(to other: [Element]) -> Bool {
    guard count == other.count else { return false }
    if span.isIdentical(to: other.span) { return true }
    for index in indices where !self[index].isIdentical(to: other[index]) { return false }
    return true
  }

  /// An array's digest.
  @inlinable
  public var digest: Digest {
    var array = ArrayDigest()
    for element in self { array.append(element.digest) }
    return array.digest
  }

  /// Splices where elements came or went, the elements' own changes where they stayed.
  public func writeDelta(from old: [Element], to writer: inout DeltaWriter) {
    if count == old.count, span.isIdentical(to: old.span) { return }
    ArrayChanges.write(from: old, to: self, of: self, &writer)
  }

  /// A `set` of an element, a splice, a move, or a change within an element.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    switch try ArrayChanges.step(change, at: depth, count: count, of: Element.self) {
    case .element(let index): try self[index].apply(change, at: depth + 1)
    case .splice(let range, let items): replaceSubrange(range, with: items)
    case .move(let from, let to): insert(remove(at: from), at: to)
    }
  }
}
