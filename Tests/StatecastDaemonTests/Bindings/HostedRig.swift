import Foundation
import Journal
import StatecastClient
import StatecastDaemon
import Synchronization
import ZeroMQ

/// A daemon in this process, at sockets of its own, for what no spawned one can be asked: odd apps,
/// and its log.
final class HostedRig<App: DaemonApp>: Sendable {
  let folder: String
  private let host: DaemonHost<App>
  private let lines: Lines

  /// Lines of a log, added from anywhere.
  final class Lines: Sendable {
    private let contents = Mutex<[String]>([])
    func add(_ line: String) { contents.withLock { $0.append(line) } }
    var all: [String] { contents.withLock { $0 } }
  }

  /// Starts it, with a journal in a folder of the test's, or without one.
  init(_ app: sending App, journal: String? = nil) async throws {
    folder = "/tmp/sch-\(UInt32.random(in: 0...UInt32.max))"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    let lines = Lines()
    self.lines = lines
    host = try await DaemonHost(
      app,
      settings: HostSettings(
        endpoints: DaemonEndpoints(folder: folder), storage: journal.map(Self.storage) ?? .memory)
    ) {
      lines.add($0)
    }
  }

  private static func storage(_ journal: String) -> HostSettings.Storage {
    var options = JournalOptions()
    options.logBytes = 64 << 10
    options.reserveBytes = 0
    return .journal(folder: journal, options: options)
  }

  /// What it says of its start.
  var summary: String { host.summary }

  /// What it has logged.
  var log: [String] { lines.all }

  /// A connection to it.
  func connect() async throws -> DaemonConnection {
    var options = DaemonConnection.Options(endpoints: DaemonEndpoints(folder: folder))
    options.timeout = .seconds(20)
    return try await DaemonConnection(options)
  }

  /// Stops it.
  func stop() async {
    await host.stop("the test is over")
    _ = await host.waitUntilStopped()
    try? FileManager.default.removeItem(atPath: folder)
  }
}
