import SwiftDiagnostics
import SwiftSyntax

/// What a stored property cannot be.
extension Report {
  /// Whether the property's storage is of a kind that cannot be read and written like a value.
  mutating func refuses(_ property: VariableDeclSyntax, _ binding: PatternBindingSyntax) -> Bool {
    let name = binding.pattern.trimmedDescription
    for modifier in property.modifiers {
      switch modifier.name.tokenKind {
      case .keyword(.lazy):
        error(
          "lazy",
          "the lazy property '\(name)' cannot be mirrored: it has no value until it is read; "
            + "remove 'lazy', or compute it",
          at: modifier, fixIts: [remove(modifier, from: property)])
        return true
      case .keyword(.weak), .keyword(.unowned):
        error(
          "reference",
          "the \(modifier.name.text) property '\(name)' cannot be mirrored: a reference means "
            + "nothing in another process; keep the id of what it refers to",
          at: modifier)
        return true
      default: continue
      }
    }
    return false
  }

  private func remove(_ modifier: DeclModifierSyntax, from property: VariableDeclSyntax) -> FixIt {
    var without = property
    without.modifiers = property.modifiers.filter { $0.id != modifier.id }
    without.leadingTrivia = property.leadingTrivia
    return Self.replace("remove '\(modifier.name.text)'", property, with: without)
  }

  /// The protocol has a property of its own by this name.
  mutating func clash(_ identifier: TokenSyntax) {
    error(
      "clash",
      "'\(identifier.bare)' is what 'Mirrored' calls the value's own digest: give the property "
        + "another name, and '@Wire(\"\(identifier.bare)\")' to keep it on the wire",
      at: identifier)
  }

  /// `let (a, b) = …` hides the fields.
  mutating func destructured(_ binding: PatternBindingSyntax) {
    error(
      "destructured",
      "mirrored fields must be declared one by one, not as the tuple "
        + "'\(binding.pattern.trimmedDescription)'",
      at: binding.pattern)
  }

  /// `let id = UUID()` would be another value in each process.
  mutating func changingConstant(
    _ property: VariableDeclSyntax, _ binding: PatternBindingSyntax, _ value: ExprSyntax
  ) {
    let finder = CallFinder(viewMode: .sourceAccurate)
    finder.walk(value)
    guard finder.found else { return }
    var isStatic = property
    isStatic.leadingTrivia = []
    isStatic.modifiers.append(
      DeclModifierSyntax(name: .keyword(.static, trailingTrivia: .space)))
    isStatic.leadingTrivia = property.leadingTrivia
    error(
      "constant",
      "'let \(binding.pattern.trimmedDescription)' would get a value of its own in each process: "
        + "a 'let' with a value is not mirrored; make it 'var' to mirror it, or 'static let' if it "
        + "is a constant",
      at: property.bindingSpecifier,
      fixIts: [
        Self.replace(
          "make it 'var'", property.bindingSpecifier,
          with: property.bindingSpecifier.with(\.tokenKind, .keyword(.var))),
        Self.replace("make it 'static let'", property, with: isStatic),
      ])
  }

  /// Checks the type or, where it is left to the compiler, the initial value.
  mutating func check(_ property: VariableDeclSyntax, _ binding: PatternBindingSyntax) {
    let subject = "the property '\(binding.pattern.trimmedDescription)'"
    let annotated =
      binding.typeAnnotation?.type
      // `var a, b: Int`: the annotation stands at the last.
      ?? (binding.initializer == nil
        ? property.bindings.lazy.compactMap { $0.typeAnnotation?.type }.last : nil)
    if let annotated {
      check(annotated, of: subject)
    } else if let value = binding.initializer?.value {
      if value.is(ClosureExprSyntax.self) { function(at: value, of: subject) }
      if let tuple = value.as(TupleExprSyntax.self), tuple.elements.count != 1 {
        self.tuple(at: value, of: subject)
      }
    }
  }

  /// Checks the type that `subject` has.
  mutating func check(_ type: TypeSyntax, of subject: String) {
    if let optional = type.as(ImplicitlyUnwrappedOptionalTypeSyntax.self) {
      error(
        "unwrapped",
        "\(subject) cannot be mirrored as '\(type.trimmedDescription)': a peer may send null; "
          + "use '\(optional.wrappedType.trimmedDescription)?'",
        at: type,
        fixIts: [
          Self.replace(
            "replace '!' by '?'", type,
            with: OptionalTypeSyntax(wrappedType: optional.wrappedType)
              .with(\.trailingTrivia, type.trailingTrivia))
        ])
      return
    }
    let finder = UnmirrorableTypeFinder(viewMode: .sourceAccurate)
    finder.walk(type)
    for type in finder.functions { function(at: type, of: subject) }
    for type in finder.tuples { tuple(at: type, of: subject) }
    for type in finder.existentials { existential(at: type, of: subject) }
  }

  private mutating func function(at node: some SyntaxProtocol, of subject: String) {
    error(
      "function",
      "\(subject) holds a function, which cannot be mirrored: keep the data that the function "
        + "needs, or send an action",
      at: node)
  }

  private mutating func tuple(at node: some SyntaxProtocol, of subject: String) {
    error(
      "tuple",
      "\(subject) holds a tuple, which cannot be mirrored: declare a '@Mirrored' struct with these "
        + "fields",
      at: node)
  }

  private mutating func existential(at node: some SyntaxProtocol, of subject: String) {
    error(
      "existential",
      "\(subject) holds '\(node.trimmedDescription)', whose type another process cannot know: use "
        + "a '@Mirrored' enum of the types it can be, or 'Value'",
      at: node)
  }
}

/// Looks for calls and closures: their result may differ from process to process.
private final class CallFinder: SyntaxVisitor {
  private(set) var found = false

  override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
    found = true
    return .skipChildren
  }

  override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind {
    found = true
    return .skipChildren
  }
}

/// Looks for functions, tuples and existentials anywhere in a type.
private final class UnmirrorableTypeFinder: SyntaxVisitor {
  private(set) var functions: [FunctionTypeSyntax] = []
  private(set) var tuples: [TupleTypeSyntax] = []
  private(set) var existentials: [TypeSyntax] = []

  override func visit(_ node: FunctionTypeSyntax) -> SyntaxVisitorContinueKind {
    functions.append(node)
    return .skipChildren
  }

  override func visit(_ node: TupleTypeSyntax) -> SyntaxVisitorContinueKind {
    // Parentheses around one type are no tuple.
    if node.elements.count == 1, node.elements.first?.firstName == nil { return .visitChildren }
    tuples.append(node)
    return .skipChildren
  }

  override func visit(_ node: SomeOrAnyTypeSyntax) -> SyntaxVisitorContinueKind {
    existentials.append(TypeSyntax(node))
    return .skipChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    if ["Any", "AnyObject", "AnyHashable"].contains(node.name.text) {
      existentials.append(TypeSyntax(node))
    }
    return .visitChildren
  }
}
