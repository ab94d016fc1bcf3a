package import StateModel
package import SyncProtocol

/// Entries for the showcase's workspace, as any client would send them: what drives a daemon in the
/// integration tests, the torture and the demonstration.
package enum WorkspaceEntry {
  /// Puts a whole document under a name.
  package static func load(_ name: String, _ document: Value) -> Entry {
    act("load", ["name": .text(name), "document": document])
  }

  /// Puts a value at a path.
  package static func set(_ path: String, _ value: Value) -> Entry {
    act("set", ["path": .text(path), "value": value])
  }

  /// Adds to the number at a path.
  package static func increment(_ path: String, by value: Value = .unsigned(1)) -> Entry {
    act("increment", ["path": .text(path), "by": value])
  }

  /// Adds an element to the end of the array at a path.
  package static func append(_ path: String, _ value: Value) -> Entry {
    act("append", ["path": .text(path), "value": value])
  }

  /// Replaces a piece of the text at a path.
  package static func edit(
    _ path: String, offset: Int, removed: Int, inserted: String
  ) -> Entry {
    act(
      "edit",
      [
        "path": .text(path), "offset": .unsigned(UInt64(offset)),
        "removed": .unsigned(UInt64(removed)), "inserted": .text(inserted),
      ])
  }

  /// Any action of the workspace, encoded as the app's.
  package static func entry(_ action: Value) -> Entry {
    Entry(.perform(action: Value.map(["workspace": action]).encoded()))
  }

  private static func act(_ name: String, _ payload: [String: Value]) -> Entry {
    entry(.map([name: .map(payload)]))
  }
}
