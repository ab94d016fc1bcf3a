import SwiftSyntax

/// The generic parameters that a mirrored type sees, and what must hold of them.
///
/// Only parameters that a field mentions get a condition: a phantom parameter (`ID<Of>`) needs none.
/// An associated type that a field mentions (`Element.ID`) gets a condition of its own.
struct GenericContext {
  /// `T`, `T.ID`: what must conform for the fields to conform.
  private var subjects: [String] = []

  init(
    _ clause: GenericParameterClauseSyntax?, mentionedIn types: [Syntax], _ around: [Syntax],
    _ report: inout Report
  ) {
    let outer = around.compactMap { scope in
      scope.as(StructDeclSyntax.self)?.genericParameterClause
        ?? scope.as(EnumDeclSyntax.self)?.genericParameterClause
        ?? scope.as(ClassDeclSyntax.self)?.genericParameterClause
        ?? scope.as(ActorDeclSyntax.self)?.genericParameterClause
    }
    var parameters: Set<String> = []
    for clause in [clause].compactMap({ $0 }) + outer {
      for parameter in clause.parameters {
        switch parameter.specifier?.tokenKind {
        case .keyword(.each): report.parameterPack(parameter)
        case .keyword(.let): continue
        default: parameters.insert(parameter.name.text)
        }
      }
    }
    if parameters.isEmpty { return }
    for type in types {
      let finder = MentionFinder(parameters)
      finder.walk(type)
      for subject in finder.mentioned where !subjects.contains(subject) { subjects.append(subject) }
    }
  }

  /// The `where` clause under which the type conforms to `conformance`.
  func condition(_ conformance: String) -> String {
    if subjects.isEmpty { return "" }
    return " where " + subjects.map { "\($0): \(conformance)" }.joined(separator: ", ")
  }
}

/// Finds generic parameters and their associated types in a piece of syntax.
private final class MentionFinder: SyntaxVisitor {
  private let parameters: Set<String>
  private(set) var mentioned: [String] = []

  init(_ parameters: Set<String>) {
    self.parameters = parameters
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
    var base = node.baseType
    while let inner = base.as(MemberTypeSyntax.self) { base = inner.baseType }
    guard let root = base.as(IdentifierTypeSyntax.self), root.genericArgumentClause == nil,
      parameters.contains(root.name.text)
    else { return .visitChildren }
    mentioned.append(node.trimmedDescription)
    return .skipChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    if parameters.contains(node.name.text) { mentioned.append(node.name.text) }
    return .visitChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    if parameters.contains(node.baseName.text) { mentioned.append(node.baseName.text) }
    return .visitChildren
  }
}
