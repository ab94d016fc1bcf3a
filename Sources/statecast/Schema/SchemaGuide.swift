import JSONText
import StateModel

/// Turns what a person types into what the daemon's types are on the wire: `1` into `1.0` where a
/// float is expected, a text into a UUID or a date, by the daemon's own schema.
struct SchemaGuide {
  let schema: Schema
  /// Which fields can be set, by name.
  let bindings: BindingPaths

  init(schema: Schema) {
    self.schema = schema
    bindings = BindingPaths(schema)
  }

  /// What was typed for a field, as it is on the wire.
  func typed(_ text: String, forField name: String) throws(ToolFailure) -> Value {
    let type = bindings.field(named: name)?.type
    // The parts of its name, the binding between them and the last one.
    let levels = name.split(separator: ".").count + 1
    let value = try ActionText.json(text, for: type, within: levels)
    return type.map { fit(value, to: $0) } ?? value
  }

  /// What was typed as an action, with what its last case takes: `jobs.remove 3f2a…` is an id there.
  func action(_ text: String, payload: String?) throws(ToolFailure) -> Value {
    guard payload != nil,
      case .single(let type)? = actions.first(where: { $0.name == text })?.payload
    else { return try ActionText.parse(text, payload: payload) }
    return try ActionText.parse(text, payload: payload, for: type)
  }

  /// A value as the node has it on the wire; unchanged where there is nothing to be done. What does
  /// not fit is the daemon's to refuse: it says why.
  func fit(_ value: Value, to node: SchemaNode) -> Value {
    switch (node, value) {
    case (.float, .unsigned(let number)): .float(Double(number))
    case (.float, .negative(let complement)): .float(-1 - Double(complement))
    case (.optional(let wrapped), _): fitOptional(value, to: wrapped)
    case (.array(let element), .array(let items)), (.set(let element), .array(let items)),
      (.identified(let element), .array(let items)):
      .array(items.map { fit($0, to: element) })
    case (.map(_, let element), .map(let entries)):
      .map(ValueMap(entries.map { ($0.key, fit($0.value, to: element)) }))
    case (.named(let name), _): fit(value, toTypeNamed: name)
    case (.standard(let name), _): fit(value, toStandard: name)
    default: value
    }
  }

  private func fitOptional(_ value: Value, to wrapped: SchemaNode) -> Value {
    if case .null = value { return value }
    return fit(value, to: wrapped)
  }

  private func fit(_ value: Value, toTypeNamed name: String) -> Value {
    switch (schema.types[name], value) {
    case (.structure(let fields), .map(let entries)): fit(entries, to: fields)
    case (.enumeration(let cases), .map(let entries)): fit(entries, toCases: cases)
    default: value
    }
  }

  private func fit(_ entries: ValueMap, to fields: [Schema.Field]) -> Value {
    let types = Dictionary(fields.map { ($0.name, $0.type) }) { first, _ in first }
    return .map(
      ValueMap(
        entries.map { entry in
          guard let name = entry.key.string, let type = types[name] else {
            return (entry.key, entry.value)
          }
          return (entry.key, fit(entry.value, to: type))
        }))
  }

  private func fit(_ entries: ValueMap, toCases cases: [Schema.Case]) -> Value {
    .map(
      ValueMap(
        entries.map { entry in
          guard let name = entry.key.string, let found = cases.first(where: { $0.name == name })
          else { return (entry.key, entry.value) }
          switch (found.payload, entry.value) {
          case (.single(let node), let value): return (entry.key, fit(value, to: node))
          case (.fields(let fields), .map(let payload)):
            return (entry.key, fit(payload, to: fields))
          default: return (entry.key, entry.value)
          }
        }))
  }

  private func fit(_ value: Value, toStandard name: String) -> Value {
    guard let text = value.string else { return value }
    switch name {
    case "UUID":
      let digits = text.filter { $0 != "-" }
      guard digits.count == 32, let bytes = Self.bytes(hexadecimal: digits) else { return value }
      return .tag(37, .bytes(bytes))
    case "URL": return .tag(32, value)
    default: return value
    }
  }

  private static func bytes(hexadecimal text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var rest = Substring(text)
    while !rest.isEmpty {
      guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
      bytes.append(byte)
      rest = rest.dropFirst(2)
    }
    return bytes
  }

  /// Every action that can be sent, as `case.case`; for completion and help.
  var actionNames: [String] { actions.map(\.name) }

  /// Every action that can be sent, with what it takes.
  var actions: [(name: String, payload: Schema.Payload)] {
    actions(of: schema.root, .none, under: "", visited: [])
  }

  private func actions(
    of node: SchemaNode, _ payload: Schema.Payload, under prefix: String, visited: Set<String>
  ) -> [(name: String, payload: Schema.Payload)] {
    guard case .named(let name) = node, !visited.contains(name),
      case .enumeration(let cases) = schema.types[name]
    else { return prefix.isEmpty ? [] : [(prefix, payload)] }
    return cases.flatMap { found -> [(name: String, payload: Schema.Payload)] in
      let path = prefix.isEmpty ? found.name : "\(prefix).\(found.name)"
      guard case .single(let inner) = found.payload else { return [(path, found.payload)] }
      if case .binding = inner { return [] }
      return actions(of: inner, found.payload, under: path, visited: visited.union([name]))
    }
  }
}
