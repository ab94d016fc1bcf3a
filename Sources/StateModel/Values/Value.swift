/// Any mirrored value without its Swift type: for generic clients, the command line, the journal's
/// recovery and the schema-less workspace.
///
/// Encodes to the same bytes, and has the same digest, as the typed value it came from. Texts,
/// arrays and maps keep what their digest is made of, and copies share what is not changed: an edit
/// deep in a large value costs what it touches.
public enum Value: Sendable {
  /// `null`.
  case null
  /// A boolean.
  case bool(Bool)
  /// A non-negative integer.
  case unsigned(UInt64)
  /// The negative integer -1 - n.
  case negative(UInt64)
  /// A float, held with its bits.
  case float(Double)
  /// A text.
  case text(EditableText)
  /// A byte string.
  case bytes([UInt8])
  /// An array.
  case array(ValueArray)
  /// A map, its entries in the order of their encoded keys.
  case map(ValueMap)
  /// A tagged item.
  indirect case tag(UInt64, Value)
}

/// The entries of a map `Value`.
public typealias ValueMap = SortedDictionary<Value, Value>

extension Value {
  /// A text from a string.
  public static func text(_ string: String) -> Value { .text(EditableText(string)) }

  /// An array from its elements.
  public static func array(_ elements: [Value]) -> Value { .array(ValueArray(elements)) }

  /// A map with text keys.
  public static func map(_ entries: [String: Value]) -> Value {
    .map(ValueMap(entries.lazy.map { (.text($0.key), $0.value) }))
  }

  /// A signed integer.
  public static func integer(_ value: Int64) -> Value {
    value >= 0 ? .unsigned(UInt64(value)) : .negative(UInt64(bitPattern: ~value))
  }

  /// The string of a text; nil for every other kind.
  public var string: String? {
    guard case .text(let text) = self else { return nil }
    return text.string
  }

  /// The integer where it fits; nil for every other kind.
  public var integer: Int? {
    switch self {
    case .unsigned(let value): Int(exactly: value)
    case .negative(let value): value <= UInt64(Int64.max) ? ~Int(value) : nil
    default: nil
    }
  }

  /// The elements of an array; nil for every other kind.
  public var elements: ValueArray? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The entries of a map; nil for every other kind.
  public var entries: ValueMap? {
    guard case .map(let entries) = self else { return nil }
    return entries
  }

  /// The value that a typed value is on the wire.
  public init<Typed: Mirrored>(of value: Typed) {
    // A cast alone would look into optionals.
    if Typed.self == Value.self, let value = value as? Value {
      self = value
      return
    }
    do throws(DecodingFailure) {
      var decoder = CBORDecoder(value.encoded())
      // What is here already is not hostile, however deep it is.
      decoder.depth = .min / 2
      try self.init(from: &decoder)
      try decoder.finish()
    } catch {
      preconditionFailure(
        "\(Typed.self) does not write what it must: \(error)."
          + " Its encode(to:) must write one item in the deterministic form.")
    }
  }
}

extension Mirrored {
  /// The typed value that a value is on the wire.
  public init(_ value: Value) throws(DecodingFailure) {
    if Self.self == Value.self, let same = value as? Self {
      self = same
    } else {
      self = try Self(encoded: value.encoded())
    }
  }
}

extension Value: Hashable {
  /// Whether both are identical: encode to the same bytes.
  public static func == (a: Value, b: Value) -> Bool { a.isIdentical(to: b) }

  /// Feeds the digest.
  public func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A text written in the source.
  public init(stringLiteral value: String) { self = .text(value) }
  /// An integer written in the source.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A float written in the source.
  public init(floatLiteral value: Double) { self = .float(value) }
  /// A boolean written in the source.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An array written in the source.
  public init(arrayLiteral elements: Value...) { self = .array(elements) }
  /// A map written in the source.
  public init(dictionaryLiteral elements: (Value, Value)...) { self = .map(ValueMap(elements)) }
}
