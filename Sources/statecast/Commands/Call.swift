import Composable
import JSONText
import StateModel
import StatecastClient
import SyncProtocol

extension Command {
  static let call = Command(
    name: "call", usage: "NAME [ARGUMENT]",
    summary: "call a handle that a client offers, and print what it gives back"
  ) { session in
    try session.expectAtMost(2)
    let name = try session.word(0, "the name of a handle")
    let argument = session.words.count > 1 ? try ActionText.json(session.words[1]) : Value.null
    let client = try session.client()
    let timeout = try session.timeout()
    try await session.connected { (connection) throws(ToolFailure) in
      let found = try await session.handles(named: name, on: connection)
      guard let handle = found.first(where: { client == nil || $0.owner == client }) else {
        let whose = client.map { " of client \($0)" } ?? ""
        throw ToolFailure(
          .gone, "no handle \(name)\(whose) is offered",
          advice: "`statecast get refresh` shows which handles there are.")
      }
      if client == nil, found.count > 1 {
        throw .usage(
          "\(found.count) clients offer \(name): say whose with --client, "
            + found.map { "\($0.owner)" }.joined(separator: " or "))
      }
      do {
        let result = try await connection.call(
          handle, argument, returning: Value.self, deadline: timeout)
        try session.output.line(JSONText.display(result))
      } catch let failure as CallFailure {
        throw ToolFailure(failure, handle: name)
      } catch let failure as ToolFailure {
        throw failure
      } catch {
        throw ToolFailure(.failure, "\(error)", advice: "")
      }
    }
  }
}

extension Session {
  /// Whose handle is wanted.
  fileprivate func client() throws(ToolFailure) -> UInt64? {
    guard let text = arguments.options["client"] else { return nil }
    guard let number = UInt64(text) else {
      throw .usage("--client takes a client's number, not \(text)")
    }
    return number
  }

  /// The handles of this name in the daemon's views that take no parameters.
  fileprivate func handles(
    named name: String, on connection: DaemonConnection
  ) async throws(ToolFailure) -> [Handle] {
    let views = try await DaemonSchema.of(connection).views
    var found: [Handle] = []
    for view in views.filter({ $0.value.parameters == nil }).keys.sorted() {
      do throws(ConnectionFailure) {
        Self.collect(name, in: try await connection.fetch(view).value, &found)
      } catch {
        throw ToolFailure(error)
      }
    }
    return found
  }

  private static func collect(_ name: String, in value: Value, _ found: inout [Handle]) {
    switch value {
    case .array(let elements): for element in elements { collect(name, in: element, &found) }
    case .map(let entries):
      if let handle = try? Handle(encoded: value.encoded()) {
        if handle.name == name, !found.contains(handle) { found.append(handle) }
        return
      }
      for entry in entries { collect(name, in: entry.value, &found) }
    default: break
    }
  }
}
