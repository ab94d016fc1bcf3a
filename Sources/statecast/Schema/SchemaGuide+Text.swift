import StateModel

/// A schema as a person reads it: what can be sent and set, and with what.
extension SchemaGuide {
  /// How deep types are spelt out; what is deeper is told by its name.
  private static let shownDepth = 4

  /// `send tasks.add {"title": text}`, `set settings.theme system|light|dark`.
  var lines: [String] {
    let sent = actions.map { line(for: $0) }
    let set = bindings.names.map { name in
      "set \(name)" + (type(ofFieldNamed: name).map { " \(text(of: $0))" } ?? "")
    }
    return sent + set
  }

  /// `send tasks.add {"title": text}`.
  func line(for action: (name: String, payload: Schema.Payload)) -> String {
    "send \(action.name)" + (payloadText(action.payload).map { " \($0)" } ?? "")
  }

  /// The field's type, whichever element `ID` may stand for.
  private func type(ofFieldNamed name: String) -> SchemaNode? {
    let ids = ["0", "00000000-0000-0000-0000-000000000000"]
    let names = ids.map { id in
      name.split(separator: ".").map { $0 == "ID" ? id : String($0) }.joined(separator: ".")
    }
    return names.lazy.compactMap { bindings.field(named: $0)?.type }.first
  }

  /// Whether a view with this parameter cannot do without: a number, an id or a mirrored type is never
  /// null. What is a text on the wire may be a type of the app's own that takes null, too: that one
  /// the daemon is asked.
  var needsParameter: Bool {
    switch schema.root {
    case .bool, .integer, .float, .bytes, .standard, .array, .set, .named: true
    default: false
    }
  }

  private func payloadText(_ payload: Schema.Payload) -> String? {
    switch payload {
    case .none: nil
    case .single(let node): text(of: node)
    case .fields(let fields): text(of: fields, depth: Self.shownDepth)
    }
  }

  /// What may stand for a type.
  func text(of node: SchemaNode) -> String { text(of: node, depth: Self.shownDepth) }

  private func text(of node: SchemaNode, depth: Int) -> String {
    switch node {
    case .bool: "true|false"
    case .integer, .float: "number"
    case .text, .editedText: "text"
    case .bytes: "bytes"
    case .standard(let name): name
    case .optional(let wrapped): text(of: wrapped, depth: depth) + "|null"
    case .array(let element), .set(let element), .identified(let element):
      "[\(text(of: element, depth: depth)), …]"
    case .map(let key, let value):
      "{\(text(of: key, depth: depth)): \(text(of: value, depth: depth)), …}"
    case .any: "JSON"
    case .named(let name): text(ofTypeNamed: name, depth: depth)
    case .binding: "a field"
    }
  }

  private func text(ofTypeNamed name: String, depth: Int) -> String {
    guard depth > 0 else { return name }
    switch schema.types[name] {
    case nil: return name
    case .structure(let fields): return text(of: fields, depth: depth - 1)
    case .enumeration(let cases):
      return cases.map { found in
        switch found.payload {
        case .none: found.name
        case .single(let node): "{\"\(found.name)\": \(text(of: node, depth: depth - 1))}"
        case .fields(let fields): "{\"\(found.name)\": \(text(of: fields, depth: depth - 1))}"
        }
      }.joined(separator: "|")
    }
  }

  private func text(of fields: [Schema.Field], depth: Int) -> String {
    "{"
      + fields.map { "\"\($0.name)\": \(text(of: $0.type, depth: depth))" }
      .joined(separator: ", ") + "}"
  }
}
