import SwiftSyntax

/// The stored properties of a struct that are mirrored, in wire order.
struct StoredProperties {
  /// One mirrored property.
  struct Field {
    let name: WireName
    /// How the property is written in code, with backticks if it has them.
    let identifier: String
    /// What holds the value: the property, or the wrapper behind it.
    let storage: String
    /// Whether it has a value before it is read.
    let hasValue: Bool
    let isConstant: Bool
    let isBinding: Bool
  }

  private(set) var fields: [Field] = []
  /// The property that holds the fields which the struct does not know; nil where there is none.
  private(set) var place: String?
  /// Types and initial values, for the generic parameters that they mention.
  private(set) var mentioned: [Syntax] = []

  init(_ block: MemberBlockSyntax, _ report: inout Report) {
    for member in block.members {
      if let condition = member.decl.as(IfConfigDeclSyntax.self) {
        report.conditionalMembers(condition)
      } else if let property = member.decl.as(VariableDeclSyntax.self) {
        add(property, &report)
      }
    }
    report.duplicates(fields.map(\.name), what: "fields")
    fields.sort { WireName.areInOrder($0.name, $1.name) }
  }

  private mutating func add(_ property: VariableDeclSyntax, _ report: inout Report) {
    let modifiers = property.modifiers.map(\.name.tokenKind)
    if modifiers.contains(.keyword(.static)) || modifiers.contains(.keyword(.class)) { return }
    let isLet = property.bindingSpecifier.tokenKind == .keyword(.let)
    let wrapper = property.attributes.wrapper
    let mark = property.attributes.named("Wire")
    let areSeveral = property.bindings.count > 1
    if areSeveral, let mark { report.wireNamesSeveral(mark) }
    for binding in property.bindings where !binding.isComputed {
      guard let pattern = binding.pattern.as(IdentifierPatternSyntax.self) else {
        report.destructured(binding)
        continue
      }
      if report.refuses(property, binding) { continue }
      if binding.isPlace {
        if place != nil { report.secondPlace(binding.pattern, of: "fields") }
        if isLet { report.constantPlace(property) }
        place = pattern.identifier.text
        continue
      }
      if isLet, let value = binding.initializer?.value {
        report.changingConstant(property, binding, value)
        continue
      }
      if pattern.identifier.bare == "digest" { report.clash(pattern.identifier) }
      if wrapper == nil { report.check(property, binding) }
      mentioned += [
        binding.typeAnnotation.map { Syntax($0) }, binding.initializer.map { Syntax($0) },
      ]
      .compactMap { $0 }
      if let wrapper { mentioned.append(Syntax(wrapper.attributeName)) }
      fields.append(
        Field(
          name: WireName(pattern.identifier, areSeveral ? nil : mark, &report),
          identifier: pattern.identifier.text,
          storage: wrapper == nil ? pattern.identifier.text : "_\(pattern.identifier.bare)",
          hasValue: binding.initializer != nil, isConstant: isLet,
          isBinding: property.attributes.named("BindingState") != nil))
    }
  }
}

extension AttributeListSyntax {
  /// The outermost property wrapper: attributes that are no wrapper are the language's, which
  /// begin with a small letter, global actors and our own marks.
  var wrapper: AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first {
      let name = $0.baseName
      return name.first?.isUppercase == true && name != "Wire" && name != "MainActor"
    }
  }
}

extension PatternBindingSyntax {
  /// Whether it is the struct's place for fields that it does not know.
  var isPlace: Bool {
    if let type = typeAnnotation?.type { return type.isNamed("UnknownFields") }
    let call = initializer?.value.as(FunctionCallExprSyntax.self)?.calledExpression
    return call?.as(DeclReferenceExprSyntax.self)?.baseName.text == "UnknownFields"
      || call?.as(MemberAccessExprSyntax.self)?.declName.baseName.text == "UnknownFields"
  }

  /// Whether the property has no storage: observers leave it stored.
  var isComputed: Bool {
    guard let accessors = accessorBlock?.accessors else { return false }
    guard case .accessors(let list) = accessors else { return true }
    return list.contains {
      ![.keyword(.willSet), .keyword(.didSet)].contains($0.accessorSpecifier.tokenKind)
    }
  }
}

extension TypeSyntax {
  /// Whether it is the type of this name, with or without its module.
  func isNamed(_ name: String) -> Bool {
    self.as(IdentifierTypeSyntax.self)?.name.text == name
      || self.as(MemberTypeSyntax.self)?.name.text == name
  }
}
