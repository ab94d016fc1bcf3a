import SwiftParser
import SwiftSyntax

/// The name of a field, case or label on the wire, and those it had before.
struct WireName {
  let name: String
  let aliases: [String]
  /// Where the name stands, for messages.
  let node: Syntax

  /// A name without a `@Wire`.
  init(_ name: String, at node: some SyntaxProtocol) {
    self.name = name
    self.node = Syntax(node)
    aliases = []
  }

  /// The name that `identifier` has, or that its `@Wire` gives it.
  init(_ identifier: TokenSyntax, _ mark: AttributeSyntax?, _ report: inout Report) {
    var name = identifier.bare
    var aliases: [String] = []
    if case .argumentList(let arguments) = mark?.arguments {
      var inAliases = false
      for argument in arguments {
        if argument.label?.text == "aliases" { inAliases = true }
        let text = argument.expression.as(StringLiteralExprSyntax.self)?.representedLiteralValue
        guard let text else {
          report.wireNameIsNoLiteral(argument.expression)
          continue
        }
        if inAliases { aliases.append(text) } else { name = text }
      }
    }
    self.name = name
    self.aliases = aliases
    node = Syntax(identifier)
  }

  /// The name as a literal.
  var literal: String { name.literal }

  /// `, aliases: "a", "b"`, or nothing.
  var aliasArgument: String {
    aliases.isEmpty ? "" : ", aliases: " + aliases.map(\.literal).joined(separator: ", ")
  }

  /// Whether this name's key stands before the other's in a map (RFC 8949, 4.2.1).
  static func areInOrder(_ one: WireName, _ other: WireName) -> Bool {
    let (one, other) = (one.name.utf8, other.name.utf8)
    return one.count == other.count
      ? one.lexicographicallyPrecedes(other) : one.count < other.count
  }
}

extension TokenSyntax {
  /// The identifier without backticks.
  var bare: String { identifier?.name ?? text }

  /// The identifier as an argument's label, where the compiler warns of backticks that are not
  /// needed: only those that begin a parameter, and names that are no words, need them.
  var asLabel: String {
    let isWord = bare.unicodeScalars.allSatisfy { $0.properties.isXIDContinue || $0 == "_" }
    return isWord && !["inout", "var", "let"].contains(bare) ? bare : text
  }
}

extension AttributeListSyntax {
  /// The attribute of this name, with or without its module.
  func named(_ name: String) -> AttributeSyntax? {
    lazy.compactMap { $0.as(AttributeSyntax.self) }.first { $0.baseName == name }
  }
}

extension AttributeSyntax {
  /// The attribute's name without its module and generic arguments.
  var baseName: String {
    if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
    return attributeName.as(IdentifierTypeSyntax.self)?.name.text
      ?? attributeName.trimmedDescription
  }
}

extension String {
  /// The text as a Swift literal.
  var literal: String {
    var result = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.value < 0x20: result += "\\u{\(String(scalar.value, radix: 16))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
