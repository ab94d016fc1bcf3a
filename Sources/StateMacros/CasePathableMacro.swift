import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@CasePathable`: writes the conformance to `Composable.CasePathable`, a property for each case.
///
/// The properties stand in the enum, where the types that its cases name are seen as they are
/// there. They are computed: a generic type has no stored static ones, and paths are told apart by
/// their names.
struct CasePathableMacro: MemberMacro, ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
    conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] {
    guard let declaration = declaration.as(EnumDeclSyntax.self) else { return [] }
    let access = MirroredType.access(declaration.modifiers, context.lexicalContext)
    let elements = declaration.memberBlock.members.flatMap {
      $0.decl.as(EnumCaseDeclSyntax.self).map { Array($0.elements) } ?? []
    }
    let paths = elements.map { path(to: $0, of: declaration.name.text, access) }
    return [
      """
      \(raw: access)struct AllCasePaths: Sendable {
      \(raw: paths.joined(separator: "\n"))
      }
      """,
      "\(raw: access)static var allCasePaths: AllCasePaths { AllCasePaths() }",
    ]
  }

  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    var report = Report(context)
    guard let declaration = declaration.as(EnumDeclSyntax.self) else {
      report.error(
        "cases", "'@CasePathable' can only be on an enum: nothing else has cases", at: node)
      return []
    }
    report.refuseHidden(declaration.modifiers, context.lexicalContext, node)
    if report.foundErrors || protocols.isEmpty { return [] }
    return [
      try ExtensionDeclSyntax(
        "nonisolated extension \(type.trimmed): nonisolated Composable.CasePathable {}")
    ]
  }

  private static func path(
    to element: EnumCaseElementSyntax, of type: String, _ access: String
  ) -> String {
    let name = element.name.text
    let parameters = element.parameterClause.map { Array($0.parameters) } ?? []
    let labels = parameters.map { parameter in
      parameter.firstName.flatMap { $0.tokenKind == .wildcard ? nil : $0.asLabel }
    }
    func list(_ item: (Int) -> String) -> String {
      parameters.indices.map { index in
        (labels[index].map { "\($0): " } ?? "") + item(index)
      }.joined(separator: ", ")
    }
    // A tuple of one is what stands in it.
    let isSingle = parameters.count == 1
    let value =
      isSingle
      ? parameters[0].type.trimmedDescription
      : "(" + list { parameters[$0].type.trimmedDescription } + ")"
    let pattern = parameters.isEmpty ? ".\(name)" : ".\(name)(" + list { "let v\($0)" } + ")"
    let embedded =
      parameters.isEmpty
      ? ".\(name)" : ".\(name)(" + list { isSingle ? "value" : "value.\($0)" } + ")"
    let extracted = isSingle ? "v0" : "(" + list { "v\($0)" } + ")"
    return """
          \(access)var \(name): Composable.CasePath<\(type), \(value)> {
            Composable.CasePath(
              name: "\(element.name.bare)", embed: { \(parameters.isEmpty ? "_ in " : "value in ")\(embedded) },
              extract: { if case \(pattern) = $0 { \(extracted) } else { nil } })
          }
      """
  }
}
