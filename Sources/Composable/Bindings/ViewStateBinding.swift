public import StateModel

/// Carries a settable field of a state into a view state: `viewStore.$text` is then a binding.
///
///     @Mirrored struct ViewState {
///       @ViewStateBinding<Feature.State, String> var text: String
///       init(state: Feature.State) { _text = ViewStateBinding(state, \.$text) }
///     }
///
/// Mirrored as the field's wire name and the value, so that the mirror in another process knows
/// what to set.
@propertyWrapper
public struct ViewStateBinding<State: Sendable, Value: Mirrored>: Sendable {
  /// The field in the state.
  public let keyPath: any PartialKeyPath<State> & Sendable
  /// Makes the action that sets the field.
  let set: @Sendable (Value) -> BindingAction<State>
  /// The value that the field had.
  public private(set) var wrappedValue: Value

  /// The field at `keyPath` with its value.
  public init(
    _ state: State, _ keyPath: any WritableKeyPath<State, BindingState<Value>> & Sendable
  ) {
    self.keyPath = keyPath
    set = { .set(keyPath, $0) }
    wrappedValue = state[keyPath: keyPath].wrappedValue
  }

  /// The wrapper itself.
  public var projectedValue: ViewStateBinding { self }
}

extension ViewStateBinding: Equatable {
  /// Whether both show the same field with the same value.
  public static func == (left: ViewStateBinding, right: ViewStateBinding) -> Bool {
    left.wrappedValue == right.wrappedValue
      && left.keyPath as AnyKeyPath == right.keyPath as AnyKeyPath
  }
}

extension ViewStateBinding: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension ViewStateBinding: Mirrored where State: Mirrored {
  /// What goes over the wire.
  @Mirrored struct Bound<Content> {
    var field: String
    var value: Content
  }

  private var bound: Bound<Value> {
    let field = State.bindingFields.first { $0.keyPath as AnyKeyPath == keyPath as AnyKeyPath }
    return Bound(field: field?.name ?? "", value: wrappedValue)
  }

  private init(_ bound: Bound<Value>) throws(DecodingFailure) {
    guard let field = State.bindingFields.first(where: { $0.name == bound.field }) else {
      throw DecodingFailure(
        .unknownCase, "\(State.self) has no settable field '\(bound.field)'", path: ["field"])
    }
    // Finds out whether the field takes values of this type; then it takes them all.
    let unchanged = BindingAction<State>(
      keyPath: field.keyPath, value: [], apply: try field.decode(bound.value.encoded()[...]))
    keyPath = field.keyPath
    set = { value in
      let encoded = value.encoded()
      let apply = try? field.decode(encoded[...])
      return BindingAction(
        keyPath: field.keyPath, value: encoded, apply: apply ?? unchanged.apply)
    }
    wrappedValue = bound.value
  }

  /// The field's name and the value's type.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    Bound<Value>.describe(in: &schema)
  }

  /// Writes the field's name and the value.
  public func encode(to encoder: inout CBOREncoder) { bound.encode(to: &encoder) }

  /// Reads the field's name and the value.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    try self.init(Bound<Value>(from: &decoder))
  }

  /// Whether both would encode to the same bytes.
  public func isIdentical(to other: ViewStateBinding) -> Bool {
    keyPath as AnyKeyPath == other.keyPath as AnyKeyPath
      && wrappedValue.isIdentical(to: other.wrappedValue)
  }

  /// The digest of name and value.
  public var digest: Digest { bound.digest }

  /// The value's changes.
  public func writeDelta(from old: ViewStateBinding, to writer: inout DeltaWriter) {
    bound.writeDelta(from: old.bound, to: &writer)
  }

  /// Applies a change.
  public mutating func apply(_ change: Change, at depth: Int) throws(DeltaFailure) {
    var bound = bound
    try bound.apply(change, at: depth)
    do throws(DecodingFailure) {
      self = try ViewStateBinding(bound)
    } catch {
      throw DeltaFailure(error.description)
    }
  }
}
