/// The table that `Mirrored.describe(in:)` fills; knows which types are under way, so recursive
/// types end.
public struct SchemaBuilder: Sendable {
  /// The types that are complete.
  public private(set) var types: [String: Schema.NamedType] = [:]
  /// What cases and settable fields were called in earlier versions. No part of the schema, which is
  /// what is written today.
  package private(set) var formerNames = FormerNames()
  private var underWay: Set<String> = []
  private var names: [ObjectIdentifier: String] = [:]
  private var taken: Set<String> = []

  /// An empty table.
  public init() {}

  /// Registers the type `name`, once, and gives the node that refers to it.
  public mutating func named(
    _ name: String, _ describe: (inout SchemaBuilder) -> Schema.NamedType
  ) -> SchemaNode {
    if types[name] == nil, underWay.insert(name).inserted {
      taken.insert(name)
      types[name] = describe(&self)
      underWay.remove(name)
    }
    return .named(name)
  }

  /// Registers `type`, once, under its Swift name without the module; where another type has that
  /// name, with the module.
  public mutating func named<Root: Mirrored>(
    _ type: Root.Type, _ describe: (inout SchemaBuilder) -> Schema.NamedType
  ) -> SchemaNode {
    named(name(of: type), describe)
  }

  /// Registers a struct, whose fields `describe` adds. Called by the code that `@Mirrored` writes.
  public mutating func structure<Root: Mirrored>(
    _ type: Root.Type, _ describe: (inout FieldDescriber<Root>) -> Void
  ) -> SchemaNode {
    named(type) { schema in
      var fields = FieldDescriber<Root>(schema)
      describe(&fields)
      schema = fields.schema
      return .structure(fields.fields)
    }
  }

  /// Registers an enum, whose cases `describe` adds. Called by the code that `@Mirrored` writes.
  public mutating func enumeration<Root: Mirrored>(
    _ type: Root.Type, _ describe: (inout CaseDescriber<Root>) -> Void
  ) -> SchemaNode {
    named(type) { schema in
      var cases = CaseDescriber<Root>(schema)
      describe(&cases)
      schema = cases.schema
      if !cases.formerNames.isEmpty {
        schema.formerNames.cases[schema.name(of: type)] = cases.formerNames
      }
      return .enumeration(cases.cases)
    }
  }

  /// Describes the settable fields of `Root`, as the payload of a binding action.
  package mutating func bindings<Root: Mirrored>(of root: Root.Type) -> SchemaNode {
    let fields = Root.bindingFields.map { field in
      Schema.Field(name: field.name, type: field.describe(&self))
    }
    for field in Root.bindingFields {
      for alias in field.aliases { formerNames.add(alias, of: field.name, among: fields) }
    }
    return .binding(fields)
  }

  private mutating func name<Root>(of type: Root.Type) -> String {
    let id = ObjectIdentifier(type)
    if let name = names[id] { return name }
    let qualified = SwiftTypeName(type)
    var name = qualified.withoutModules
    if taken.contains(name) { name = qualified.withModules }
    var ordinal = 2
    while taken.contains(name) {
      name = "\(qualified.withModules)#\(ordinal)"
      ordinal += 1
    }
    taken.insert(name)
    names[id] = name
    return name
  }
}
