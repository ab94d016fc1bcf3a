/// Reads the fields of a struct, or the labelled payload of an enum's case, from a map.
///
/// Called by the code that `@Mirrored` writes: it asks for its fields in wire order, the order in
/// which the map holds them, so that one pass without a table is enough. What it does not ask for
/// is skipped (a newer program's fields).
public struct FieldReader {
  /// The decoder as it stood before the first entry: for names that are asked for out of order.
  private let start: CBORDecoder
  private let count: Int
  private let inOrder: Bool
  private let caseName: FieldName?

  /// Entries whose value has not been read.
  private var left: Int
  /// The key of the entry whose value is next, when its key has been read.
  private var key: ArraySlice<UInt8>?
  private var previous: ArraySlice<UInt8>?

  /// Reads the head of a struct's map.
  public init(_ decoder: inout CBORDecoder) throws(DecodingFailure) {
    try self.init(&decoder, caseName: nil, inOrder: true)
  }

  /// Reads the head of a map that is the payload of the case `caseName`. With `inOrder` false the
  /// fields may be asked for in any order.
  init(
    _ decoder: inout CBORDecoder, caseName: FieldName?, inOrder: Bool
  ) throws(DecodingFailure) {
    self.caseName = caseName
    self.inOrder = inOrder
    do {
      count = try decoder.map()
      try decoder.enter()
    } catch { throw Self.failure(error, in: caseName) }
    left = count
    start = decoder
  }

  /// Reads a field that the type gives no default for.
  public mutating func read<Field: Mirrored>(
    _ name: FieldName, aliases: FieldName..., from decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Field {
    if let value: Field = try value(name, aliases, &decoder) { return value }
    if let absent = Field.absent { return absent }
    throw Self.failure(
      DecodingFailure(.missingField, "the field is missing", path: [name.description]),
      in: caseName)
  }

  /// Reads a field into `field`, which keeps its value when the map has no such field.
  public mutating func read<Field: Mirrored>(
    _ name: FieldName, aliases: FieldName..., into field: inout Field,
    from decoder: inout CBORDecoder
  ) throws(DecodingFailure) {
    if let value: Field = try value(name, aliases, &decoder) { field = value }
  }

  /// Reads a field with a default for when the map has no such field.
  public mutating func read<Field: Mirrored>(
    _ name: FieldName, aliases: FieldName..., default missing: @autoclosure () -> Field,
    from decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Field {
    if let value: Field = try value(name, aliases, &decoder) { return value }
    return missing()
  }

  /// Skips what nobody asked for and comes back from the map.
  public mutating func finish(_ decoder: inout CBORDecoder) throws(DecodingFailure) {
    do {
      while try nextKey(&decoder) { try skipValue(&decoder) }
      decoder.leave()
    } catch { throw Self.failure(error, in: caseName) }
  }

  private mutating func value<Field: Mirrored>(
    _ name: FieldName, _ aliases: [FieldName], _ decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Field? {
    do {
      if inOrder {
        if try find(name, &decoder) {
          key = nil
          left -= 1
          return .some(try Self.decode(Field.self, name, &decoder))
        }
      } else if let value: Field = try lookUp(name) {
        return value
      }
      for alias in aliases {
        if let value: Field = try lookUp(alias) { return value }
      }
      return nil
    } catch { throw Self.failure(error, in: caseName) }
  }

  /// The type is given, never inferred: where an optional is expected it would become optional.
  private static func decode<Field: Mirrored>(
    _ type: Field.Type, _ name: FieldName, _ decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Field {
    do { return try Field(from: &decoder) } catch { throw error.under(name.description) }
  }

  /// Whether the map has an entry `name`, not before the present one; then its value is next.
  private mutating func find(
    _ name: FieldName, _ decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Bool {
    while try nextKey(&decoder), let key {
      if name.matches(key) { return true }
      guard name.isAfter(key) else { return false }
      try skipValue(&decoder)
    }
    return false
  }

  /// Reads an entry wherever it stands, and leaves the pass over the map where it was.
  private func lookUp<Field: Mirrored>(
    _ name: FieldName
  ) throws(DecodingFailure) -> Field? {
    var pass = self
    pass.key = nil
    pass.previous = nil
    pass.left = count
    var decoder = start
    guard try pass.find(name, &decoder) else { return nil }
    return .some(try Self.decode(Field.self, name, &decoder))
  }

  /// Reads the next key unless that has been done; false at the end.
  private mutating func nextKey(_ decoder: inout CBORDecoder) throws(DecodingFailure) -> Bool {
    if key != nil { return true }
    guard left > 0 else { return false }
    let next = try decoder.textBytes()
    if let previous, !Self.precedes(previous, next) {
      throw previous == next
        ? DecodingFailure(.notDeterministic, "a map key stands twice")
        : DecodingFailure(.notDeterministic, "map keys are not in order")
    }
    previous = next
    key = next
    return true
  }

  private mutating func skipValue(_ decoder: inout CBORDecoder) throws(DecodingFailure) {
    try decoder.skip()
    key = nil
    left -= 1
  }

  private static func precedes(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    one.count == other.count ? one.lexicographicallyPrecedes(other) : one.count < other.count
  }

  private static func failure(_ failure: DecodingFailure, in name: FieldName?) -> DecodingFailure {
    guard let name else { return failure }
    return failure.under(name.description)
  }
}
