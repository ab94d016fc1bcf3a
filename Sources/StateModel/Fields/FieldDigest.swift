/// Sums up the digest of a struct, or of a case with its payload: that of the map it encodes to.
///
/// Called by the code that `@Mirrored` writes.
public struct FieldDigest {
  private var count: UInt64 = 0
  private var sum: UInt64 = 0
  private var entry: [UInt8] = []

  /// The digest of no fields.
  public init() {}

  /// Adds a field; the order does not matter.
  public mutating func add(_ name: FieldName, _ value: Digest) {
    entry.removeAll(keepingCapacity: true)
    name.append(to: &entry)
    for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
      entry.append(UInt8(truncatingIfNeeded: value.rawValue >> shift))
    }
    count += 1
    sum &+= XXH3.hash64(entry)
  }

  /// The digest of the fields added so far.
  public var digest: Digest {
    guard count > 0 else { return Self.combine(count: 0, sum: 0) }
    return Self.combine(count: count, sum: sum)
  }

  private static func combine(count: UInt64, sum: UInt64) -> Digest {
    var bytes: [UInt8] = [5]
    for word in [count, sum] {
      for shift in stride(from: 0 as UInt64, to: 64, by: 8) {
        bytes.append(UInt8(truncatingIfNeeded: word >> shift))
      }
    }
    return Digest(rawValue: XXH3.hash64(bytes))
  }
}

extension Digest {
  /// The digest of a case without a payload. Called by the code that `@Mirrored` writes.
  public static func bare(_ name: FieldName) -> Digest { Digest(leaf: name.encoded) }

  /// The digest of a case with its payload. Called by the code that `@Mirrored` writes.
  public static func payload(_ name: FieldName, _ value: Digest) -> Digest {
    var fields = FieldDigest()
    fields.add(name, value)
    return fields.digest
  }
}
