public import StateModel

/// Sets one field of a state from outside: the field and the value.
///
/// Two are equal when field and value are. In a reducer `case .binding(\.$text)` matches exactly
/// that field, not a part of it. On the wire it is `{field's canonical name: value}`.
public struct BindingAction<Root: Sendable>: Sendable {
  /// The field.
  public let keyPath: any PartialKeyPath<Root> & Sendable
  /// The value as it is mirrored: what values are compared by.
  let value: [UInt8]
  let apply: @Sendable (inout Root) -> Void
  /// Finds out whether a reducer has applied it.
  var use: BindingUse?

  init(
    keyPath: any PartialKeyPath<Root> & Sendable, value: [UInt8],
    apply: @escaping @Sendable (inout Root) -> Void
  ) {
    self.keyPath = keyPath
    self.value = value
    self.apply = apply
  }

  /// Sets the field at `keyPath` to `value`.
  public static func set<Value: Mirrored>(
    _ keyPath: any WritableKeyPath<Root, BindingState<Value>> & Sendable, _ value: Value
  ) -> BindingAction {
    BindingAction(
      keyPath: keyPath, value: value.encoded(),
      apply: { $0[keyPath: keyPath].wrappedValue = value })
  }

  /// Whether an action sets the field at `keyPath`: `case .binding(\.$text)`.
  public static func ~= <Value>(
    keyPath: WritableKeyPath<Root, BindingState<Value>>, action: BindingAction
  ) -> Bool {
    keyPath as AnyKeyPath == action.keyPath as AnyKeyPath
  }
}

extension BindingAction: Equatable {
  /// Whether both set the same field to the same value.
  public static func == (left: BindingAction, right: BindingAction) -> Bool {
    left.keyPath as AnyKeyPath == right.keyPath as AnyKeyPath && left.value == right.value
  }
}

extension BindingAction: CustomStringConvertible where Root: Mirrored {
  /// `.set(text, "…")`.
  public var description: String {
    let shown = (try? Value(encoded: value)).map { "\($0)" } ?? "?"
    return ".set(\(field?.name ?? "?"), \(shown))"
  }
}

extension BindingAction where Root: Mirrored {
  /// The field's entry in the registry; nil where it is not marked, or only a part of a field.
  var field: BindingField<Root>? {
    Root.bindingFields.first { $0.keyPath as AnyKeyPath == keyPath as AnyKeyPath }
  }
}

extension BindingAction: Mirrored where Root: Mirrored {
  /// The fields that may be set.
  public static func describe(in schema: inout SchemaBuilder) -> SchemaNode {
    schema.bindings(of: Root.self)
  }

  /// Writes the field's name and the value.
  public func encode(to encoder: inout CBOREncoder) {
    use?.hasLeft()
    encoder.map(1)
    if let field {
      encoder.text(field.name)
    } else {
      reportIssue(
        IssueReport(
          """
          A binding of \(Root.self) sets a field that is not registered, so another process cannot \
          name it. Mark the field itself with @BindingState in a @Mirrored type, and set it as a \
          whole.
          """))
      encoder.text(Self.unregistered)
    }
    encoder.encoded(value)
  }

  /// The name that stands for a field that has none; no field can have it.
  private static var unregistered: String { "?" }

  /// Reads a field's name, which must be registered, and a value of its type. A client of an earlier
  /// version uses the name that the field had in that version.
  public init(from decoder: inout CBORDecoder) throws(DecodingFailure) {
    guard try decoder.map() == 1 else {
      throw DecodingFailure(.wrongType, "a binding is a map of one field")
    }
    try decoder.enter()
    let name = try decoder.text()
    let value = try decoder.item()
    decoder.leave()
    guard let field = Root.bindingField(named: name) else {
      let names = Root.bindingFields.map(\.name).joined(separator: ", ")
      throw DecodingFailure(
        .notSettable,
        "\(name) may not be set from outside; "
          + (names.isEmpty ? "\(Root.self) has no such fields" : "there are \(names)"))
    }
    self.init(keyPath: field.keyPath, value: Array(value), apply: try field.decode(value))
  }

  /// Whether both set the same field to the same value.
  public func isIdentical(to other: BindingAction) -> Bool { self == other }

  /// The digest of the map that it is.
  public var digest: Digest {
    let encoding = encoded()
    return (try? Value(encoded: encoding))?.digest ?? Digest(leaf: encoding)
  }
}
