/// Where the bindings are among an app's actions, made once from its schema: what a `set` by name
/// stands for, and which field an encoded action sets.
///
/// Both ends need it: a daemon to take a `set` from a program that knows no Swift type, a client to
/// know which of its bindings set the same field.
package struct BindingPaths: Sendable {
  /// A binding in an encoded action.
  package struct Found: Equatable, Sendable {
    /// How a person names the field: `counter.step`, `tasks.task.7.title`.
    package var name: String
    /// The action without the value: the same for everything that sets this one field.
    package var key: [UInt8]
    /// Where the value is in the action.
    package var value: Range<Int>
  }

  /// What a payload leads to.
  private enum Target: Sendable {
    case binding([Schema.Field], formerNames: [String: String])
    case type(String)
  }

  /// What a case carries, as far as it leads to a binding.
  private enum Step: Sendable {
    case single(Target)
    /// By label; the others say which element is meant.
    case fields([String: Target], parameters: [Schema.Field])
  }

  private let root: Target?
  private var types: [String: [String: Step]] = [:]
  /// What the cases of a type were called in earlier versions.
  private let formerCases: [String: [String: String]]

  /// The bindings of actions, also under the names that they had in earlier versions.
  package init<Action: Mirrored>(ofAction type: Action.Type) {
    var builder = SchemaBuilder()
    let root = Action.describe(in: &builder)
    self.init(Schema(root: root, types: builder.types), builder.formerNames)
  }

  /// The bindings of the actions that a schema describes; it knows nothing of earlier versions.
  package init(_ schema: Schema) { self.init(schema, FormerNames()) }

  private init(_ schema: Schema, _ formerNames: FormerNames) {
    formerCases = formerNames.cases
    // Types that lead to a binding, to a fixed point: an action may contain itself.
    var leading: Set<String> = []
    func target(_ node: SchemaNode) -> Target? {
      switch node {
      case .binding(let fields):
        .binding(fields, formerNames: formerNames.names(among: fields))
      case .named(let name) where leading.contains(name): .type(name)
      default: nil
      }
    }
    func steps(_ type: Schema.NamedType) -> [String: Step] {
      guard case .enumeration(let cases) = type else { return [:] }
      var steps: [String: Step] = [:]
      for element in cases {
        switch element.payload {
        case .none: continue
        case .single(let node): steps[element.name] = target(node).map { .single($0) }
        case .fields(let fields):
          let targets = fields.compactMap { field in target(field.type).map { (field.name, $0) } }
          guard !targets.isEmpty else { continue }
          steps[element.name] = .fields(
            Dictionary(targets) { first, _ in first },
            parameters: fields.filter { target($0.type) == nil })
        }
      }
      return steps
    }
    var count = -1
    while count < leading.count {
      count = leading.count
      for (name, type) in schema.types where !steps(type).isEmpty { leading.insert(name) }
    }
    for name in leading { types[name] = schema.types[name].map(steps) }
    root = target(schema.root)
  }
}

/// From an action to the field.
extension BindingPaths {
  /// The binding that an encoded action is; nil when it is none. Most actions are told by their
  /// first name or two.
  package func find(in action: [UInt8]) -> Found? {
    guard let root else { return nil }
    var decoder = CBORDecoder(action)
    guard let (name, value) = try? find(root, in: &decoder, under: []) else { return nil }
    return Found(
      name: name.joined(separator: "."),
      key: Array(action[..<value.lowerBound] + action[value.upperBound...]), value: value)
  }

  /// What a case is called today.
  private func today(_ name: String, of type: String) -> String {
    formerCases.isEmpty ? name : formerCases[type]?[name] ?? name
  }

  private typealias Place = (name: [String], value: Range<Int>)

  private func find(
    _ target: Target, in decoder: inout CBORDecoder, under name: [String]
  ) throws(DecodingFailure) -> Place? {
    guard try decoder.peek().major == 5, try decoder.map() == 1 else { return nil }
    try decoder.enter()
    let key = try decoder.text()
    switch target {
    case .binding(let fields, let formerNames):
      let field = formerNames[key] ?? key
      guard fields.contains(where: { $0.name == field }) else { return nil }
      let start = decoder.position
      try decoder.skip()
      // The case that holds the binding is no part of the name.
      return (name.dropLast() + [field], start..<decoder.position)
    case .type(let type):
      let key = today(key, of: type)
      switch types[type]?[key] {
      case nil: return nil
      case .single(let next): return try find(next, in: &decoder, under: name + [key])
      case .fields(let targets, _):
        return try find(targets, in: &decoder, under: name + [key])
      }
    }
  }

  /// Looks into labelled values; those that lead nowhere are part of the name.
  private func find(
    _ targets: [String: Target], in decoder: inout CBORDecoder, under name: [String]
  ) throws(DecodingFailure) -> Place? {
    var name = name
    var inner: [(Target, CBORDecoder)] = []
    for _ in 0..<(try decoder.map()) {
      let label = try decoder.text()
      if let target = targets[label] {
        inner.append((target, decoder))
        try decoder.skip()
      } else {
        name.append(Self.text(of: try Value(encoded: decoder.item())))
      }
    }
    for (target, decoder) in inner {
      var decoder = decoder
      // A binding's own case is dropped from the name, which has no such case here.
      let isBinding = if case .binding = target { true } else { false }
      if let found = try find(target, in: &decoder, under: isBinding ? name + [""] : name) {
        return found
      }
    }
    return nil
  }

  private static func text(of parameter: Value) -> String {
    switch parameter {
    case .text: parameter.string ?? ""
    case .tag(_, let content): text(of: content)
    case .bytes(let bytes):
      bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    default: "\(parameter)"
    }
  }
}

/// From a name to the action.
extension BindingPaths {
  /// The encoding of the action that sets the field of this name to an encoded value:
  /// `{"counter": {"binding": {"step": value}}}`; nil when no field has the name.
  ///
  /// An element of a collection is named by what its case is labelled with: `tasks.task.7.title`.
  /// An id that contains a dot cannot be named; such a field is set by its action.
  package func action(setting name: String, to value: some Collection<UInt8>) -> [UInt8]? {
    guard let root else { return nil }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard let action = action(root, parts[...]) else { return nil }
    var bytes = action.before
    bytes += value
    return bytes + action.after
  }

  /// What the field of this name is; nil when no field has the name.
  package func field(named name: String) -> Schema.Field? {
    let parts = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return root.flatMap { action($0, parts[...])?.field }
  }

  /// The names of all fields, `ID` where an element has to be named: `tasks.task.ID.title`.
  package var names: [String] {
    var names: [String] = []
    func add(_ target: Target, under prefix: [String], within visited: Set<String>) {
      switch target {
      case .binding(let fields, _):
        names += fields.map { (prefix + [$0.name]).joined(separator: ".") }
      case .type(let type):
        guard !visited.contains(type) else { return }
        for (key, step) in (types[type] ?? [:]).sorted(by: { $0.key < $1.key }) {
          switch step {
          case .single(let next):
            let isBinding = if case .binding = next { true } else { false }
            add(
              next, under: isBinding ? prefix : prefix + [key], within: visited.union([type]))
          case .fields(let targets, let parameters):
            for (_, next) in targets.sorted(by: { $0.key < $1.key }) {
              add(
                next, under: prefix + [key] + parameters.map { _ in "ID" },
                within: visited.union([type]))
            }
          }
        }
      }
    }
    if let root { add(root, under: [], within: []) }
    return names
  }

  /// What stands before the value, and behind it.
  private struct Frame {
    var field: Schema.Field
    var before: [UInt8] = []
    var after: [UInt8] = []
  }

  private func action(_ target: Target, _ name: ArraySlice<String>) -> Frame? {
    guard let first = name.first else { return nil }
    switch target {
    case .binding(let fields, let formerNames):
      let today = formerNames[first] ?? first
      guard name.count == 1, let field = fields.first(where: { $0.name == today }) else {
        return nil
      }
      // As it was named: whose name it was is for the action to say.
      return Self.wrapped(first, Frame(field: field))
    case .type(let type):
      guard let steps = types[type] else { return nil }
      // The case that holds the binding is not named.
      for (key, step) in steps.sorted(by: { $0.key < $1.key }) {
        if case .single(let next) = step, case .binding = next, let inner = action(next, name) {
          return Self.wrapped(key, inner)
        }
      }
      let first = today(first, of: type)
      switch steps[first] {
      case nil: return nil
      case .single(let next):
        return action(next, name.dropFirst()).map { Self.wrapped(first, $0) }
      case .fields(let targets, let parameters):
        return fields(targets, parameters, name.dropFirst()).map { Self.wrapped(first, $0) }
      }
    }
  }

  private func fields(
    _ targets: [String: Target], _ parameters: [Schema.Field], _ name: ArraySlice<String>
  ) -> Frame? {
    guard name.count > parameters.count else { return nil }
    var entries: [(label: String, before: [UInt8], after: [UInt8])] = []
    for (parameter, text) in zip(parameters, name) {
      guard let value = Self.value(of: text, as: parameter.type) else { return nil }
      entries.append((parameter.name, value.encoded(), []))
    }
    let rest = name.dropFirst(parameters.count)
    for (label, target) in targets.sorted(by: { $0.key < $1.key }) {
      guard let inner = action(target, rest) else { continue }
      entries.append((label, inner.before, inner.after))
      entries.sort { Schema.areInOrder($0.label, $1.label) }
      var encoder = CBOREncoder()
      encoder.map(entries.count)
      var frame = Frame(field: inner.field, before: encoder.bytes)
      var isBehind = false
      for entry in entries {
        let key = entry.label.encoded()
        if isBehind {
          frame.after += key + entry.before
        } else {
          frame.before += key + entry.before
        }
        if entry.label == label {
          isBehind = true
          frame.after += entry.after
        }
      }
      return frame
    }
    return nil
  }

  private static func wrapped(_ key: String, _ inner: Frame) -> Frame {
    var encoder = CBOREncoder()
    encoder.map(1)
    encoder.text(key)
    return Frame(field: inner.field, before: encoder.bytes + inner.before, after: inner.after)
  }

  /// An id as it is written in a name.
  private static func value(of text: String, as type: SchemaNode) -> Value? {
    switch type {
    case .integer:
      if let number = UInt64(text) { return .unsigned(number) }
      return Int64(text).map { Value(of: $0) }
    case .text: return Value(of: text)
    case .standard("UUID"):
      let digits = text.filter { $0 != "-" }
      let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap { offset in
        UInt8(digits.dropFirst(offset).prefix(2), radix: 16)
      }
      return digits.count == 32 && bytes.count == 16 ? .tag(37, .bytes(bytes)) : nil
    default: return nil
    }
  }
}
