import Foundation
import StatecastClient
import SyncProtocol
import ZeroMQ

extension Command {
  static let up = Command(
    name: "up", usage: "[VIEW...]",
    summary: "start statecastd unless it runs, and attach (no terminal: play a short session)"
  ) { session in try await bringUp(session) }

  /// Not optimised: LLVM of Swift 6.3.1 crashes when it splits this coroutine.
  @_optimize(none) private static func bringUp(_ session: Session) async throws {
    guard session.output.isTerminal, isatty(STDIN_FILENO) == 1 else {
      try await DemoSession.play(session)
      return
    }
    if await session.isAnswered() {
      session.output.note("statecastd runs already at \(session.endpoints.requests).")
    } else {
      let log = try DaemonLauncher.start(session)
      session.output.note("statecastd is started; its log is \(log).")
      try await session.waitUntilAnswered(log: log)
    }
    try await Command.attach.run(session)
    session.output.note("statecastd goes on; `statecast stop` ends it.")
  }
}

extension Session {
  /// Whether a daemon answers within a moment.
  func isAnswered(within patience: Duration = .milliseconds(700)) async -> Bool {
    var options = DaemonConnection.Options(endpoints: endpoints)
    options.timeout = patience
    guard let connection = try? await DaemonConnection(options) else { return false }
    let isAnswered = (try? await connection.ask(.stats)) != nil
    await connection.close()
    return isAnswered
  }

  /// Waits for a daemon that was started just now.
  func waitUntilAnswered(log: String) async throws(ToolFailure) {
    if await isAnswered(within: .seconds(30)) { return }
    throw ToolFailure(
      .unreachable, "statecastd was started and does not answer", advice: "Look at \(log).")
  }
}

/// Starts the daemon that is installed beside this tool.
enum DaemonLauncher {
  /// Starts it in a session of its own, so that it outlives the terminal; gives the path of its log.
  static func start(_ session: Session) throws(ToolFailure) -> String {
    let log = stateFolder() + "/statecastd.log"
    var arguments: [String] = []
    for name in ["folder", "requests", "publications"] {
      if let value = session.arguments.options[name] { arguments += ["--" + name, value] }
    }
    // Not waited for: whether it came up is seen by asking it, and Foundation would wait for the
    // daemon itself, which holds what it inherited.
    _ = try run("/usr/bin/setsid", [daemon()] + arguments, log: log)
    return log
  }

  /// Starts it as a child of this process, which ends it.
  static func startChild(_ arguments: [String], log: String) throws(ToolFailure) -> Process {
    try run(try daemon(), arguments, log: log)
  }

  private static func daemon() throws(ToolFailure) -> String {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let daemon = own.deletingLastPathComponent().appendingPathComponent("statecastd").path
    guard FileManager.default.isExecutableFile(atPath: daemon) else {
      throw ToolFailure(
        .failure, "there is no statecastd beside this tool (\(daemon))",
        advice: "Build it: swift build -c release --product statecastd.")
    }
    return daemon
  }

  private static func run(
    _ executable: String, _ arguments: [String], log: String
  ) throws(ToolFailure) -> Process {
    do {
      try FileManager.default.createDirectory(
        atPath: (log as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      if !FileManager.default.fileExists(atPath: log) {
        _ = FileManager.default.createFile(
          atPath: log, contents: nil, attributes: [.posixPermissions: 0o600])
      }
      let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: log))
      try handle.seekToEnd()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: executable)
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = handle
      process.standardError = handle
      try process.run()
      return process
    } catch {
      throw ToolFailure(
        .failure, "statecastd cannot be started: \(error.localizedDescription)",
        advice: "Start it by hand: statecastd --help.")
    }
  }

  /// `$XDG_STATE_HOME/statecast`, else `~/.local/state/statecast`.
  private static func stateFolder() -> String {
    let environment = ProcessInfo.processInfo.environment
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return state + "/statecast"
    }
    return NSHomeDirectory() + "/.local/state/statecast"
  }
}
