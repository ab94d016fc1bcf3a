/// `null` or the value. Where the value may itself encode as `null`, `[]` or `[value]`.
///
/// Paths follow the encoding: a bare value is no level of its own, a wrapped one is element 0.
extension Optional: Mirrored where Wrapped: Mirrored {
  /// An optional of the wrapped type.
  @inlinable
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    .optional(Wrapped.describe(in: &schema))
  }

  /// An absent field is nil.
  @inlinable
  public static var absent: Wrapped?? { .some(nil) }

  /// Unless nil is written as `[]`.
  @inlinable
  public static var mayEncodeAsNull: Bool { !Wrapped.mayEncodeAsNull }

  /// Writes `null`, the value, `[]` or `[value]`.
  @inlinable
  public func encode(to encoder: inout CBOREncoder) {
    if Wrapped.mayEncodeAsNull { encoder.array(self == nil ? 0 : 1) }
    switch self {
    case .some(let wrapped): wrapped.encode(to: &encoder)
    case nil: if !Wrapped.mayEncodeAsNull { encoder.null() }
    }
  }

  /// Reads what `encode` writes.
  @inlinable
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    guard Wrapped.mayEncodeAsNull else {
      if decoder.nextIsNull {
        try decoder.null()
        self = nil
      } else {
        let (start, depth) = (decoder.position, decoder.depth)
        do throws(DecodingFailure) {
          self = try Wrapped(from: &decoder)
        } catch {
          guard decoder.omits(error, from: start, at: depth) else { throw error }
          self = nil
        }
      }
      return
    }
    switch try decoder.array() {
    case 0: self = nil
    case 1:
      try decoder.enter()
      let (start, depth) = (decoder.position, decoder.depth)
      do throws(DecodingFailure) {
        self = try Wrapped(from: &decoder)
      } catch {
        guard decoder.omits(error, from: start, at: depth) else { throw error.under("0") }
        self = nil
      }
      decoder.leave()
    default:
      throw DecodingFailure(.wrongType, "an optional holds no value or one")
    }
  }

  /// Whether both are nil or hold identical values.
  @inlinable
  public func isIdentical(to other: Wrapped?) -> Bool {
    switch (self, other) {
    case (nil, nil): true
    case (.some(let a), .some(let b)): a.isIdentical(to: b)
    default: false
    }
  }

  /// The digest of what is written.
  @inlinable
  public var digest: Digest {
    guard Wrapped.mayEncodeAsNull else { return self?.digest ?? .ofNull }
    var array = ArrayDigest()
    if let self { array.append(self.digest) }
    return array.digest
  }

  /// The wrapped value's changes where both hold one, else a `set`.
  @inlinable
  public func writeDelta(from old: Wrapped?, to writer: inout DeltaWriter) {
    switch (self, old) {
    case (nil, nil): break
    case (.some(let new), .some(let old)):
      if Wrapped.mayEncodeAsNull {
        writer.at(index: 0) { new.writeDelta(from: old, to: &$0) }
      } else {
        new.writeDelta(from: old, to: &writer)
      }
    default: writer.set(self)
    }
  }

  /// A `set`, or a change of the wrapped value.
  @inlinable
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    if try replace(with: change, at: depth) { return }
    guard var wrapped = self else {
      throw DeltaFailure("there is no value to change", path: change.path[..<depth])
    }
    // Emptied meanwhile, so that the wrapped value is changed in place and not copied.
    self = nil
    if Wrapped.mayEncodeAsNull {
      guard depth < change.path.count, change.path[depth].elementsEqual([0]) else {
        throw DeltaFailure("a wrapped optional has element 0 only", path: change.path[..<depth])
      }
      try wrapped.apply(change, at: depth + 1)
    } else {
      try wrapped.apply(change, at: depth)
    }
    self = wrapped
  }
}
