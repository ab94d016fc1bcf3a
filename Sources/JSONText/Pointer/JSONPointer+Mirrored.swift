public import StateModel

/// On the wire a pointer is its text, so that it can be a view's parameter: `/settings/volume`.
/// `null` is the root: what a view is asked for when nothing is given.
extension JSONPointer: Mirrored {
  /// A text.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .text }

  /// Writes the pointer's text.
  public func encode(to encoder: inout CBOREncoder) { encoder.text(description) }

  /// Reads a pointer's text, or `null`.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    if decoder.nextIsNull {
      try decoder.null()
      self = .root
      return
    }
    let text = try decoder.text()
    do { try self.init(parsing: text) } catch {
      throw DecodingFailure(.outOfRange, error.message)
    }
  }

  /// Whether both have the same tokens, byte by byte.
  public func isIdentical(to other: JSONPointer) -> Bool { self == other }

  /// The digest of the pointer's text.
  public var digest: Digest { description.digest }

  /// Sets the whole pointer when it differs.
  public func writeDelta(from old: JSONPointer, to writer: inout DeltaWriter) {
    if self != old { writer.set(self) }
  }

  /// Only a `set` of the whole pointer fits.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    guard depth == change.path.count, case .set(let item) = change.operation else {
      throw DeltaFailure("a path has no parts to change")
    }
    do { self = try JSONPointer(encoded: item) } catch { throw DeltaFailure(error) }
  }
}
