import JSONText
import Processes
import StateModel
import StatecastClient
import SyncProtocol
import ZeroMQ

extension Command {
  static let views = Command(
    name: "views", usage: "", summary: "list the views that the daemon offers (--json)",
    details: "Behind a view's name stands what it takes as PARAMETERS."
  ) { session in
    try session.expectAtMost(0)
    try await session.connected { (connection) throws(ToolFailure) in
      let schema = try await DaemonSchema.of(connection)
      if session.arguments.flags.contains("json") {
        let views = schema.views.mapValues {
          Value.map(["parameters": .bool($0.parameters != nil)])
        }
        return try session.output.line(
          ValueText.compact(.map(views)))
      }
      for (name, view) in schema.views.sorted(by: { $0.key < $1.key }) {
        try session.output.line(
          name + (view.parameters.map { " " + $0.text(of: $0.schema.root) } ?? ""))
      }
    }
  }

  static let schema = Command(
    name: "schema", usage: "", summary: "list what can be sent and set (--json: the whole schema)"
  ) { session in
    try session.expectAtMost(0)
    try await session.connected { (connection) throws(ToolFailure) in
      if session.arguments.flags.contains("json") {
        guard case .value(let value) = try await connection.asked(.schema).body else { return }
        return try session.output.line(ValueText.compact(value))
      }
      let guide = try await DaemonSchema.of(connection).action
      for line in guide.lines { try session.output.line(line) }
    }
  }

  static let status = Command(
    name: "status", usage: "",
    summary: "print the daemon's figures and who is attached (--json: of all sessions)",
    details: """
      This command's own session is left out. With --json everything is as the daemon counts it;
      "client" is the number of this command's session.
      """
  ) { session in
    try session.expectAtMost(0)
    try await session.connected { (connection) throws(ToolFailure) in
      let reply = try await connection.asked(.stats)
      guard case .value(let figures) = reply.body,
        case .value(let sessions) = try await connection.asked(.sessions).body
      else { return }
      let own = await connection.engine.publicNumber
      if session.arguments.flags.contains("json") {
        let whole: Value = .map([
          "figures": figures, "sessions": sessions, "client": own.map { .unsigned($0) } ?? .null,
        ])
        return try session.output.line(ValueText.compact(whole))
      }
      try session.output.line(StatusText.line("requests", session.endpoints.requests))
      for line in StatusText.lines(figures: figures, sessions: sessions, own: own) {
        try session.output.line(line)
      }
    }
  }

  static let stop = Command(
    name: "stop", usage: "",
    summary: "stop the daemon: it finishes what is under way; waits until it has ended"
  ) { session in
    try session.expectAtMost(0)
    let timeout = try session.timeout()
    // Watched from before it is asked: its number may be another's soon after.
    let pid = session.lockFolder.flatMap { DaemonLock.holder(in: $0) }
    let process = pid.flatMap { OtherProcess($0) }
    do throws(ToolFailure) {
      try await session.connected { (connection) throws(ToolFailure) in
        try await connection.stopDaemon()
        session.output.note("The daemon is stopping.")
      }
      if let pid, let process, !process.ends(within: timeout) {
        session.output.note(
          "It has not ended in time (--timeout): process \(pid) finishes what is under way.")
      }
    } catch {
      var failure = error
      if failure.code == .unreachable {
        // Somebody else has asked for it at the same time: it has ended, and that is all.
        if let process, process.ends(within: timeout) {
          return session.output.note("The daemon has stopped.")
        }
        failure.advice =
          "Nothing is to be stopped there; name another daemon with --folder, --app or --requests."
      }
      throw failure
    }
  }
}

extension DaemonConnection {
  /// Asks the daemon to stop; one that is stopping already takes no requests any more, which is as well.
  fileprivate func stopDaemon() async throws(ToolFailure) {
    let reply: Reply
    do { reply = try await ask(.stop) } catch { throw ToolFailure(error) }
    switch reply.header.code {
    case .ok, .retry: return
    default: throw refusal(reply)
    }
  }
}
