import Foundation
import JSONText
import Showcase
import StateModel
import StatecastClient
import SyncProtocol

extension Command {
  static let edit = Command(
    name: "edit", usage: "PATH", summary: "edit a part of the workspace in $EDITOR: /notes/today"
  ) { session in
    try session.expectAtMost(1)
    let path = try session.word(0, "a path such as /notes/today")
    let pointer: JSONPointer
    do { pointer = try JSONPointer(parsing: path) } catch {
      throw ToolFailure.usage("\(path) is no path: \(error)")
    }
    try await session.connected { (connection) throws(ToolFailure) in
      let old = try await connection.value(of: "workspace", parameters: .text(path))
      let draft = try Draft.edited(
        old.string ?? ValueText.pretty(old) + "\n", suffix: old.string != nil ? "txt" : "json")
      do throws(ToolFailure) {
        try await send(draft, insteadOf: old, at: path, pointer, session, connection)
      } catch {
        throw draft.kept(behind: error)
      }
      draft.remove()
    }
  }

  private static func send(
    _ draft: Draft, insteadOf old: Value, at path: String, _ pointer: JSONPointer,
    _ session: Session, _ connection: DaemonConnection
  ) async throws(ToolFailure) {
    guard let new = try changed(old, draft, depth: Workspace.maximumDepth - pointer.tokens.count)
    else {
      return session.output.note("Nothing was changed.")
    }
    let action: Workspace.Action =
      if let text = new.string, let before = old.string {
        textEdit(path, from: before, to: text)
      } else {
        .set(path: path, value: new)
      }
    let whole: Value = .map(["workspace": Value(of: action)])
    // Somebody may have changed it meanwhile: then nothing is overwritten.
    let expectation = Entry.Expectation(
      path: (["workspace", "documents"] + pointer.tokens).map { $0.encoded() },
      digest: old.digest)
    try await session.perform(
      Entry(.perform(action: whole.encoded()), expectations: [expectation]), on: connection)
  }

  /// The value after the editor; nil when it is the same.
  private static func changed(
    _ old: Value, _ draft: Draft, depth: Int
  ) throws(ToolFailure) -> Value? {
    if draft.text == draft.before { return nil }
    if old.string != nil { return .text(draft.text) }
    do { return try JSONText.parse(Array(draft.text.utf8), form: .extended, depth: depth) } catch {
      let fault = error.code == .tooDeep ? "is too deep" : "is not JSON"
      throw ToolFailure(
        .failure, "what was written \(fault): \(error)", advice: "Edit it again.")
    }
  }

  /// The smallest replacement, on character boundaries, as the workspace counts: in UTF-8 bytes.
  private static func textEdit(
    _ path: String, from old: String, to new: String
  ) -> Workspace.Action {
    let a = Array(old.unicodeScalars)
    let b = Array(new.unicodeScalars)
    var start = 0
    while start < min(a.count, b.count), a[start] == b[start] { start += 1 }
    var end = 0
    while end < min(a.count, b.count) - start, a[a.count - 1 - end] == b[b.count - 1 - end] {
      end += 1
    }
    func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
      String(String.UnicodeScalarView(scalars))
    }
    return .edit(
      path: path, offset: text(a[..<start]).utf8.count,
      removed: text(a[start..<(a.count - end)]).utf8.count,
      inserted: text(b[start..<(b.count - end)]))
  }
}

/// What the user's editor made of a text, in a file of its own until the daemon has it.
struct Draft {
  let file: URL
  let before: String
  let text: String

  func remove() { try? FileManager.default.removeItem(at: file) }

  /// The failure, and where what was written can still be had.
  func kept(behind failure: ToolFailure) -> ToolFailure {
    var failure = failure
    if text == before {
      remove()
    } else {
      failure.advice += (failure.advice.isEmpty ? "" : " ") + "Your text is kept in \(file.path)."
    }
    return failure
  }

  /// The user's editor: VISUAL, then EDITOR, each unless it is empty.
  static func editor(_ environment: [String: String]) -> String {
    ["VISUAL", "EDITOR"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? "vi"
  }

  /// Lets the user edit a text.
  static func edited(_ text: String, suffix: String) throws(ToolFailure) -> Draft {
    let editor = editor(ProcessInfo.processInfo.environment)
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("statecast-\(UInt32.random(in: .min ... .max)).\(suffix)")
    var isWritten = false
    defer { if !isWritten { try? FileManager.default.removeItem(at: file) } }
    do {
      guard
        FileManager.default.createFile(
          atPath: file.path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
      else { throw CocoaError(.fileWriteUnknown) }
      // Not Foundation's Process: it would make a process group of its own, which a terminal stops
      // as soon as the editor reads from it.
      let status = system("\(editor) \(quoted(file.path))")
      guard status == 0 else {
        let exitCode = (status >> 8) & 0xFF
        throw ToolFailure(
          .failure, "the editor \(editor) ended with \(exitCode)",
          advice: "Nothing was changed.")
      }
      let draft = Draft(
        file: file, before: text, text: try String(contentsOf: file, encoding: .utf8))
      isWritten = true
      return draft
    } catch let failure as ToolFailure {
      throw failure
    } catch {
      throw ToolFailure(
        .failure, "the editor \(editor) cannot be used: \(error.localizedDescription)",
        advice: "Set EDITOR.")
    }
  }

  /// A word as the shell takes it.
  private static func quoted(_ text: String) -> String {
    "'" + text.replacingOccurrences(of: "'", with: "'\\''") + "'"
  }
}
