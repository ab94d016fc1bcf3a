/// A 64-bit fingerprint of a value's encoding that can be kept up to date at the cost of the change.
///
/// Finds divergence between a mirror and the authority; it is no defence against an attacker.
/// The rules are the protocol's section 3.
public struct Digest: Hashable, Sendable, CustomStringConvertible {
  /// The 64 bits as they travel.
  public var rawValue: UInt64

  /// A digest from the wire.
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The digest of a leaf: XXH3-64 of its encoding, seed 0.
  public init(leaf encoding: some Collection<UInt8>) { self.init(rawValue: XXH3.hash64(encoding)) }

  /// Sixteen hexadecimal digits.
  public var description: String {
    let digits = String(rawValue, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
