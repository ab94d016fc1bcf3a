/// Marks a field of a state that may be set from outside, by a binding.
///
/// The mark is an allow-list: `@Mirrored` enters these fields, and no others, into the registry of
/// what a `set` on the wire may touch. The field is mirrored as its bare value.
@propertyWrapper @dynamicMemberLookup
public struct BindingState<Value: Mirrored>: Mirrored {
  /// The value.
  public var wrappedValue: Value

  /// A field with a value.
  public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

  /// The wrapper itself: `\.$text` is the field's key path.
  public var projectedValue: BindingState<Value> {
    get { self }
    set { self = newValue }
  }

  /// A part of the value, as a field of its own: `\.$nested.part`.
  public subscript<Part: Mirrored>(
    dynamicMember keyPath: WritableKeyPath<Value, Part>
  ) -> BindingState<Part> {
    get { BindingState<Part>(wrappedValue: wrappedValue[keyPath: keyPath]) }
    set { wrappedValue[keyPath: keyPath] = newValue.wrappedValue }
  }

  /// The value's description.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    Value.describe(in: &schema)
  }

  /// What an absent value decodes to.
  public static var absent: BindingState<Value>? {
    Value.absent.map { BindingState(wrappedValue: $0) }
  }

  /// Whether the value may encode as `null`.
  public static var mayEncodeAsNull: Bool { Value.mayEncodeAsNull }

  /// Writes the bare value.
  public func encode(to encoder: inout CBOREncoder) { wrappedValue.encode(to: &encoder) }

  /// Reads the bare value.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    wrappedValue = try Value(from: &decoder)
  }

  /// Whether both values would encode to the same bytes.
  public func isIdentical(to other: BindingState<Value>) -> Bool {
    wrappedValue.isIdentical(to: other.wrappedValue)
  }

  /// The value's digest.
  public var digest: Digest { wrappedValue.digest }

  /// The value's changes.
  public func writeDelta(from old: BindingState<Value>, to writer: inout DeltaWriter) {
    wrappedValue.writeDelta(from: old.wrappedValue, to: &writer)
  }

  /// Applies a change to the value.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    try wrappedValue.apply(change, at: depth)
  }
}

extension BindingState: Hashable where Value: Hashable {}

extension BindingState: CustomStringConvertible {
  /// The value's own description: the mark is of no interest to a reader.
  public var description: String { String(describing: wrappedValue) }
}
