import StateModel
import SyncProtocol

/// Actions of the showcase's workspace.
enum Workspace {
  static func load(_ name: String, _ document: Value) -> Entry {
    act("load", ["name": .text(name), "document": document])
  }

  static func increment(_ path: String) -> Entry {
    act("increment", ["path": .text(path), "by": .unsigned(1)])
  }

  static func edit(_ path: String, offset: Int, removed: Int, inserted: String) -> Entry {
    act(
      "edit",
      [
        "path": .text(path), "offset": .unsigned(UInt64(offset)),
        "removed": .unsigned(UInt64(removed)), "inserted": .text(inserted),
      ])
  }

  /// Any action of the workspace, encoded as the app's.
  static func entry(_ action: Value) -> Entry {
    Entry(.perform(action: Value.map(["workspace": action]).encoded()))
  }

  private static func act(_ name: String, _ payload: [String: Value]) -> Entry {
    entry(.map([name: .map(payload)]))
  }
}
