/// What a mirrored type looks like on the wire: for generic clients, the CLI's completion, and the
/// check that two processes mean the same thing.
@Mirrored public indirect enum SchemaNode {
  /// `true` or `false`.
  case bool
  /// An integer with its inclusive bounds.
  case integer(least: Int64, greatest: UInt64)
  /// A float of 32 or 64 bits.
  case float(bits: Int)
  /// A text.
  case text
  /// A byte string.
  case bytes
  /// A standard type by its name: `Date`, `UUID`, `URL`, `Decimal`, `Duration`.
  case standard(String)
  /// `null` or the wrapped type.
  case optional(SchemaNode)
  /// An array.
  case array(SchemaNode)
  /// A set, an array sorted by encoding.
  case set(SchemaNode)
  /// A map.
  case map(key: SchemaNode, value: SchemaNode)
  /// An array of elements told apart by the field `id`.
  case identified(element: SchemaNode)
  /// A text that is edited in place.
  case editedText
  /// Any value (`Value`).
  case any
  /// A struct or enum registered in the schema's table, by name.
  case named(String)
  /// The payload of a binding action: the settable fields and their types.
  case binding([Schema.Field])
}

/// A root node and the named types that it mentions.
///
/// A schema is mirrored itself: `encoded()` is what a `schema` request is answered with.
@Mirrored public struct Schema {
  /// A field of a struct, or a labelled payload.
  @Mirrored public struct Field {
    /// The name on the wire.
    public var name: String
    /// Its type.
    public var type: SchemaNode
    /// Whether it may be absent.
    public var isOptional: Bool

    /// A field from its parts.
    public init(name: String, type: SchemaNode, isOptional: Bool = false) {
      self.name = name
      self.type = type
      self.isOptional = isOptional
    }
  }

  /// A case of an enum.
  @Mirrored public struct Case {
    /// The name on the wire.
    public var name: String
    /// What it carries.
    public var payload: Payload

    /// A case from its parts.
    public init(name: String, payload: Payload) {
      self.name = name
      self.payload = payload
    }
  }

  /// What a case carries.
  @Mirrored public enum Payload {
    /// Nothing: the case is its name as text.
    case none
    /// One unlabelled value: `{name: value}`.
    case single(SchemaNode)
    /// Several or labelled values: `{name: {label or _0, _1…: value}}`.
    case fields([Field])
  }

  /// A type with a name.
  @Mirrored public enum NamedType {
    /// A struct's fields, in wire order.
    case structure([Field])
    /// An enum's cases, in wire order.
    case enumeration([Case])
  }

  /// The node of the type that was described.
  public var root: SchemaNode
  /// The named types it mentions, by name.
  public var types: [String: NamedType]

  init(root: SchemaNode, types: [String: NamedType]) {
    self.root = root
    self.types = types
  }

  /// Describes a type.
  public init<Root: Mirrored>(of type: Root.Type) {
    var builder = SchemaBuilder()
    root = Root.describe(in: &builder)
    types = builder.types
  }
  /// A number that two processes compare to know that they mean the same: XXH3-64 of the encoding.
  ///
  /// The same for every run and build, and for any order in which fields and cases are declared.
  public var hash: UInt64 { XXH3.hash64(encoded()) }
}
