/// What the case of a `@Mirrored` enum carries that is the place for cases which the enum does not
/// know: a later version's case is kept there, with its payload, and written again as it came.
///
///     @Mirrored enum Status {
///       case open
///       case done
///       case other(UnknownCase)
///     }
///
/// Without a place such a value cannot be read: it is an error in a journal and in an action, and
/// what a mirror leaves out and marks (`Omissions`).
public struct UnknownCase: Sendable {
  /// The case's name on the wire.
  public let name: String
  /// What it carries; nil where it carries nothing.
  public private(set) var payload: Value?
}

extension UnknownCase: Mirrored {
  /// Any case, whatever its payload: no schema tells.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode { .any }

  /// Reads a case of any name.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    self = try CaseReader(&decoder).unknown(from: &decoder)
  }

  /// Writes it as it came.
  public func encode(to encoder: inout CBOREncoder) {
    if payload != nil { encoder.map(1) }
    encoder.text(name)
    payload?.encode(to: &encoder)
  }

  /// Whether both are the same case with identical payloads.
  public func isIdentical(to other: UnknownCase) -> Bool {
    name.isIdentical(to: other.name) && payload == other.payload
  }

  /// The digest of the case.
  public var digest: Digest {
    guard let payload else { return .ofText(name) }
    var map = MapDigest()
    map.insert(field: name, payload.digest)
    return map.digest
  }

  /// The payload's changes where it is the same case, else a `set`.
  public func writeDelta(from old: UnknownCase, to writer: inout DeltaWriter) {
    if let payload, let before = old.payload, name.isIdentical(to: old.name) {
      writer.at(field: name) { payload.writeDelta(from: before, to: &$0) }
    } else if !isIdentical(to: old) {
      writer.set(self)
    }
  }

  /// A change of the payload.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    guard var inner = payload, try change.name(at: depth).bytes.elementsEqual(name.utf8) else {
      throw change.notTheCase(at: depth)
    }
    payload = nil
    try inner.apply(change, at: depth + 1)
    payload = inner
  }
}
