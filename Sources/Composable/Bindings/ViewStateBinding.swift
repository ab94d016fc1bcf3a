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
  package let set: @Sendable (Value) -> BindingAction<State>
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

/// What a carried field is on the wire: its name, so that a mirror knows what to set, and its value.
///
/// A field that had other names says so in `formerly`, which no other field has: a client of an
/// earlier version finds its own name there.
@Mirrored package struct CarriedField<Content> {
  package var field: String
  package var value: Content
  package var further = UnknownFields()

  init(field: String, formerly: [String], value: Content) {
    self.field = field
    self.value = value
    if !formerly.isEmpty { further["formerly"] = Value(of: formerly) }
  }

  /// All names that it has had, today's first.
  var names: [String] {
    [field] + (further["formerly"]?.elements.map(Array.init) ?? []).compactMap(\.string)
  }
}

extension ViewStateBinding: Mirrored, MirroredByWire where State: Mirrored {
  package var wire: CarriedField<Value> {
    let field = State.bindingFields.first { $0.keyPath as AnyKeyPath == keyPath as AnyKeyPath }
    return CarriedField(
      field: field?.name ?? "", formerly: field?.aliases ?? [], value: wrappedValue)
  }

  package init(wire: CarriedField<Value>) throws(DecodingFailure) {
    guard let field = wire.names.lazy.compactMap({ State.bindingField(named: $0) }).first else {
      throw DecodingFailure(
        .unknownCase, "\(State.self) has no settable field '\(wire.field)'", path: ["field"])
    }
    // Finds out whether the field takes values of this type; then it takes them all.
    let unchanged = try field.decode(wire.value.encoded()[...])
    keyPath = field.keyPath
    set = { value in
      let encoded = value.encoded()
      let apply = try? field.decode(encoded[...])
      return BindingAction(
        keyPath: field.keyPath, value: encoded, apply: apply ?? unchanged)
    }
    wrappedValue = wire.value
  }
}
