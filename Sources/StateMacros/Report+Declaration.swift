import SwiftDiagnostics
import SwiftSyntax

/// What a declaration as a whole cannot be.
extension Report {
  /// Only values are mirrored: a class, an actor or a protocol is not one.
  mutating func notAValue(_ declaration: some DeclGroupSyntax, _ attribute: AttributeSyntax) {
    if let declaration = declaration.as(ClassDeclSyntax.self) {
      error(
        "class",
        "'@Mirrored' cannot be on the class '\(declaration.name.text)': a state is a value; "
          + "make it a struct",
        at: declaration.classKeyword,
        fixIts: [structInstead(of: declaration.classKeyword)])
    } else if let declaration = declaration.as(ActorDeclSyntax.self) {
      error(
        "actor",
        "'@Mirrored' cannot be on the actor '\(declaration.name.text)': a state is a value; "
          + "make it a struct",
        at: declaration.actorKeyword,
        fixIts: [structInstead(of: declaration.actorKeyword)])
    } else {
      error(
        "declaration",
        "'@Mirrored' can only be on a struct or an enum: put it on the types themselves",
        at: attribute)
    }
  }

  private func structInstead(of keyword: TokenSyntax) -> FixIt {
    Self.replace(
      "replace '\(keyword.text)' by 'struct'", keyword,
      with: keyword.with(\.tokenKind, .keyword(.struct)))
  }

  /// The extensions stand beside the outermost type: they do not see what is private in a type.
  mutating func refuseHidden(
    _ modifiers: DeclModifierListSyntax, _ around: [Syntax], _ attribute: AttributeSyntax
  ) {
    func hidden(_ modifiers: DeclModifierListSyntax) -> DeclModifierSyntax? {
      modifiers.first { $0.name.tokenKind == .keyword(.private) && $0.detail == nil }
    }
    if !around.isEmpty, let modifier = hidden(modifiers) {
      error(
        "private",
        "a mirrored type within another cannot be 'private': its conformances would not see it; "
          + "make it 'fileprivate'",
        at: modifier,
        fixIts: [
          Self.replace(
            "replace 'private' by 'fileprivate'", modifier.name,
            with: modifier.name.with(\.tokenKind, .keyword(.fileprivate)))
        ])
    }
    for scope in around.dropLast() {
      let modifiers = scope.asProtocol((any WithModifiersSyntax).self)?.modifiers
      guard let modifiers, hidden(modifiers) != nil else { continue }
      error(
        "private-scope",
        "a mirrored type cannot stand within a 'private' type of another type: its conformances "
          + "would not see it; make the type around it 'fileprivate'",
        at: attribute)
    }
  }

  /// A mirror is a copy.
  mutating func refuseNonCopyable(_ clause: InheritanceClauseSyntax?) {
    for inherited in clause?.inheritedTypes ?? [] {
      if let type = inherited.type.as(SuppressedTypeSyntax.self) {
        error(
          "suppressed",
          "a mirrored type must be copyable: remove '\(type.trimmedDescription)'", at: type)
      }
    }
  }

  /// Packs have no wire form.
  mutating func parameterPack(_ parameter: GenericParameterSyntax) {
    error(
      "pack",
      "the parameter pack '\(parameter.name.text)' cannot be mirrored: "
        + "use a fixed number of parameters",
      at: parameter)
  }

  /// Two programs that mirror each other may be compiled under other conditions.
  mutating func conditionalMembers(_ condition: IfConfigDeclSyntax) {
    for clause in condition.clauses {
      guard case .decls(let members) = clause.elements else { continue }
      for member in members {
        if let inner = member.decl.as(IfConfigDeclSyntax.self) {
          conditionalMembers(inner)
        } else if member.decl.is(EnumCaseDeclSyntax.self) || isStored(member.decl) {
          error(
            "conditional",
            "a mirrored field or case cannot stand in '#if': both processes must have it; "
              + "move it out of the '#if'",
            at: member.decl)
        }
      }
    }
  }

  private func isStored(_ declaration: DeclSyntax) -> Bool {
    guard let property = declaration.as(VariableDeclSyntax.self) else { return false }
    return !property.modifiers.contains { $0.name.tokenKind == .keyword(.static) }
      && property.bindings.contains { !$0.isComputed }
  }

  /// Names in one map must differ, those of earlier days too.
  mutating func duplicates(_ names: [WireName], what: String) {
    var seen: Set<String> = []
    for name in names {
      for text in [name.name] + name.aliases where !seen.insert(text).inserted {
        error(
          "duplicate",
          "two \(what) are named '\(text)' on the wire: give one of them another name"
            + (what == "labels" ? "" : " with '@Wire(\"…\")'"),
          at: name.node)
      }
    }
  }

  /// What is unknown has one place.
  mutating func secondPlace(_ name: some SyntaxProtocol, of what: String) {
    error(
      "place-second",
      "'\(name.trimmedDescription)' is a second place for unknown \(what): one is enough", at: name)
  }

  /// A mirror changes what is in the place.
  mutating func constantPlace(_ property: VariableDeclSyntax) {
    error(
      "place-constant", "the place for unknown fields must be a 'var': a mirror changes it",
      at: property.bindingSpecifier)
  }

  /// The case is written as it came, and not as one of the enum's.
  mutating func placeOfSeveral(_ element: EnumCaseElementSyntax) {
    error(
      "place-several",
      "the case for unknown cases carries an 'UnknownCase' alone, and without a label: "
        + "'case \(element.name.text)(UnknownCase)'",
      at: element.name)
  }

  /// A mark on a declaration of several would give all of them one name.
  mutating func wireNamesSeveral(_ attribute: AttributeSyntax) {
    error(
      "wire-several", "'@Wire' names one field or case: declare each on a line of its own",
      at: attribute)
  }

  /// The names must be known when the code is written.
  mutating func wireNameIsNoLiteral(_ expression: ExprSyntax) {
    error(
      "wire-literal", "a name on the wire must be a text literal without interpolation",
      at: expression)
  }
}
