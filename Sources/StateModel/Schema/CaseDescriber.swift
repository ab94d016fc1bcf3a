/// Collects the cases of an enum for its schema.
///
/// The payloads' types come from the cases' constructors: the code that `@Mirrored` writes need not
/// spell them, which it could not everywhere (an extension does not see what encloses the type).
public struct CaseDescriber<Root: Mirrored> {
  var schema: SchemaBuilder
  private var described: [Schema.Case] = []
  /// The names of cases by those that they had in earlier versions.
  var formerNames: [String: String] = [:]

  init(_ schema: SchemaBuilder) { self.schema = schema }

  /// The cases in wire order.
  var cases: [Schema.Case] { described.sorted { Schema.areInOrder($0.name, $1.name) } }

  /// Adds a case without a payload.
  public mutating func add(_ name: FieldName) {
    described.append(Schema.Case(name: name.description, payload: .none))
  }

  /// Says what a case was called in earlier versions.
  public mutating func rename(_ name: FieldName, aliases: FieldName...) {
    for alias in aliases { formerNames[alias.description] = name.description }
  }

  /// Adds a case with one unlabelled payload.
  public mutating func add<Payload: Mirrored>(_ name: FieldName, _ constructor: (Payload) -> Root) {
    let type = Payload.describe(in: &schema)
    described.append(Schema.Case(name: name.description, payload: .single(type)))
  }

  /// Adds a case with labelled values: in the order of the declaration, the label of each and
  /// whether it has a default.
  public mutating func add<each Payload: Mirrored>(
    _ name: FieldName, _ constructor: (repeat each Payload) -> Root,
    labels: [(name: FieldName, hasDefault: Bool)]
  ) {
    var fields: [Schema.Field] = []
    var rest = labels[...]
    for type in repeat (each Payload).self {
      guard let label = rest.popFirst() else { break }
      fields.append(field(label, type))
    }
    fields.sort {
      $0.name.utf8.count != $1.name.utf8.count
        ? $0.name.utf8.count < $1.name.utf8.count
        : $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
    described.append(
      Schema.Case(
        name: name.description,
        payload: .fields(fields.sorted { Schema.areInOrder($0.name, $1.name) })))
  }

  /// Says what to do where a payload's type is not mirrored.
  @available(
    *, unavailable,
    message: "the type of a payload must be mirrored: put '@Mirrored' on its declaration"
  )
  public mutating func add<each Payload>(
    _ name: FieldName, _ constructor: (repeat each Payload) -> Root,
    labels: [(name: FieldName, hasDefault: Bool)] = []
  ) {}

  private mutating func field<Payload: Mirrored>(
    _ label: (name: FieldName, hasDefault: Bool), _ type: Payload.Type
  ) -> Schema.Field {
    let node = type.describe(in: &schema)
    return Schema.Field(
      name: label.name.description, type: node,
      isOptional: label.hasDefault || type.absent != nil)
  }
}

extension Schema {
  /// Whether the key `one` stands before the key `other` in a map.
  static func areInOrder(_ one: String, _ other: String) -> Bool {
    let (one, other) = (one.utf8, other.utf8)
    return one.count == other.count
      ? one.lexicographicallyPrecedes(other) : one.count < other.count
  }
}
