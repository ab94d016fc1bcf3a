import JSONText
import StateModel
import StatecastClient
import SyncProtocol

extension Command {
  static let get = Command(
    name: "get", usage: "VIEW [PARAMETERS]", summary: "print a view's value once"
  ) { session in
    try session.expectAtMost(2)
    let view = try session.word(0, "the name of a view")
    try await session.connected { (connection) throws(ToolFailure) in
      let parameters = try await session.parameters(of: view, connection)
      let value = try await connection.value(of: view, parameters: parameters)
      try session.output.line(
        session.output.isTerminal || session.arguments.flags.contains("pretty")
          ? ValueText.pretty(value) : ValueText.compact(value))
    }
  }
}

extension Session {
  /// The second word as the view's parameters, fitted to their type.
  func parameters(
    of view: String, _ connection: DaemonConnection
  ) async throws(ToolFailure) -> Value {
    guard words.count > 1 else { return .null }
    let value = try ActionText.json(words[1])
    guard let guide = try await DaemonSchema.of(connection).views[view]?.parameters else {
      return value
    }
    return guide.fit(value, to: guide.schema.root)
  }
}

extension DaemonConnection {
  /// A view's value, once.
  func value(of view: String, parameters: Value) async throws(ToolFailure) -> Value {
    do {
      return try await fetch(view, parameters: parameters).value
    } catch {
      throw ToolFailure(error)
    }
  }
}
