import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// Says to the author what cannot be mirrored, where, and what to do, with a fix-it where one
/// exists. The messages are pinned by tests.
struct Report {
  private let diagnose: (Diagnostic) -> Void
  /// Whether something cannot be mirrored: nothing is written then.
  private(set) var foundErrors = false

  init(_ context: some MacroExpansionContext) { diagnose = { context.diagnose($0) } }

  /// An error at `node`.
  mutating func error(
    _ id: String, _ message: String, at node: some SyntaxProtocol, fixIts: [FixIt] = []
  ) {
    foundErrors = true
    diagnose(
      Diagnostic(node: Syntax(node), message: Message(id: id, message: message), fixIts: fixIts))
  }

  /// A fix that puts `new` in the place of `old`, and keeps what is around it.
  static func replace(
    _ message: String, _ old: some SyntaxProtocol, with new: some SyntaxProtocol
  ) -> FixIt {
    FixIt(
      message: Message(id: "fix", message: message),
      changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
  }

  private struct Message: DiagnosticMessage, FixItMessage {
    let id: String
    let message: String
    var severity: DiagnosticSeverity { .error }
    var diagnosticID: MessageID { MessageID(domain: "Mirrored", id: id) }
    var fixItID: MessageID { diagnosticID }
  }
}
