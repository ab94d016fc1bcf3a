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
      guard let new = try changed(old) else {
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
  }

  /// The value after the editor; nil when it is the same.
  private static func changed(_ old: Value) throws(ToolFailure) -> Value? {
    let isText = old.string != nil
    let before = old.string ?? ValueText.pretty(old) + "\n"
    let after = try Editor.edit(before, suffix: isText ? "txt" : "json")
    if after == before { return nil }
    if isText { return .text(after) }
    do { return try JSONText.parse(after, form: .extended) } catch {
      throw ToolFailure(
        .failure, "what was written is not JSON: \(error)", advice: "Edit it again.")
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

/// The user's editor, on a file of its own.
enum Editor {
  static func edit(_ text: String, suffix: String) throws(ToolFailure) -> String {
    let environment = ProcessInfo.processInfo.environment
    let editor = environment["VISUAL"] ?? environment["EDITOR"] ?? "vi"
    let file = FileManager.default.temporaryDirectory
      .appendingPathComponent("statecast-\(UInt32.random(in: .min ... .max)).\(suffix)")
    defer { try? FileManager.default.removeItem(at: file) }
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
      return try String(contentsOf: file, encoding: .utf8)
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
