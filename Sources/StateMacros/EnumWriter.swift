/// Writes an enum's `Mirrored` members.
struct EnumWriter {
  let cases: [EnumCases.Case]

  /// All but the place for those that the enum does not know.
  private var known: [EnumCases.Case] { cases.filter { !$0.isPlace } }
  private var place: EnumCases.Case? { cases.first(where: \.isPlace) }

  /// The members, without access modifiers.
  var members: [String] {
    [describe, encode, decode, isIdentical, digest, writeDelta, apply]
  }

  private var describe: String {
    let lines = known.map { element -> String in
      let name = element.name.literal
      let former =
        element.name.aliases.isEmpty || element.parameters.isEmpty
        ? "" : "\n    cases.rename(\(name)\(element.name.aliasArgument))"
      if element.parameters.isEmpty { return "    cases.add(\(name))" }
      if element.isSingle { return "    cases.add(\(name), \(element.constructor))" + former }
      let labels = element.parameters.map { "(\($0.name.literal), \($0.missing != nil))" }
      return "    cases.add(\(name), \(element.constructor), "
        + "labels: [\(labels.joined(separator: ", "))])" + former
    }
    return """
      static func describe(in schema: inout StateModel.SchemaBuilder) -> StateModel.SchemaNode {
        schema.enumeration(Self.self) { \(known.isEmpty ? "_" : "cases") in
      \(lines.joined(separator: "\n"))
        }
      }
      """
  }

  private var encode: String {
    let lines = cases.map { element -> String in
      let name = element.name.literal
      var text = "  case \(element.pattern("v")):\n"
      if element.isPlace { return text + "    v0.encode(to: &encoder)" }
      if element.parameters.isEmpty { return text + "    encoder.name(\(name))" }
      text += "    encoder.map(1)\n"
      if element.isSingle { return text + "    encoder.field(\(name), v0)" }
      text += "    encoder.name(\(name))\n    encoder.map(\(element.parameters.count))"
      for (index, parameter) in element.inWireOrder {
        text += "\n    encoder.field(\(parameter.name.literal), v\(index))"
      }
      return text
    }
    return """
      func encode(to encoder: inout StateModel.CBOREncoder) {
        switch self {
      \(lines.joined(separator: "\n"))
        }
      }
      """
  }

  private var decode: String {
    """
    init(from decoder: inout StateModel.CBORDecoder) throws(StateModel.DecodingFailure) {
      let element = try StateModel.CaseReader(&decoder)
      switch element.name {
    \(known.map(decode).joined(separator: "\n"))
      default: \(place.map { "self = .\($0.identifier)(try element.unknown(from: &decoder))" }
        ?? "throw element.unknown")
      }
    }
    """
  }

  private func decode(_ element: EnumCases.Case) -> String {
    let name = element.name.literal
    let names = ([name] + element.name.aliases.map(\.literal)).joined(separator: ", ")
    var text = "  case \(names):\n"
    if element.parameters.isEmpty {
      return text + "    try element.finish()\n    self = .\(element.identifier)"
    }
    if element.isSingle {
      return text + "    self = .\(element.identifier)(try element.payload(from: &decoder))"
    }
    let isInOrder = element.inWireOrder.map(\.index) == Array(element.parameters.indices)
    let arguments = element.parameters.map { parameter in
      (parameter.label.map { "\($0): " } ?? "") + "try fields.read(\(parameter.name.literal)"
        + (parameter.missing.map { ", default: \($0)" } ?? "") + ", from: &decoder)"
    }
    text += "    var fields = try element.fields("
    text += "of: \(name), inOrder: \(isInOrder), from: &decoder)\n"
    text += "    self = .\(element.identifier)(\n      "
    text += arguments.joined(separator: ",\n      ") + ")\n"
    return text + "    try element.finish(&fields, &decoder)"
  }

  private var isIdentical: String {
    // With no value to give, a body would be reported as never executed.
    if cases.isEmpty { return "func isIdentical(to other: Self) -> Bool {}" }
    let lines = cases.map { element -> String in
      let comparisons = element.parameters.indices.map { "l\($0).isIdentical(to: r\($0))" }
      return "  case (\(element.pattern("l")), \(element.pattern("r"))): "
        + (comparisons.isEmpty ? "true" : comparisons.joined(separator: " && "))
    }
    return """
      func isIdentical(to other: Self) -> Bool {
        switch (self, other) {
      \((lines + otherCases("false")).joined(separator: "\n"))
        }
      }
      """
  }

  private var digest: String {
    let lines = cases.map { element -> String in
      let name = element.name.literal
      let pattern = "  case \(element.pattern("v")):"
      if element.isPlace { return "\(pattern) return v0.digest" }
      if element.parameters.isEmpty { return "\(pattern) return .bare(\(name))" }
      if element.isSingle { return "\(pattern) return .payload(\(name), v0)" }
      let fields = element.parameters.enumerated().map {
        "\n    fields.add(\($1.name.literal), v\($0))"
      }
      return "\(pattern)\n    var fields = StateModel.FieldDigest()\(fields.joined())"
        + "\n    return .payload(\(name), fields.digest)"
    }
    return """
      var digest: StateModel.Digest {
        switch self {
      \(lines.joined(separator: "\n"))
        }
      }
      """
  }

  private var writeDelta: String {
    if cases.isEmpty {
      return "func writeDelta(from old: Self, to writer: inout StateModel.DeltaWriter) {}"
    }
    let lines = cases.map { element -> String in
      let name = element.name.literal
      let pattern = "  case (\(element.pattern("new")), \(element.pattern("old"))):"
      if element.isPlace { return "\(pattern) new0.writeDelta(from: old0, to: &writer)" }
      if element.parameters.isEmpty { return "\(pattern) break" }
      if element.isSingle { return "\(pattern) writer.field(\(name), new0, old0)" }
      let fields = element.inWireOrder.map { index, parameter in
        "\n      writer.field(\(parameter.name.literal), new\(index), old\(index))"
      }
      return "\(pattern)\n    writer.payload(\(name)) { writer in\(fields.joined())\n    }"
    }
    return """
      func writeDelta(from old: Self, to writer: inout StateModel.DeltaWriter) {
        switch (self, old) {
      \((lines + otherCases("writer.set(self)")).joined(separator: "\n"))
        }
      }
      """
  }

  private var apply: String {
    if cases.isEmpty {
      return """
        mutating func apply(
          _ change: StateModel.Change, at depth: Int
        ) throws(StateModel.DeltaFailure) {
          switch self {}
        }
        """
    }
    return """
      mutating func apply(
        _ change: StateModel.Change, at depth: Int
      ) throws(StateModel.DeltaFailure) {
        if try self.replace(with: change, at: depth) { return }
        let name = try change.name(at: depth)
        switch (self, name) {
      \(cases.filter { !$0.parameters.isEmpty }.map(apply).joined(separator: "\n"))
      \(known.isEmpty ? "" : "  default: throw change.notTheCase(at: depth)")
        }
      }
      """
  }

  private func apply(_ element: EnumCases.Case) -> String {
    let name = element.name.literal
    let step = element.isPlace ? "_" : name
    var text = "  case (\(element.pattern("v", binding: "var")), \(step)):\n"
    // Without a second owner the payload is changed where it is. A failed change may leave the
    // value half changed.
    if let bare = cases.first(where: \.parameters.isEmpty) {
      text += "    self = .\(bare.identifier)\n"
    }
    if element.isPlace {
      text += "    try change.apply(to: &v0, at: depth)\n"
    } else if element.isSingle {
      text += "    try change.apply(to: &v0, at: depth + 1)\n"
    } else {
      let lines = element.parameters.enumerated().map {
        "    case \($1.name.literal): try change.apply(to: &v\($0), at: depth + 2)\n"
      }
      text += """
            if change.setsWhole(at: depth + 1) {
              self = try change.value(ofCase: \(name))
              return
            }
            switch try change.name(at: depth + 1) {
        \(lines.joined())    default: throw change.noField(at: depth + 1)
            }

        """
    }
    return text + "    self = .\(element.identifier)(\(element.arguments("v")))"
  }

  /// The line for two different cases, where there are two.
  private func otherCases(_ body: String) -> [String] {
    cases.count > 1 ? ["  default: \(body)"] : []
  }
}

extension EnumCases.Case {
  /// The parameters with their indices in the declaration, in wire order.
  var inWireOrder: [(index: Int, parameter: EnumCases.Parameter)] {
    parameters.enumerated().map { (index: $0, parameter: $1) }
      .sorted { WireName.areInOrder($0.parameter.name, $1.parameter.name) }
  }

  /// `.name(let v0, let v1)`.
  func pattern(_ variable: String, binding: String = "let") -> String {
    if parameters.isEmpty { return ".\(identifier)" }
    let list = parameters.enumerated().map { index, parameter in
      (parameter.label.map { "\($0): " } ?? "") + "\(binding) \(variable)\(index)"
    }
    return ".\(identifier)(\(list.joined(separator: ", ")))"
  }

  /// `label: v0, v1`.
  func arguments(_ variable: String) -> String {
    parameters.enumerated().map { index, parameter in
      (parameter.label.map { "\($0): " } ?? "") + "\(variable)\(index)"
    }.joined(separator: ", ")
  }
}
