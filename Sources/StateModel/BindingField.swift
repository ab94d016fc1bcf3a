/// A field that may be set from outside: its wire name and how to set it.
///
/// `@Mirrored` makes one for every `@BindingState` field; together they are the allow-list of what
/// a `set` on the wire may touch.
public struct BindingField<Root: Sendable>: Sendable {
  /// The canonical name on the wire.
  public let name: String
  /// The names that it had in earlier versions: a client of one of them sets it under such a name.
  public let aliases: [String]
  /// The key path to the projected `BindingState`.
  public let keyPath: any PartialKeyPath<Root> & Sendable
  /// Decodes a value of the field's type and sets it.
  public let set: @Sendable (inout Root, ArraySlice<UInt8>) throws(DecodingFailure) -> Void
  /// Decodes a value of the field's type, and gives what sets it: whether a value fits is known
  /// before there is a root to set it in.
  public let decode:
    @Sendable (ArraySlice<UInt8>) throws(DecodingFailure) -> @Sendable (inout Root) -> Void
  /// Describes the field's type.
  public let describe: @Sendable (inout SchemaBuilder) -> SchemaNode

  /// A field from its parts.
  public init(
    name: String, aliases: [String] = [], keyPath: any PartialKeyPath<Root> & Sendable,
    decode:
      @escaping @Sendable (ArraySlice<UInt8>) throws(DecodingFailure) ->
      @Sendable (inout Root) ->
      Void,
    describe: @escaping @Sendable (inout SchemaBuilder) -> SchemaNode
  ) {
    self.name = name
    self.aliases = aliases
    self.keyPath = keyPath
    self.decode = decode
    self.set = { (root, encoded) throws(DecodingFailure) in try decode(encoded)(&root) }
    self.describe = describe
  }
}

extension BindingField {
  /// The field of the wire name `name` whose `BindingState` stands at `keyPath`.
  public init<Value: Mirrored>(
    _ name: String, _ keyPath: any WritableKeyPath<Root, BindingState<Value>> & Sendable,
    aliases: String...
  ) {
    self.init(
      name: name, aliases: aliases, keyPath: keyPath,
      decode: { (encoded) throws(DecodingFailure) in
        do throws(DecodingFailure) {
          let value = try Value(encoded: encoded)
          return { $0[keyPath: keyPath].wrappedValue = value }
        } catch {
          throw error.under(name)
        }
      },
      describe: { Value.describe(in: &$0) })
  }
}

extension Mirrored {
  /// The settable field of this wire name, or that had it in an earlier version.
  package static func bindingField(named name: String) -> BindingField<Self>? {
    bindingFields.first { $0.name == name } ?? bindingFields.first { $0.aliases.contains(name) }
  }
}
