import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@Mirrored`: writes the conformances to `Sendable`, `Equatable` and `Mirrored`, each in an
/// extension of its own, because for a generic type one would not imply the others.
///
/// What the declaration already conforms to is left alone: the compiler says which of the three
/// are missing.
struct MirroredMacro: ExtensionMacro {
  static func expansion(
    of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
    providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
    in context: some MacroExpansionContext
  ) throws -> [ExtensionDeclSyntax] {
    guard let target = MirroredType(declaration, attribute: node, in: context) else { return [] }
    return try ["Sendable", "Equatable", "Mirrored"].compactMap { name in
      guard
        protocols.contains(where: { $0.trimmedDescription.split(separator: ".").last == name[...] })
      else { return nil }
      let module = name == "Mirrored" ? "StateModel" : "Swift"
      let members = name == "Mirrored" ? target.members : []
      let condition = target.generics.condition("\(module).\(name)")
      let body = members.map { "\n\(target.access)\($0)\n" }.joined()
      return try ExtensionDeclSyntax(
        "nonisolated extension \(type.trimmed): nonisolated \(raw: module).\(raw: name)\(raw: condition) {\(raw: body)}"
      )
    }
  }
}

/// `@Wire`: a mark that `@Mirrored` reads; writes nothing.
struct WireMacro: PeerMacro {
  static func expansion(
    of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
    in context: some MacroExpansionContext
  ) throws -> [DeclSyntax] { [] }
}
