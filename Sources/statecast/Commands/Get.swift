import JSONText
import StateModel
import StatecastClient
import SyncProtocol

extension Command {
  static let get = Command(
    name: "get", usage: "VIEW [PARAMETERS]", summary: "print a view's value once",
    details: """
      At a terminal dates, ids and alerts are shown as a person reads them; piped, or with --json or
      --pretty, every value is whole.
      """
  ) { session in
    try session.expectAtMost(2)
    let view = try session.word(0, "the name of a view")
    try await session.connected { (connection) throws(ToolFailure) in
      let parameters = try await session.parameters(of: view, connection)
      let value = try await connection.value(of: view, parameters: parameters)
      let flags = session.arguments.flags
      let text =
        if flags.contains("pretty") {
          ValueText.pretty(value)
        } else if session.output.isTerminal, !flags.contains("json") {
          ValueText.pretty(ValueText.readable(value))
        } else {
          ValueText.compact(value)
        }
      try session.output.line(text)
    }
  }
}

extension Session {
  /// The second word as the view's parameters, fitted to their type.
  func parameters(
    of view: String, _ connection: DaemonConnection
  ) async throws(ToolFailure) -> Value {
    guard words.count > 1 else {
      // Some views can do without: whether this one can, its type says, and the daemon where that
      // does not.
      guard let guide = try await DaemonSchema.of(connection).views[view]?.parameters,
        guide.needsParameter
      else { return .null }
      throw ToolFailure(
        .usage, "the view \(view) takes a parameter: \(guide.text(of: guide.schema.root))",
        advice: "statecast \(arguments.words[0]) \(view) PARAMETER "
          + "(`statecast views` lists what each takes).")
    }
    guard let guide = try await DaemonSchema.of(connection).views[view]?.parameters else {
      return try ActionText.json(words[1])
    }
    let root = guide.schema.root
    return guide.fit(try ActionText.json(words[1], for: root), to: root)
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
