/// Sums up the digest of a struct, or of a case with its payload: that of the map it encodes to.
///
/// `MapDigest` for names that are literals. Called by the code that `@Mirrored` writes.
public struct FieldDigest: Sendable {
  private var count = 0
  private var sum: UInt64 = 0

  /// The digest of no fields.
  public init() {}

  /// Adds a field; the order does not matter.
  @inlinable public mutating func add<Field: Mirrored>(_ name: FieldName, _ value: Field) {
    add(name, value.digest)
  }

  /// Adds a field by its digest.
  public mutating func add(_ name: FieldName, _ value: Digest) {
    count += 1
    sum &+= name.withUTF8 { utf8 in
      XXH3.hash64(
        head: PackedHead(major: 3, argument: UInt64(utf8.count)), content: utf8,
        word: value.rawValue)
    }
  }

  /// Adds fields whose sum is known.
  mutating func add(count: Int, sum: UInt64) {
    self.count += count
    self.sum &+= sum
  }

  /// The digest of the fields added so far.
  public var digest: Digest { Digest(mapOf: count, sum: sum) }
}

extension Digest {
  /// The digest of a case without a payload. Called by the code that `@Mirrored` writes.
  public static func bare(_ name: FieldName) -> Digest { name.withUTF8 { .ofText(utf8: $0) } }

  /// The digest of a case with one unlabelled payload. Called by the code that `@Mirrored` writes.
  @inlinable public static func payload<Payload: Mirrored>(
    _ name: FieldName, _ value: Payload
  ) -> Digest { payload(name, value.digest) }

  /// The digest of a case by that of its payload. Called by the code that `@Mirrored` writes.
  public static func payload(_ name: FieldName, _ value: Digest) -> Digest {
    var fields = FieldDigest()
    fields.add(name, value)
    return fields.digest
  }
}
