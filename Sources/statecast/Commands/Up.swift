import Foundation
import Processes
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
    if let app = session.arguments.options["app"] {
      throw ToolFailure(
        .usage, "up starts statecastd, not the daemon of \(app)",
        advice: "Start that by its program; `statecast attach --app \(app)` attaches to it.")
    }
    guard session.output.isTerminal, isatty(STDIN_FILENO) == 1 else {
      for name in DaemonLauncher.options where session.arguments.options[name] != nil {
        throw ToolFailure(
          .usage,
          "without a terminal up plays a session in a folder of its own, and takes no --\(name)",
          advice: "Start the daemon by itself: statecastd --\(name) "
            + "\(session.arguments.options[name] ?? "")")
      }
      try await DemoSession.play(session)
      return
    }
    if await session.isAnswered() {
      session.output.note("statecastd runs already at \(session.endpoints.requests).")
    } else {
      let daemon = try DaemonLauncher.start(session)
      try await session.waitUntilAnswered(by: daemon)
      session.output.note(
        daemon.process.ending == nil
          ? "statecastd is started; its log is \(daemon.log)."
          : "statecastd was started by somebody else; it is at \(session.endpoints.requests).")
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

  /// Waits for a daemon that was started just now, for half a minute, unless it ends before.
  func waitUntilAnswered(by daemon: StartedDaemon) async throws(ToolFailure) {
    for _ in 0..<60 {
      if await isAnswered(within: .milliseconds(500)) { return }
      if daemon.process.ending == nil { continue }
      // Somebody else was quicker: that daemon has the lock, and answers in a moment.
      if let folder = lockFolder, DaemonLock.holder(in: folder) != nil { continue }
      for line in daemon.lastLines { output.note(line) }
      throw ToolFailure(
        .unreachable, "statecastd was started and has ended at once",
        advice: "Mend what it says above; its log is \(daemon.log).")
    }
    throw ToolFailure(
      .unreachable, "statecastd was started and does not answer",
      advice: "Look at \(daemon.log).")
  }
}

/// A daemon that outlives this tool, and what it said since it was started.
struct StartedDaemon {
  let process: StartedProgram
  let log: String
  /// How long the log was before.
  let logged: UInt64

  private static let shownLines = 10

  /// The end of what it has written to its log.
  var lastLines: [String] {
    guard let file = FileHandle(forReadingAtPath: log), (try? file.seek(toOffset: logged)) != nil,
      let data = try? file.readToEnd()
    else { return [] }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").suffix(Self.shownLines)
      .map(String.init)
  }
}

/// Starts the daemon that is installed beside this tool.
enum DaemonLauncher {
  /// What `up` hands on to the daemon.
  static let options = [
    "folder", "requests", "publications", "state-directory", "mode", "config",
  ]

  /// Starts it in a session of its own, so that it outlives the terminal.
  static func start(_ session: Session) throws(ToolFailure) -> StartedDaemon {
    let log =
      (session.arguments.options["state-directory"] ?? stateFolder()) + "/statecastd.log"
    var arguments: [String] = []
    for name in options {
      if let value = session.arguments.options[name] { arguments += ["--" + name, value] }
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: log)
    let logged = (attributes?[.size] as? NSNumber)?.uint64Value ?? 0
    let process = try run(
      ProgramPlan(try daemon(), arguments).with { $0.hasOwnSession = true }, log: log)
    return StartedDaemon(process: process, log: log, logged: logged)
  }

  /// Starts it as a child of this process, which ends it.
  static func startChild(
    _ arguments: [String], log: String
  ) throws(ToolFailure) -> StartedProgram {
    try run(ProgramPlan(try daemon(), arguments).with { $0.endsWithParent = true }, log: log)
  }

  /// Runs a daemon that is not to serve: it says what there is to say. Gives its exit code.
  ///
  /// - Parameter program: nil is the one beside this tool.
  static func runToEnd(_ program: String?, _ arguments: [String]) throws(ToolFailure) -> Int32 {
    let program = if let program { program } else { try daemon() }
    let plan = ProgramPlan(program, arguments).with {
      $0.input = STDIN_FILENO
      $0.output = STDOUT_FILENO
      $0.error = STDERR_FILENO
    }
    do throws(ProgramFailure) {
      return try StartedProgram(plan).waitBlocking().status
    } catch {
      throw ToolFailure(
        .failure, error.description, advice: "Name the app's daemon with --daemon.")
    }
  }

  private static func daemon() throws(ToolFailure) -> String {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    let daemon = own.deletingLastPathComponent().appendingPathComponent("statecastd").path
    guard FileManager.default.isExecutableFile(atPath: daemon) else {
      throw ToolFailure(
        .failure, "there is no statecastd beside this tool (\(daemon))",
        advice: "Build it: make build.")
    }
    return daemon
  }

  /// Its standard output is the line for whoever waits for it to be ready; the log has that already.
  private static func run(
    _ plan: ProgramPlan, log: String
  ) throws(ToolFailure) -> StartedProgram {
    do {
      try FileManager.default.createDirectory(
        atPath: (log as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
      // At its end whoever else writes: an earlier daemon may still have it open.
      let descriptor = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else {
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      defer { close(descriptor) }
      return try StartedProgram(plan.with { $0.error = descriptor })
    } catch {
      let reason = (error as? ProgramFailure)?.reason ?? error.localizedDescription
      throw ToolFailure(
        .failure, "statecastd cannot be started: \(reason)",
        advice: "Start it by hand: statecastd --help.")
    }
  }

  /// `$XDG_STATE_HOME/statecast`, else `~/.local/state/statecast`.
  private static func stateFolder() -> String {
    let environment = ProcessInfo.processInfo.environment
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return state + "/statecast"
    }
    // As the daemon finds it; the user's entry in the system's list only where there is none.
    let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? NSHomeDirectory()
    return home + "/.local/state/statecast"
  }
}
