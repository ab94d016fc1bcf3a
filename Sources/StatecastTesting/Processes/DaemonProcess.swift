public import StatecastClient
internal import SyncProtocol
public import ZeroMQ

/// A daemon in a process of its own, in a folder of its own, for integration tests.
///
///     let daemon = try await DaemonProcess.start("tally")
///     let store = try await daemon.testStore("tally", of: Tally.State.self, action: Tally.Action.self)
///     await store.send(.add(2)) { $0.count = 2 }
///     let again = try await daemon.restart()
///
/// It is killed with the last reference to it, and its folder is removed then: a test that fails
/// leaves nothing behind.
public final class DaemonProcess: Sendable {
  /// Why it did not become ready.
  public struct NotReady: Error, CustomStringConvertible {
    /// What happened, with the daemon's log.
    public var description: String
  }

  /// What it was started with.
  struct Command: Sendable {
    var executable: String
    var isDurable: Bool
    var arguments: [String]
    var environment: [String: String]
  }

  /// The process.
  public let process: ChildProcess
  /// Where it is reached.
  public let endpoints: DaemonEndpoints
  /// Where its sockets, its journal and its log are.
  public let folder: ScratchFolder
  private let command: Command

  private init(_ command: Command, in folder: ScratchFolder) throws {
    self.command = command
    self.folder = folder
    endpoints = DaemonEndpoints(folder: folder.path)
    let name = command.executable
    process = try ChildProcess(
      name.contains("/") ? name : Products.path(name),
      [
        "--folder", folder.path, "--state-directory", folder.file("state"), "--mode",
        command.isDurable ? "journal" : "memory",
      ] + command.arguments, name: "daemon", in: folder, environment: command.environment)
  }

  /// Starts a daemon, and returns once it answers.
  ///
  /// - Parameters:
  ///   - executable: the name of an executable target of the package, on which the test target must
  ///     depend; or a path.
  ///   - folder: sockets, journal and log are in it; one of its own unless given.
  ///   - isDurable: whether it keeps a journal.
  public static func start(
    _ executable: String, in folder: ScratchFolder? = nil, isDurable: Bool = true,
    arguments: [String] = [], environment: [String: String] = [:]
  ) async throws -> DaemonProcess {
    let daemon = try launch(
      executable, in: folder ?? ScratchFolder(), isDurable: isDurable, arguments: arguments,
      environment: environment)
    try await daemon.waitUntilReady()
    return daemon
  }

  /// Starts a daemon and does not wait.
  public static func launch(
    _ executable: String, in folder: ScratchFolder, isDurable: Bool = true,
    arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> DaemonProcess {
    try DaemonProcess(
      Command(
        executable: executable, isDurable: isDurable, arguments: arguments,
        environment: environment), in: folder)
  }

  /// Ends it at once (SIGKILL), starts it again in the same folder, where it finds its journal, and
  /// returns once it answers. Who is connected connects again.
  public func restart() async throws -> DaemonProcess {
    await process.kill()
    let daemon = try DaemonProcess(command, in: folder)
    try await daemon.waitUntilReady()
    return daemon
  }

  /// Asks it to end, and waits until it has; `.exited(0)` when all went well.
  @discardableResult
  public func stop() async -> ChildProcess.Ending { await process.terminate() }

  /// What it has logged so far.
  public var log: String { process.errors + process.output }

  /// Waits until it answers a request; throws when it ends before.
  public func waitUntilReady() async throws {
    let (outcomes, outcome) = AsyncStream<Bool>.makeStream()
    let answering = Task { outcome.yield(await answers()) }
    // Not by waiting: that would keep the process alive after its last user is gone.
    process.whenEnded { _ in outcome.yield(false) }
    var first = outcomes.makeAsyncIterator()
    let isReady = await first.next() ?? false
    answering.cancel()
    guard isReady else {
      let end = process.ending.map { "ended: \($0)" } ?? "does not answer"
      throw NotReady(description: "the daemon \(end). Its log:\n\(log)")
    }
  }

  private func answers() async -> Bool {
    var options = DaemonConnection.Options(endpoints: endpoints)
    options.timeout = .seconds(30)
    guard let connection = try? await DaemonConnection(options) else { return false }
    let reply = try? await connection.ask(.stats)
    await connection.close()
    return reply != nil
  }

  /// A connection to it.
  public func connect(isPresent: Bool = false) async throws -> DaemonConnection {
    var options = DaemonConnection.Options(endpoints: endpoints)
    options.timeout = .seconds(20)
    options.isPresent = isPresent
    return try await DaemonConnection(options)
  }
}
