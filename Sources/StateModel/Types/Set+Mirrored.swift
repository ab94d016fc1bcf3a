/// An array of the members, sorted by their encodings.
extension Set: Mirrored where Element: Mirrored {
  /// A set of the members' type.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .set(Element.describe(in: &schema))
  }

  /// Writes the members in the order of their encodings.
  public func encode(to encoder: inout CBOREncoder) {
    encoder.array(count)
    if encoder.isFull { return }
    let members = map { $0.encoded() }
    // Sorting takes the longest: not where it is of no use.
    guard encoder.expect(members.reduce(0) { $0 + $1.count }) else { return }
    for member in Self.sorted(members) { encoder.encoded(member) }
  }

  /// Reads a set; members out of order, or equal to others, are refused.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    let count = try decoder.array()
    self.init(minimumCapacity: Swift.min(count, CBORDecoder.mostReserved))
    try decoder.enter()
    var last: ArraySlice<UInt8>?
    for index in 0..<count {
      let (start, depth) = (decoder.position, decoder.depth)
      do throws(DecodingFailure) {
        let item = try decoder.item()
        if let last, !last.lexicographicallyPrecedes(item) {
          throw DecodingFailure(.notDeterministic, "the members of a set are not in order")
        }
        last = item
        guard insert(try Element(encoded: item)).inserted else {
          throw DecodingFailure(
            .outOfRange, "the member equals another one in Swift, though their bytes differ")
        }
      } catch {
        // What is out of order is none of a set's members that this program might not know.
        guard error.reason != .notDeterministic, decoder.omits(error, from: start, at: depth) else {
          throw error.under(index: index)
        }
      }
    }
    decoder.leave()
  }

  /// Whether both have identical members.
  public func isIdentical(to other: Set<Element>) -> Bool {
    guard count == other.count else { return false }
    for member in self {
      guard let index = other.firstIndex(of: member), member.isIdentical(to: other[index]) else {
        return false
      }
    }
    return true
  }

  /// The digest of the sorted array.
  public var digest: Digest {
    var sorted: [(encoding: [UInt8], digest: Digest)] = []
    sorted.reserveCapacity(count)
    for member in self { sorted.append((member.encoded(), member.digest)) }
    sorted.sort { $0.encoding.lexicographicallyPrecedes($1.encoding) }
    var array = ArrayDigest()
    for member in sorted { array.append(member.digest) }
    return array.digest
  }

  /// Splices of the sorted array.
  public func writeDelta(from old: Set<Element>, to writer: inout DeltaWriter) {
    if isIdentical(to: old) { return }
    let before = old.encodedMembers
    let after = encodedMembers
    let difference = SequenceDifference(old: before.count, new: after.count) {
      before[$0] == after[$1]
    }
    writer.changes(to: self) { writer in
      for run in difference.runs {
        writer.splice(
          index: run.new.lowerBound, removed: run.old.count, encoded: after[run.new])
      }
    }
  }

  /// A splice of the sorted array that leaves it sorted.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    guard depth == change.path.count,
      case .splice(let index, let removed, let items) = change.operation
    else { throw DeltaFailure("a set has no such part to change", path: change.path[..<depth]) }
    var members = encodedMembers
    guard index <= members.count, removed <= members.count - index else {
      throw DeltaFailure(
        "members \(index)..<\(index + removed) are not within a set of \(members.count)",
        path: change.path[...])
    }
    members.replaceSubrange(index..<index + removed, with: items.map { Array($0) })
    var encoder = CBOREncoder()
    encoder.array(members.count)
    for member in members { encoder.encoded(member) }
    do throws(DecodingFailure) {
      self = try Set(encoded: encoder.bytes)
    } catch {
      throw DeltaFailure(error.description, path: change.path[...])
    }
  }

  private var encodedMembers: [[UInt8]] { Self.sorted(map { $0.encoded() }) }

  private static func sorted(_ members: [[UInt8]]) -> [[UInt8]] {
    members.sorted { $0.lexicographicallyPrecedes($1) }
  }
}
