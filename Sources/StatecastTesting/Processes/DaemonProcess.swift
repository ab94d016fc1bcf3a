public import StatecastClient
internal import SyncProtocol
public import ZeroMQ

/// A daemon in a process of its own, in a folder of its own, for integration tests.
///
///     let folder = try ScratchFolder()
///     let daemon = try await DaemonProcess.start(Products.path("statecastd"), in: folder)
///     let store = try await daemon.connect().store("counter", of: …, action: …)
///
/// Started again in the same folder after a `kill`, it finds the journal of the run before.
public final class DaemonProcess: Sendable {
  /// Why it did not become ready.
  public struct NotReady: Error, CustomStringConvertible {
    /// What happened, with the daemon's log.
    public var description: String
  }

  /// The process.
  public let process: ChildProcess
  /// Where it is reached.
  public let endpoints: DaemonEndpoints

  private init(_ process: ChildProcess, _ endpoints: DaemonEndpoints) {
    self.process = process
    self.endpoints = endpoints
  }

  /// Starts `executable`, and returns once it answers.
  ///
  /// - Parameters:
  ///   - folder: sockets, journal and log are in it.
  ///   - isDurable: whether it keeps a journal.
  public static func start(
    _ executable: String, in folder: ScratchFolder, isDurable: Bool = true,
    arguments: [String] = [], environment: [String: String] = [:]
  ) async throws -> DaemonProcess {
    let daemon = try launch(
      executable, in: folder, isDurable: isDurable, arguments: arguments,
      environment: environment)
    try await daemon.waitUntilReady()
    return daemon
  }

  /// Starts `executable` and does not wait.
  public static func launch(
    _ executable: String, in folder: ScratchFolder, isDurable: Bool = true,
    arguments: [String] = [], environment: [String: String] = [:]
  ) throws -> DaemonProcess {
    let endpoints = DaemonEndpoints(folder: folder.path)
    let process = try ChildProcess(
      executable,
      [
        "--folder", folder.path, "--state-directory", folder.file("state"), "--mode",
        isDurable ? "journal" : "memory",
      ] + arguments, name: "daemon", in: folder, environment: environment)
    return DaemonProcess(process, endpoints)
  }

  /// Waits until it answers a request; throws when it ends before.
  public func waitUntilReady() async throws {
    let (outcomes, outcome) = AsyncStream<Bool>.makeStream()
    let answering = Task { outcome.yield(await answers()) }
    Task {
      _ = await process.waitUntilEnded()
      outcome.yield(false)
    }
    var first = outcomes.makeAsyncIterator()
    let isReady = await first.next() ?? false
    answering.cancel()
    guard isReady else {
      throw NotReady(
        description: "the daemon ended (\(process.ending as Any)) or did not answer; its log:\n"
          + process.errors + process.output)
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
