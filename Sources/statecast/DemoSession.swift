import Foundation
import Processes
import StatecastClient
import SyncProtocol
import ZeroMQ

/// What `statecast up` plays without a terminal: a daemon and three client processes in a folder of
/// their own, some actions, and what each mirror holds in the end.
enum DemoSession {
  private static let view = "counter"

  static func play(_ session: Session) async throws {
    let folder = "/tmp/statecast-demo-\(getpid())"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false,
      attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let endpoints = DaemonEndpoints(folder: folder)
    var options = DaemonConnection.Options(endpoints: endpoints)
    options.timeout = .seconds(20)
    let log = folder + "/log"
    let daemon = try DaemonLauncher.startChild(
      ["--folder", folder, "--state-directory", folder + "/state"], log: log)
    defer {
      // Nothing is left running, whatever happened; one that has ended takes no signal.
      daemon.signal(SIGTERM)
      daemon.waitBlocking()
    }
    LastMoment.prepare {
      daemon.signal(SIGTERM)
      // Its own end is waited for, so that it writes nothing into the folder any more.
      daemon.waitBlocking()
      try? FileManager.default.removeItem(atPath: folder)
    }
    session.output.note("A daemon with its journal, and three clients, in \(folder):")
    do {
      let connection = try await DaemonConnection(options)
      _ = try await connection.ask(.stats)
      try await act(folder, session)
      await connection.close()
    } catch {
      LastMoment.waitIfUnderWay()
      let words = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      session.output.note(words)
      throw error
    }
  }

  private static func act(_ folder: String, _ session: Session) async throws {
    let actions = [
      ["set", "counter.step", "5"], ["send", "counter.incrementButtonTapped"],
      ["send", "counter.incrementButtonTapped"], ["send", "counter.decrementButtonTapped"],
    ]
    // The first action tells where the order stands; the mirrors attach while the rest happens.
    let first = try perform(actions[0], folder, session)
    let mirrors = try (1...3).map { _ in
      try start(["mirror", view, "--until", "\(first + actions.count - 1)"], folder)
    }
    defer {
      for mirror in mirrors { mirror.program.signal(SIGTERM) }
    }
    for action in actions.dropFirst() { _ = try perform(action, folder, session) }
    for (index, mirror) in mirrors.enumerated() {
      let pid = mirror.program.pid
      try session.output.line("mirror \(index + 1) (pid \(pid)): \(try finish(mirror))")
    }
  }

  /// Runs a client that acts; gives its commit.
  private static func perform(
    _ action: [String], _ folder: String, _ session: Session
  ) throws -> Int {
    let commit = try finish(try start(action, folder))
    try session.output.line("\(action.joined(separator: " "))  ->  commit \(commit)")
    return Int(commit) ?? 0
  }

  private typealias Client = (program: StartedProgram, output: FileHandle)

  private static func start(_ words: [String], _ folder: String) throws -> Client {
    let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path
    let output = Pipe()
    let plan = ProgramPlan(own, words + ["--folder", folder, "--timeout", "20"]).with {
      $0.output = output.fileHandleForWriting.fileDescriptor
      $0.error = STDERR_FILENO
      $0.endsWithParent = true
    }
    let program = try StartedProgram(plan)
    try? output.fileHandleForWriting.close()
    return (program, output.fileHandleForReading)
  }

  private static func finish(_ client: Client) throws -> String {
    let data = client.output.readDataToEndOfFile()
    let status = client.program.waitBlocking().status
    guard status == 0 else {
      throw ToolFailure(
        .failure, "a client of the demonstration ended with \(status)",
        advice: "Look at what it says above.")
    }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
