package import StateModel

/// A type whose mirrored form is that of another one, perhaps in a tag: conform by converting.
///
/// For types whose `==` leaves out what is mirrored, and so cannot be `@Mirrored` themselves.
package protocol MirroredByWire: Mirrored {
  /// What goes over the wire.
  associatedtype Wire: Mirrored
  /// The tag around it; nil for none.
  static var wireTag: UInt64? { get }
  /// This value as it goes over the wire.
  var wire: Wire { get }
  /// The value that came over the wire.
  init(wire: Wire) throws(DecodingFailure)
}

extension MirroredByWire {
  /// No tag.
  package static var wireTag: UInt64? { nil }

  /// The wire form's description.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    Wire.describe(in: &schema)
  }

  /// Writes the wire form.
  public func encode(to encoder: inout CBOREncoder) {
    if let tag = Self.wireTag { encoder.tag(tag) }
    wire.encode(to: &encoder)
  }

  /// Reads the wire form.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    guard let expected = Self.wireTag else {
      try self.init(wire: Wire(from: &decoder))
      return
    }
    let tag = try decoder.tag()
    guard tag == expected else {
      throw DecodingFailure(.wrongType, "expected tag \(expected), found tag \(tag)")
    }
    try decoder.enter()
    let wire = try Wire(from: &decoder)
    decoder.leave()
    try self.init(wire: wire)
  }

  /// Whether both would encode to the same bytes.
  public func isIdentical(to other: Self) -> Bool { wire.isIdentical(to: other.wire) }

  /// The wire form's digest.
  public var digest: Digest {
    guard let tag = Self.wireTag else { return wire.digest }
    return .tagged(tag, wire.digest)
  }

  /// Without a tag the wire form's changes; with one the whole, since no path leads into a tag.
  public func writeDelta(from old: Self, to writer: inout DeltaWriter) {
    if Self.wireTag == nil {
      wire.writeDelta(from: old.wire, to: &writer)
    } else if !isIdentical(to: old) {
      writer.set(self)
    }
  }

  /// Applies a change to the wire form.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    guard Self.wireTag == nil else {
      throw DeltaFailure("\(Self.self) is set as a whole only", path: change.path[..<depth])
    }
    var wire = wire
    try wire.apply(change, at: depth)
    do throws(DecodingFailure) {
      self = try Self(wire: wire)
    } catch {
      throw DeltaFailure(error.description, path: change.path[..<depth])
    }
  }
}
