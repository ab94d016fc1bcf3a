import SwiftSyntax

/// The cases of an enum, in the order of their declaration.
struct EnumCases {
  /// One case.
  struct Case {
    let name: WireName
    /// How the case is written in code, with backticks if it has them.
    let identifier: String
    let parameters: [Parameter]

    /// Whether it is the place for cases that the enum does not know.
    let isPlace: Bool

    /// Whether the case carries one unlabelled value, which then stands without a label.
    var isSingle: Bool { parameters.count == 1 && parameters[0].label == nil }
    /// The constructor, spelled so that overloads are told apart.
    var constructor: String {
      "Self.\(identifier)(\(parameters.map { "\($0.label ?? "_"):" }.joined()))"
    }
  }

  /// One value that a case carries.
  struct Parameter {
    /// The label in code.
    let label: String?
    let name: WireName
    /// The expression that stands in for an absent value.
    let missing: String?
  }

  private(set) var cases: [Case] = []
  /// Payload types, for the generic parameters that they mention.
  private(set) var mentioned: [Syntax] = []

  init(_ block: MemberBlockSyntax, _ report: inout Report) {
    for member in block.members {
      if let condition = member.decl.as(IfConfigDeclSyntax.self) {
        report.conditionalMembers(condition)
      } else if let declaration = member.decl.as(EnumCaseDeclSyntax.self) {
        let mark = declaration.attributes.named("Wire")
        let areSeveral = declaration.elements.count > 1
        if areSeveral, let mark { report.wireNamesSeveral(mark) }
        for element in declaration.elements { add(element, areSeveral ? nil : mark, &report) }
      }
    }
    report.duplicates(cases.filter { !$0.isPlace }.map(\.name), what: "cases")
  }

  private mutating func add(
    _ element: EnumCaseElementSyntax, _ mark: AttributeSyntax?, _ report: inout Report
  ) {
    var parameters: [Parameter] = []
    for (index, parameter) in (element.parameterClause?.parameters ?? []).enumerated() {
      report.check(parameter.type, of: "the payload of '\(element.name.bare)'")
      mentioned.append(Syntax(parameter.type))
      let label = parameter.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0 }
      parameters.append(
        Parameter(
          label: label?.asLabel, name: WireName(label?.bare ?? "_\(index)", at: parameter),
          missing: parameter.defaultValue?.value.trimmedDescription))
    }
    report.duplicates(parameters.map(\.name), what: "labels")
    let isPlace = (element.parameterClause?.parameters ?? []).contains {
      $0.type.isNamed("UnknownCase")
    }
    if isPlace {
      if parameters.count != 1 || parameters[0].label != nil { report.placeOfSeveral(element) }
      if cases.contains(where: \.isPlace) { report.secondPlace(element.name, of: "cases") }
    }
    cases.append(
      Case(
        name: WireName(element.name, mark, &report), identifier: element.name.text,
        parameters: parameters, isPlace: isPlace))
  }
}
