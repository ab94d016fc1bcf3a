/// Reads the fields of a struct, or the labelled payload of an enum's case, from a map.
///
/// Called by the code that `@Mirrored` writes: it asks for its fields in wire order, the order in
/// which the map holds them, so that one pass without a table is enough. What it does not ask for
/// is skipped (a newer program's fields).
public struct FieldReader {
  /// Where the first entry begins: for names that are asked for out of order.
  private let start: Int
  private let count: Int
  private let inOrder: Bool
  private let caseName: FieldName?

  /// Entries whose value has not been read.
  private var left: Int
  /// Entries that were passed over.
  private var skipped = 0
  /// Where the key stands of the entry whose value is next, when its key has been read.
  private var key: Range<Int>?
  /// Where the last key stands that was read.
  private var previous: Range<Int>?

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
    do throws(DecodingFailure) {
      count = try decoder.map()
      try decoder.enter()
    } catch {
      throw caseName.map { error.under($0.description) } ?? error
    }
    left = count
    start = decoder.position
  }

  /// Reads a field that the type gives no default for.
  @inlinable public mutating func read<Field: Mirrored>(
    _ name: FieldName, aliases: FieldName..., from decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Field {
    if try find(name, &decoder) { return try decode(name, &decoder) }
    if var elsewhere = try find(name, aliases, decoder) { return try decode(name, &elsewhere) }
    if let absent = Field.absent { return absent }
    throw missing(name)
  }

  /// Reads a field into `field`, which keeps its value when the map has no such field.
  @inlinable public mutating func read<Field: Mirrored>(
    _ name: FieldName, aliases: FieldName..., into field: inout Field,
    from decoder: inout CBORDecoder
  ) throws(DecodingFailure) {
    if try find(name, &decoder) {
      try decode(name, into: &field, &decoder)
    } else if var elsewhere = try find(name, aliases, decoder) {
      try decode(name, into: &field, &elsewhere)
    }
  }

  /// Reads a field with a default for when the map has no such field.
  @inlinable public mutating func read<Field: Mirrored>(
    _ name: FieldName, aliases: FieldName..., default missing: @autoclosure () -> Field,
    from decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Field {
    var field = missing()
    if try find(name, &decoder) {
      try decode(name, into: &field, &decoder)
    } else if var elsewhere = try find(name, aliases, decoder) {
      try decode(name, into: &field, &elsewhere)
    }
    return field
  }

  /// Skips what nobody asked for and comes back from the map.
  public mutating func finish(_ decoder: inout CBORDecoder) throws(DecodingFailure) {
    do throws(DecodingFailure) {
      while try nextKey(&decoder) != nil { try skipValue(&decoder) }
    } catch {
      throw failure(error)
    }
    decoder.leave()
  }

  /// Ends as `finish` does, and gives the fields that nobody asked for: all but the `known` names,
  /// former ones among them.
  public mutating func finish(
    _ decoder: inout CBORDecoder, known: FieldName...
  ) throws(DecodingFailure) -> UnknownFields {
    try finish(&decoder)
    guard skipped > 0 else { return UnknownFields() }
    // A second pass, and only where there are any: most maps were written by a program with the same
    // fields.
    var pass = CBORDecoder(decoder.bytes)
    pass.position = start
    pass.depth = decoder.depth + 1
    var entries: [ValueMap.Entry] = []
    do throws(DecodingFailure) {
      for _ in 0..<count {
        let keyStart = pass.position
        let name = try pass.textBytes()
        guard !known.contains(where: { $0.matches(name) }) else {
          try pass.skip()
          continue
        }
        let key = Array(decoder.bytes[keyStart..<pass.position])
        entries.append(
          ValueMap.Entry(
            encodedKey: key, key: .text(String(decoding: name, as: UTF8.self)),
            value: try Value(from: &pass)))
      }
    } catch {
      throw failure(error)
    }
    return UnknownFields(entries: ValueMap(sorted: entries))
  }

  /// Whether the field is found on the way through the map; its value is next then.
  @usableFromInline mutating func find(
    _ name: FieldName, _ decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Bool {
    guard inOrder else { return false }
    // Most maps were written by a program with the same fields: the name simply comes next.
    if key == nil, left > 0, let range = decoder.read(name) {
      previous = range
      left -= 1
      return true
    }
    do throws(DecodingFailure) {
      return try seek(name, &decoder)
    } catch {
      throw failure(error)
    }
  }

  /// A decoder at the value of the field, wherever it stands in the map, under its name (where that
  /// has not been sought yet) or one that it had before.
  @usableFromInline func find(
    _ name: FieldName, _ aliases: [FieldName], _ decoder: CBORDecoder
  ) throws(DecodingFailure) -> CBORDecoder? {
    do throws(DecodingFailure) {
      if !inOrder, let found = try lookUp(name, decoder) { return found }
      for alias in aliases {
        if let found = try lookUp(alias, decoder) { return found }
      }
      return nil
    } catch {
      throw failure(error)
    }
  }

  @inlinable func decode<Field: Mirrored>(
    _ name: FieldName, _ decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Field {
    do throws(DecodingFailure) {
      return try Field(from: &decoder)
    } catch {
      throw failure(error, at: name)
    }
  }

  /// Reads a field's value, which stays what it is where a lenient reading cannot read it.
  @inlinable func decode<Field: Mirrored>(
    _ name: FieldName, into field: inout Field, _ decoder: inout CBORDecoder
  ) throws(DecodingFailure) {
    let (start, depth) = (decoder.position, decoder.depth)
    do throws(DecodingFailure) {
      field = try Field(from: &decoder)
    } catch {
      guard decoder.omits(error, from: start, at: depth) else { throw failure(error, at: name) }
    }
  }

  /// The failure seen from the value that the fields are of.
  @usableFromInline func failure(
    _ failure: DecodingFailure, at name: FieldName? = nil
  ) -> DecodingFailure {
    var failure = failure
    if let name { failure = failure.under(name.description) }
    if let caseName { failure = failure.under(caseName.description) }
    return failure
  }

  @usableFromInline func missing(_ name: FieldName) -> DecodingFailure {
    failure(DecodingFailure(.missingField, "the field is missing"), at: name)
  }

  /// Goes on to the entry `name`: whether there is one, not before the present one.
  private mutating func seek(
    _ name: FieldName, _ decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Bool {
    while let key = try nextKey(&decoder) {
      let bytes = decoder.bytes[key]
      if name.matches(bytes) {
        self.key = nil
        left -= 1
        return true
      }
      guard name.isAfter(bytes) else { return false }
      try skipValue(&decoder)
    }
    return false
  }

  /// A decoder at the value of the entry `name`, wherever it stands; the pass over the map stays
  /// where it is.
  private func lookUp(
    _ name: FieldName, _ decoder: CBORDecoder
  ) throws(DecodingFailure) -> CBORDecoder? {
    var pass = self
    pass.key = nil
    pass.previous = nil
    pass.left = count
    var decoder = decoder
    decoder.position = start
    return try pass.seek(name, &decoder) ? decoder : nil
  }

  /// Where the next key stands, reading it unless that has been done; nil at the end.
  private mutating func nextKey(
    _ decoder: inout CBORDecoder
  ) throws(DecodingFailure) -> Range<Int>? {
    if let key { return key }
    guard left > 0 else { return nil }
    let bytes = try decoder.textBytes()
    if let previous { try Self.check(decoder.bytes[previous], bytes) }
    let range = bytes.indices
    previous = range
    key = range
    return range
  }

  private mutating func skipValue(_ decoder: inout CBORDecoder) throws(DecodingFailure) {
    try decoder.skip()
    key = nil
    left -= 1
    skipped += 1
  }

  private static func check(
    _ earlier: ArraySlice<UInt8>, _ later: ArraySlice<UInt8>
  ) throws(DecodingFailure) {
    if earlier.count == later.count {
      if earlier.lexicographicallyPrecedes(later) { return }
    } else if earlier.count < later.count {
      return
    }
    throw earlier == later
      ? DecodingFailure(.notDeterministic, "a map key stands twice")
      : DecodingFailure(.notDeterministic, "map keys are not in order")
  }
}

extension CBORDecoder {
  /// Reads the text `name` if it comes next, in the short form that names have, and gives where its
  /// bytes stand.
  fileprivate mutating func read(_ name: FieldName) -> Range<Int>? {
    let count = name.count
    let start = position + 1
    guard count < 24, bytes.endIndex - start >= count, bytes[position] == 0x60 | UInt8(count),
      name.matches(bytes, at: start)
    else { return nil }
    position = start + count
    return start..<position
  }
}
