public import StateModel

/// JSON text to and from `Value`: what the command line reads and prints, and what documents of the
/// workspace come from.
///
/// Reading keeps every number as it was written: integers from -2^63 to 2^64-1 exactly, all others
/// as the nearest double, `-0` as the float it is. Duplicate keys, numbers beyond a double, and
/// nesting deeper than `maximumDepth` are refused, with their place. The members of an object come
/// out in the order of a `Value`'s map (short keys first, then by bytes), not as they were written.
public enum JSONText {
  /// How deep arrays and objects may nest: as deep as on the wire.
  public static let maximumDepth = CBORDecoder.maximumDepth

  /// How `Value`s for which JSON has no word are treated.
  public enum Form: Sendable {
    /// JSON as RFC 8259 has it: what JSON cannot say is an error when written.
    case strict
    /// JSON in which a few one-member objects have a meaning of their own, so that every `Value`
    /// can be shown and read back: see `Convention`.
    case extended
  }

  /// How a text is laid out.
  public enum Layout: Sendable {
    /// One line, no spaces.
    case compact
    /// A line for each member and element, indented by two spaces.
    case pretty
  }

  /// Reads a text that holds exactly one JSON value, in UTF-8.
  public static func parse(
    _ bytes: [UInt8], form: Form = .strict
  ) throws(JSONFailure) -> Value {
    var reader = JSONReader(form: form)
    return try reader.read(bytes)
  }

  /// As `parse`, of a text whose value goes into another one: with a nesting of its own.
  package static func parse(
    _ bytes: [UInt8], form: Form = .strict, depth: Int
  ) throws(JSONFailure) -> Value {
    var reader = JSONReader(form: form, depth: min(depth, maximumDepth))
    return try reader.read(bytes)
  }

  /// Reads a text that holds exactly one JSON value.
  public static func parse(
    _ text: String, form: Form = .strict
  ) throws(JSONFailure) -> Value {
    try parse(Array(text.utf8), form: form)
  }

  /// Writes JSON that reads back as the same value, or says what JSON has no word for.
  public static func write(
    _ value: Value, layout: Layout = .compact
  ) throws(JSONWritingFailure) -> String {
    var writer = JSONWriter(form: .strict, layout: layout)
    writer.write(value)
    if let failure = writer.failure { throw failure }
    return writer.text
  }

  /// Writes any value for a person to read, in the extended form. Reading that form gives the
  /// value back.
  public static func display(_ value: Value, layout: Layout = .compact) -> String {
    var writer = JSONWriter(form: .extended, layout: layout)
    writer.write(value)
    return writer.text
  }
}
