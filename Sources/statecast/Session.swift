import Glibc
import Processes
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

  /// `--app`: the name of an app, whose daemon is where every app's daemon is by default.
  private var appFolder: DaemonEndpoints? {
    arguments.options["app"].map { DaemonConnection.Options.user(daemon: $0).endpoints }
  }

  /// What ZeroMQ would only say to be invalid, without which of the two it means, and why.
  func checkEndpoints() throws(ToolFailure) {
    for name in ["requests", "publications"] {
      guard let text = arguments.options[name] else { continue }
      do throws(DaemonEndpoints.Malformed) {
        try DaemonEndpoints.check(text)
      } catch {
        throw .usage("--\(name) takes an endpoint: \(error)")
      }
    }
  }

  /// A daemon takes no relative folder, so none is there.
  func checkFolder() throws(ToolFailure) {
    guard let folder, !folder.hasPrefix("/") else { return }
    throw .usage("--folder takes an absolute path, not \(folder)")
  }

  /// Where the daemon is: `--folder`, `--requests` and `--publications`, else the app's of this user.
  var endpoints: DaemonEndpoints {
    let named = arguments.options["folder"] ?? (appFolder == nil ? folder : nil)
    var endpoints =
      named.map { DaemonEndpoints(folder: $0) } ?? appFolder
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

  /// A name that can be a folder's.
  private func checkApp() throws(ToolFailure) {
    guard let app = arguments.options["app"] else { return }
    guard !app.isEmpty, !app.hasPrefix("."), !app.contains("/") else {
      throw .usage("--app takes the name of an app, not \"\(app)\"")
    }
  }

  /// A connection, which the command closes.
  func connect(isPresent: Bool = false) async throws(ToolFailure) -> DaemonConnection {
    try checkFolder()
    try checkApp()
    try checkEndpoints()
    var options = DaemonConnection.Options(endpoints: endpoints)
    options.timeout = try timeout()
    options.isPresent = isPresent
    options.name = arguments.options["name"] ?? ""
    // Whoever says how long to wait, waits for a daemon that is about to start; nobody else does.
    if arguments.options["timeout"] == nil, !endpoints.isThere {
      throw ToolFailure(
        .unreachable, "no daemon answers at \(endpoints.requests)",
        advice: "Start the daemon (statecastd: `statecast up`), or name another endpoint.")
    }
    do { return try await DaemonConnection(options) } catch { throw ToolFailure(error) }
  }

  /// Runs `body` with a connection, and closes it.
  func connected<Result>(
    isPresent: Bool = false, _ body: (DaemonConnection) async throws(ToolFailure) -> Result
  ) async throws(ToolFailure) -> Result {
    let connection = try await connect(isPresent: isPresent)
    let goodbye = Awaited<Void>()
    if isPresent {
      LastMoment.prepare {
        Task {
          await connection.close()
          goodbye.give(())
        }
        goodbye.take()
      }
    }
    do {
      let result = try await body(connection)
      await connection.close()
      goodbye.give(())
      LastMoment.waitIfUnderWay()
      return result
    } catch {
      await connection.close()
      goodbye.give(())
      // What fails now fails since it was told to end.
      LastMoment.waitIfUnderWay()
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
