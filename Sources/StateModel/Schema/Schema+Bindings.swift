/// How a settable field is found in an action's schema, so that `set counter.step 3` can be sent by
/// a program that knows no Swift type of the app.
extension Schema {
  /// A field that an action can set.
  public struct SettableField: Equatable, Sendable {
    /// How a person names it: `counter.step`.
    public var name: String
    /// The cases to step through, the binding action's last: `["counter", "binding"]`.
    public var path: [String]
    /// The field.
    public var field: Field
  }

  /// The fields that an action of this type can set, in the order of the schema.
  public static func settableFields<Action: Mirrored>(
    ofAction type: Action.Type
  ) -> [SettableField] { Schema(of: type).settableFields }

  /// The fields that an action described by this schema can set.
  ///
  /// Looks through the cases with one unlabelled payload; an action for one element of a collection
  /// (`row(id:action:)`) cannot be named without saying which.
  public var settableFields: [SettableField] {
    var found: [SettableField] = []
    settableFields(in: root, under: [], within: [], to: &found)
    return found
  }

  private func settableFields(
    in node: SchemaNode, under path: [String], within types: Set<String>,
    to found: inout [SettableField]
  ) {
    switch node {
    case .binding(let fields):
      let prefix = path.dropLast()
      for field in fields {
        let name = (prefix + [field.name]).joined(separator: ".")
        found.append(SettableField(name: name, path: path, field: field))
      }
    case .named(let name):
      // An action may contain itself: the walk does not go round.
      guard !types.contains(name), case .enumeration(let cases) = self.types[name] else { return }
      for element in cases {
        guard case .single(let payload) = element.payload else { continue }
        settableFields(
          in: payload, under: path + [element.name], within: types.union([name]), to: &found)
      }
    default: return
    }
  }

  /// The encoding of the action that sets the field of this name to an encoded value:
  /// `{"counter": {"binding": {"step": value}}}`; nil when no field has the name.
  public func bindingAction(field name: String, value: some Collection<UInt8>) -> [UInt8]? {
    guard let field = settableFields.first(where: { $0.name == name }) else { return nil }
    var encoder = CBOREncoder()
    for key in field.path + [field.field.name] {
      encoder.map(1)
      encoder.text(key)
    }
    encoder.encoded(value)
    return encoder.bytes
  }
}
