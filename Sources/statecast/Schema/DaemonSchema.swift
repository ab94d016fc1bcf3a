import StateModel
import StatecastClient
import SyncProtocol

/// What a daemon says of its types: its answer to `schema`.
struct DaemonSchema {
  var action: SchemaGuide
  var state: SchemaGuide
  var views: [String: (state: SchemaGuide, parameters: SchemaGuide?)]

  /// The names of the views that need nothing more to be shown.
  var viewsWithoutParameters: [String] {
    views.filter { $0.value.parameters == nil }.keys.sorted()
  }

  /// Asks the daemon.
  static func of(_ connection: DaemonConnection) async throws(ToolFailure) -> DaemonSchema {
    let reply = try await connection.asked(.schema)
    guard case .value(let value) = reply.body, let action = schema(value["action"]),
      let state = schema(value["state"])
    else {
      throw ToolFailure(
        .failure, "the daemon's schema is not understood",
        advice: "Is this tool of the same version as the daemon?")
    }
    var views: [String: (state: SchemaGuide, parameters: SchemaGuide?)] = [:]
    for entry in value["views"]?.entries ?? ValueMap() {
      guard let name = entry.key.string, let state = schema(entry.value["state"]) else { continue }
      views[name] = (state, schema(entry.value["parameters"]))
    }
    return DaemonSchema(action: action, state: state, views: views)
  }

  private static func schema(_ value: Value?) -> SchemaGuide? {
    guard let value, let schema = try? Schema(encoded: value.encoded()) else { return nil }
    return SchemaGuide(schema: schema)
  }
}

extension DaemonConnection {
  /// Asks, and makes a refusal a failure.
  func asked(_ body: Request.Body) async throws(ToolFailure) -> Reply {
    let reply: Reply
    do { reply = try await ask(body) } catch { throw ToolFailure(error) }
    if reply.header.code != .ok { throw refusal(reply) }
    return reply
  }

  /// What a reply refuses, as a failure.
  func refusal(_ reply: Reply) -> ToolFailure {
    var text = ""
    if case .text(let sentence) = reply.body { text = sentence }
    return ToolFailure(
      .refused, "the daemon refuses: \(reply.header.code.rawValue), \(text)", advice: "")
  }
}
