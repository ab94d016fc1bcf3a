/// Collects the fields of a struct for its schema, in wire order.
///
/// The types come from key paths: the code that `@Mirrored` writes need not know how a property's
/// type is spelled, or that it is spelled at all.
public struct FieldDescriber<Root: Mirrored> {
  var schema: SchemaBuilder
  var fields: [Schema.Field] = []

  init(_ schema: SchemaBuilder) { self.schema = schema }

  /// Adds the field at `keyPath`.
  public mutating func add<Value: Mirrored>(
    _ name: FieldName, _ keyPath: KeyPath<Root, Value>, hasDefault: Bool
  ) {
    let type = Value.describe(in: &schema)
    fields.append(
      Schema.Field(
        name: name.description, type: type, isOptional: hasDefault || Value.absent != nil))
  }
  /// Says what to do where a field's type is not mirrored.
  @available(
    *, unavailable,
    message: "the type of a field must be mirrored: put '@Mirrored' on its declaration"
  )
  public mutating func add<Value>(
    _ name: FieldName, _ keyPath: KeyPath<Root, Value>, hasDefault: Bool
  ) {}
}
