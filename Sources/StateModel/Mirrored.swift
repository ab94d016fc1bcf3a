/// A value that can be mirrored in another process: encoded, compared by what it encodes, brought
/// from one value to the next by a delta, and fingerprinted by a digest.
///
/// `@Mirrored` on a struct or an enum writes the conformance; nothing of it uses reflection.
/// Everything here goes by *mirrored identity*, that is by what would be encoded (UTF-8 bytes,
/// float bits, alert ids), never by `==`, which belongs to app code.
public protocol Mirrored: Equatable, Sendable {
  /// Registers the type in `schema` and gives its node there.
  static func describe(in schema: inout SchemaBuilder) -> SchemaNode

  /// What an absent field of this type decodes to; nil when a field of this type must be present.
  static var absent: Self? { get }

  /// Whether a value may encode as `null`: an optional of such a type wraps its value in an array.
  static var mayEncodeAsNull: Bool { get }

  /// The fields that may be set from outside (`@BindingState`), in the order of their wire names.
  static var bindingFields: [BindingField<Self>] { get }

  /// Writes exactly one item.
  func encode(to encoder: inout CBOREncoder)

  /// Reads exactly one item.
  init(from decoder: inout CBORDecoder) throws(DecodingFailure)

  /// Whether both would encode to the same bytes. Cheap for values that share storage.
  func isIdentical(to other: Self) -> Bool

  /// The digest of the value (protocol, section 3), a function of its encoding alone.
  var digest: Digest { get }

  /// Writes the changes that bring `old` to this value; nothing when both are identical.
  /// The writer's path is where the value stands.
  func writeDelta(from old: Self, to writer: inout DeltaWriter)

  /// Applies one change whose path has `depth` elements already resolved.
  ///
  /// May leave the value half changed when it throws: `apply(_: Delta)` works on a copy.
  mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure)
}

extension Mirrored {
  /// A field must be present unless its type says otherwise.
  public static var absent: Self? { nil }
  /// Only optionals and `Value` encode as `null`.
  public static var mayEncodeAsNull: Bool { false }
  /// Nothing may be set from outside unless it is marked.
  public static var bindingFields: [BindingField<Self>] { [] }

  /// The value's encoding.
  @inlinable
  public func encoded() -> [UInt8] {
    var encoder = CBOREncoder()
    // What is a number or a text by itself stays as small as it is; the rest grows less often.
    if MemoryLayout<Self>.size > 16 { encoder.reserve(64) }
    encode(to: &encoder)
    return encoder.bytes
  }

  /// Decodes a value from bytes that hold exactly one item.
  @inlinable
  public init(encoded bytes: ArraySlice<UInt8>) throws(DecodingFailure) {
    var decoder = CBORDecoder(bytes)
    self = try Self(from: &decoder)
    try decoder.finish()
  }

  /// Decodes a value from bytes that hold exactly one item.
  @inlinable
  public init(encoded bytes: [UInt8]) throws(DecodingFailure) { try self.init(encoded: bytes[...]) }

  /// The changes that bring `old` to this value; where they would be larger than the value, the
  /// value itself.
  @inlinable
  public func delta(from old: Self) -> Delta {
    var writer = DeltaWriter()
    writeDelta(from: old, to: &writer)
    return writer.finish(value: self)
  }

  /// Applies all changes in order, or none.
  @inlinable
  public mutating func apply(_ delta: Delta) throws(DeltaFailure) {
    var copy = self
    try delta.read { (change) throws(DeltaFailure) in try copy.apply(change, at: 0) }
    self = copy
  }
}
