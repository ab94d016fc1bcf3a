/// Writes a struct's `Mirrored` members.
///
/// One line a field and a member: the work is done by functions of `StateModel`, so that a state
/// of many fields compiles quickly.
struct StructWriter {
  let fields: [StoredProperties.Field]
  /// The property for fields that the struct does not know.
  let place: String?

  /// The members, without access modifiers.
  var members: [String] {
    var members = [describe, encode, decode, isIdentical, digest, writeDelta, apply]
    if fields.contains(where: \.isBinding) { members.append(bindingFields) }
    return members
  }

  private var describe: String {
    """
    static func describe(in schema: inout StateModel.SchemaBuilder) -> StateModel.SchemaNode {
      schema.structure(Self.self) { \(fields.isEmpty ? "_" : "fields") in
    \(lines { "    fields.add(\($0.name.literal), \\Self.\($0.storage), hasDefault: \($0.hasValue))" })
      }
    }
    """
  }

  private var bindingFields: String {
    let list = fields.filter(\.isBinding)
      .map {
        "StateModel.BindingField("
          + "\($0.name.literal), \\Self.$\($0.storage.dropFirst())\($0.name.aliasArgument))"
      }
    return """
      static var bindingFields: [StateModel.BindingField<Self>] {
        StateModel.BindingRegistry.fields(of: Self.self) {
          [
            \(list.joined(separator: ",\n        "))
          ]
        }
      }
      """
  }

  private var encode: String {
    guard let place else {
      return """
        func encode(to encoder: inout StateModel.CBOREncoder) {
          encoder.map(\(fields.count))
        \(lines { "  encoder.field(\($0.name.literal), self.\($0.storage))" })
        }
        """
    }
    return """
      func encode(to encoder: inout StateModel.CBOREncoder) {
        encoder.map(\(fields.count) + self.\(place).count)
        var unknown = self.\(place).cursor
      \(lines { "  encoder.field(\($0.name.literal), self.\($0.storage), after: &unknown)" })
        encoder.fields(&unknown)
      }
      """
  }

  private var decode: String {
    func line(_ field: StoredProperties.Field) -> String {
      let arguments = field.name.literal + field.name.aliasArgument
      return field.hasValue
        ? "  try fields.read(\(arguments), into: &self.\(field.storage), from: &decoder)"
        : "  self.\(field.storage) = try fields.read(\(arguments), from: &decoder)"
    }
    return """
      init(from decoder: inout StateModel.CBORDecoder) throws(StateModel.DecodingFailure) {
        var fields = try StateModel.FieldReader(&decoder)
      \(lines(line))
      \(finish)
      }
      """
  }

  private var finish: String {
    guard let place else { return "  try fields.finish(&decoder)" }
    let known = fields.flatMap { [$0.name.name] + $0.name.aliases }.map(\.literal)
    return "  self.\(place) = try fields.finish("
      + (["&decoder", "known: " + known.joined(separator: ", ")].prefix(known.isEmpty ? 1 : 2))
      .joined(separator: ", ") + ")"
  }

  private var isIdentical: String {
    """
    func isIdentical(to other: Self) -> Bool {
    \(all(storages.map {
      "  guard self.\($0).isIdentical(to: other.\($0)) else { return false }"
    }))
      return true
    }
    """
  }

  private var digest: String {
    """
    var digest: StateModel.Digest {
      \(storages.isEmpty ? "let" : "var") fields = StateModel.FieldDigest()
    \(lines { "  fields.add(\($0.name.literal), self.\($0.storage))" })
    \(atPlace { "  fields.add(self.\($0))" })
      return fields.digest
    }
    """
  }

  private var writeDelta: String {
    """
    func writeDelta(from old: Self, to writer: inout StateModel.DeltaWriter) {
    \(lines { "  writer.field(\($0.name.literal), self.\($0.storage), old.\($0.storage))" })
    \(atPlace { "  writer.fields(self.\($0), old.\($0))" })
    }
    """
  }

  private var apply: String {
    let constants = fields.contains(where: \.isConstant)
    func line(_ field: StoredProperties.Field) -> String {
      field.isConstant
        ? "  case \(field.name.literal): self = try Self(applying: change, at: depth, to: self, name)"
        : "  case \(field.name.literal): try change.apply(to: &self.\(field.storage), at: depth + 1)"
    }
    let apply = """
      mutating func apply(
        _ change: StateModel.Change, at depth: Int
      ) throws(StateModel.DeltaFailure) {
        if try self.replace(with: change, at: depth) { return }
        let name = try change.name(at: depth)
        switch name {
      \(lines(line))
        default: \(place.map { "try change.apply(to: &self.\($0), at: depth)" }
          ?? "throw change.noField(at: depth)")
        }
      }
      """
    return constants ? apply + "\n\n" + rebuild : apply
  }

  /// A struct with a `let` cannot be changed in place: it is made anew.
  private var rebuild: String {
    func line(_ field: StoredProperties.Field) -> String {
      guard field.isConstant else { return "  self.\(field.storage) = old.\(field.storage)" }
      let name = field.name.literal
      return "  self.\(field.storage) = try change.applied("
        + "to: old.\(field.storage), at: depth + 1, if: \(name) ~= name)"
    }
    return """
      private init(
        applying change: StateModel.Change, at depth: Int, to old: Self, _ name: StateModel.PathName
      ) throws(StateModel.DeltaFailure) {
      \(lines(line))
      \(atPlace { "  self.\($0) = old.\($0)" })
      }
      """
  }

  /// Everything that holds a part of the value.
  private var storages: [String] { fields.map(\.storage) + (place.map { [$0] } ?? []) }

  private func all(_ lines: [String]) -> String { lines.joined(separator: "\n") }

  /// A line for the place, where there is one.
  private func atPlace(_ line: (String) -> String) -> String { place.map(line) ?? "" }

  private func lines(_ line: (StoredProperties.Field) -> String) -> String {
    fields.map(line).joined(separator: "\n")
  }
}
