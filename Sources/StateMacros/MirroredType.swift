import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// The declaration that `@Mirrored` is attached to, with all that was found in it; nil where
/// something cannot be mirrored, which has then been said.
struct MirroredType {
  /// The access modifier of the witnesses, with a space behind it, or empty.
  let access: String
  let generics: GenericContext
  /// The members of the `Mirrored` extension, without access modifiers.
  let members: [String]

  init?(
    _ declaration: some DeclGroupSyntax, attribute: AttributeSyntax,
    in context: some MacroExpansionContext
  ) {
    var report = Report(context)
    if let declaration = declaration.as(StructDeclSyntax.self) {
      let fields = StoredProperties(declaration.memberBlock, &report)
      members = StructWriter(fields: fields.fields, place: fields.place).members
      generics = GenericContext(
        declaration.genericParameterClause, mentionedIn: fields.mentioned,
        context.lexicalContext, &report)
      report.refuseNonCopyable(declaration.inheritanceClause)
      access = Self.access(declaration.modifiers, context.lexicalContext)
    } else if let declaration = declaration.as(EnumDeclSyntax.self) {
      let cases = EnumCases(declaration.memberBlock, &report)
      members = EnumWriter(cases: cases.cases).members
      generics = GenericContext(
        declaration.genericParameterClause, mentionedIn: cases.mentioned,
        context.lexicalContext, &report)
      report.refuseNonCopyable(declaration.inheritanceClause)
      access = Self.access(declaration.modifiers, context.lexicalContext)
    } else {
      report.notAValue(declaration, attribute)
      return nil
    }
    report.refuseHidden(declaration.modifiers, context.lexicalContext, attribute)
    if report.foundErrors { return nil }
  }

  /// A witness must be as visible as its type, and no more than what is around the type.
  static func access(_ modifiers: DeclModifierListSyntax, _ around: [Syntax]) -> String {
    let words: Set = ["public", "package", "internal", "fileprivate", "private"]
    func word(_ modifiers: DeclModifierListSyntax?) -> String? {
      modifiers?.first { words.contains($0.name.text) && $0.detail == nil }?.name.text
    }
    let scopes = around.map { word($0.asProtocol((any WithModifiersSyntax).self)?.modifiers) }
    if scopes.contains("private") || scopes.contains("fileprivate") { return "fileprivate " }
    // A word on an extension holds for what stands in it.
    let inherited = around.first?.is(ExtensionDeclSyntax.self) == true ? scopes.first ?? nil : nil
    switch word(modifiers) ?? inherited {
    case "public": return "public "
    case "package": return "package "
    default: return ""
    }
  }
}
