import Foundation
import JSONText
import Showcase
import StateModel
import StatecastClient
import SyncProtocol

extension Command {
  static let load = Command(
    name: "load", usage: "NAME FILE", summary: "load a JSON file into the workspace (- is stdin)",
    details: "Prints a commit for each of the pieces that a large file is loaded in."
  ) { session in
    try session.expectAtMost(2)
    let name = try session.word(0, "the document's name")
    let path = try session.word(1, "a file")
    let document = try document(path)
    let actions: [Workspace.Action]
    do { actions = try Workspace.Action.loading(document, as: name) } catch {
      throw ToolFailure(.failure, "\(path): \(error)", advice: "Split the text.")
    }
    try await session.connected { (connection) throws(ToolFailure) in
      for action in actions {
        let whole: Value = .map(["workspace": Value(of: action)])
        do throws(ToolFailure) {
          try await session.perform(Entry(.perform(action: whole.encoded())), on: connection)
        } catch {
          throw error.loading(name)
        }
      }
    }
  }

  /// All of a file, also of one that is no plain file: `load NAME <(curl …)`.
  private static func contents(of path: String) throws -> Data {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    return try file.readToEnd() ?? Data()
  }

  private static func document(_ path: String) throws(ToolFailure) -> Value {
    let data: Data
    let shown = path == "-" ? "standard input" : path
    var isFolder: ObjCBool = false
    if path != "-", FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
      isFolder.boolValue
    {
      throw ToolFailure(
        .failure, "\(path) cannot be read: it is a folder", advice: "Name a file in it.")
    }
    do {
      data =
        path == "-"
        ? FileHandle.standardInput.readDataToEndOfFile()
        : try contents(of: path)
    } catch {
      throw ToolFailure(
        .failure, "\(path) cannot be read: \(error.localizedDescription)",
        advice: "Is it there, and may you read it?")
    }
    // Under its name in the workspace.
    do { return try JSONText.parse(Array(data), depth: Workspace.maximumDepth - 1) } catch {
      throw ToolFailure(
        .failure,
        "\(shown) \(error.code == .tooDeep ? "cannot be loaded" : "is not JSON"): \(error)",
        advice: path == "-" ? "Mend what was piped in." : "Mend the file.")
    }
  }
}

extension ToolFailure {
  /// Of a document that is loaded: the action is this tool's own, so no schema helps.
  fileprivate func loading(_ name: String) -> ToolFailure {
    guard code == .refused,
      message.hasPrefix("the action was not applied: invalid: a document's name")
    else { return self }
    var failure = self
    failure.advice = "Choose another name for the document."
    return failure
  }
}
