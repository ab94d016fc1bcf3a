@_spi(PluginMessage) import SwiftCompilerPluginMessageHandling
import SwiftSyntaxMacros

/// Answers the compiler's requests, on the parts of SwiftSyntax that the toolchain ships.
@main
struct Plugin: PluginProvider {
  struct UnknownMacro: Error {
    let name: String
  }

  func resolveMacro(moduleName: String, typeName: String) throws -> any Macro.Type {
    switch typeName {
    case "MirroredMacro": MirroredMacro.self
    case "WireMacro": WireMacro.self
    case "CasePathableMacro": CasePathableMacro.self
    default: throw UnknownMacro(name: typeName)
    }
  }

  static func main() throws {
    try CompilerPluginMessageListener(
      connection: StandardIOMessageConnection(), provider: Plugin()
    ).main()
  }
}
