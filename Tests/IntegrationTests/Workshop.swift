import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol

/// What the integration tests share: the built daemon, and the workspace's actions.
enum Workshop {
  static let daemon = Products.path("statecastd")
  static let tool = Products.path("statecast")

  /// Mirrors a part of the workspace.
  static func mirror(
    _ connection: DaemonConnection, path: String = ""
  ) async -> MirrorProbe {
    await MirrorProbe.of("workspace", parameters: .text(path), on: connection)
  }

  /// Puts a value at a path of the workspace.
  static func set(_ path: String, _ value: Value) -> Entry {
    act("set", ["path": .text(path), "value": value])
  }

  /// Adds to the number at a path.
  static func increment(_ path: String, by value: Value = .unsigned(1)) -> Entry {
    act("increment", ["path": .text(path), "by": value])
  }

  /// Loads a whole document.
  static func load(_ name: String, _ document: Value) -> Entry {
    act("load", ["name": .text(name), "document": document])
  }

  private static func act(_ name: String, _ payload: [String: Value]) -> Entry {
    let action: Value = .map(["workspace": .map([name: .map(payload)])])
    return Entry(.perform(action: action.encoded()))
  }
}
