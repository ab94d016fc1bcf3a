import Glibc
import StatecastClient
import SyncProtocol
import ZeroMQ

/// What every command needs: the command line, the way to the daemon, and where output goes.
struct Session {
  let arguments: Arguments
  let output: Output

  /// Words after the command's name.
  var words: [String] { Array(arguments.words.dropFirst()) }

  /// The word at `index`, or a usage error that names it.
  func word(_ index: Int, _ name: String) throws(ToolFailure) -> String {
    guard index < words.count else { throw .usage("\(name) is missing") }
    return words[index]
  }

  /// No more words than `count`.
  func expectAtMost(_ count: Int) throws(ToolFailure) {
    if words.count > count {
      throw .usage("\(words[count]) is one word too many")
    }
  }

  /// `--folder`, else `STATECAST_FOLDER`, as the daemon reads them.
  var folder: String? {
    let environment = getenv("STATECAST_FOLDER").map { String(cString: $0) } ?? ""
    return arguments.options["folder"] ?? (environment.isEmpty ? nil : environment)
  }

  /// A daemon takes no relative folder, so none is there.
  func checkFolder() throws(ToolFailure) {
    guard let folder, !folder.hasPrefix("/") else { return }
    throw .usage("--folder takes an absolute path, not \(folder)")
  }

  /// Where the daemon is: `--folder`, `--requests` and `--publications`, else the user's own.
  var endpoints: DaemonEndpoints {
    var endpoints =
      folder.map { DaemonEndpoints(folder: $0) }
      ?? DaemonConnection.Options.user().endpoints
    if let requests = arguments.options["requests"] { endpoints.requests = requests }
    if let publications = arguments.options["publications"] {
      endpoints.publications = publications
    }
    return endpoints
  }

  /// Seconds that an answer may take.
  func timeout() throws(ToolFailure) -> Duration {
    guard let text = arguments.options["timeout"] else { return .seconds(5) }
    guard let seconds = Double(text), seconds > 0, seconds < 1e6 else {
      throw .usage("--timeout takes a number of seconds, not \(text)")
    }
    return .milliseconds(Int64(seconds * 1000))
  }

  /// A connection, which the command closes.
  func connect(isPresent: Bool = false) async throws(ToolFailure) -> DaemonConnection {
    try checkFolder()
    var options = DaemonConnection.Options(endpoints: endpoints)
    options.timeout = try timeout()
    options.isPresent = isPresent
    options.name = arguments.options["name"] ?? ""
    // Whoever says how long to wait, waits for a daemon that is about to start; nobody else does.
    if arguments.options["timeout"] == nil, !endpoints.isThere {
      throw ToolFailure(
        .unreachable, "no daemon answers at \(endpoints.requests)",
        advice: "Start it with `statecast up`, or name another endpoint.")
    }
    do { return try await DaemonConnection(options) } catch { throw ToolFailure(error) }
  }

  /// Runs `body` with a connection, and closes it.
  func connected<Result>(
    isPresent: Bool = false, _ body: (DaemonConnection) async throws(ToolFailure) -> Result
  ) async throws(ToolFailure) -> Result {
    let connection = try await connect(isPresent: isPresent)
    do {
      let result = try await body(connection)
      await connection.close()
      return result
    } catch {
      await connection.close()
      throw error
    }
  }
}

extension DaemonEndpoints {
  /// Whether the socket's file is there, and not one that a killed daemon left; of what is no file, it
  /// cannot be told without asking.
  var isThere: Bool {
    guard requests.hasPrefix("ipc:///") else { return true }
    let path = String(requests.dropFirst("ipc://".count))
    return access(path, F_OK) == 0 && !LocalSocket.isStale(path)
  }
}
