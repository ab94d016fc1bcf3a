internal import Foundation
internal import SyncProtocol
internal import ZeroMQ

extension DaemonApp {
  /// Serves until SIGTERM, and ends the process: 0 after an orderly stop, 1 when it cannot start or
  /// go on, 2 when it is configured wrongly.
  ///
  /// Concurrent, so that it is the plain `main` that `@main` wants, whatever features the app's
  /// module has on.
  @concurrent public static func main() async {
    leave(await serve(CommandLine.arguments, ProcessInfo.processInfo.environment))
  }

  private static func serve(_ line: [String], _ environment: [String: String]) async -> Int32 {
    let app = Self()
    let program = line.first.map { ($0 as NSString).lastPathComponent } ?? app.name
    do throws(ConfigurationError) {
      if let replay = try ReplayRequest(program: program, arguments: Array(line.dropFirst())) {
        return await replay.run(app)
      }
      let request = try Launch.request(
        program: program, name: app.name, arguments: Array(line.dropFirst()),
        environment: environment)
      switch request {
      case .print(let text):
        print(text)
        return 0
      case .serve(let configuration, let notes):
        return await serve(configuration, notes, app.name, environment)
      }
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      return 2
    }
  }

  private static func serve(
    _ configuration: Configuration, _ notes: [String], _ name: String,
    _ environment: [String: String]
  ) async -> Int32 {
    let launch: Launch
    do throws(HostFailure) {
      try AppNames.check(app: name)
      launch = try Launch(configuration, notes: notes, name: name, environment: environment)
    } catch {
      FileHandle.standardError.write(
        Data("Error: \(error.message).\nTry: \(error.advice)\n".utf8))
      return 1
    }
    let log = launch.log
    let trace: (@Sendable (String) -> Void)? =
      launch.configuration.logLevel == .debug ? { @Sendable in log.debug($0) } : nil
    do {
      // A long history takes its time; the service manager is told to wait.
      launch.notifier.extendTimeout(.seconds(600))
      let host = try await DaemonHost(
        Self(), settings: launch.settings, trace: trace
      ) { loop, stop in
        launch.didBind()
        launch.watch(on: loop) { stop("the daemon was asked to stop") }
      } report: {
        log.warning($0)
      }
      log.info("ready at \(launch.places.endpoints.requests): \(host.summary)")
      launch.notifier.ready(host.summary)
      let reason = await host.waitUntilSilent()
      launch.notifier.stopping()
      launch.end()
      let code = Self.end(reason, log)
      withExtendedLifetime(host) { leave(code) }
    } catch {
      log.error("\(error)")
      // One may be bound though the other could not be: its file is not to stay.
      launch.didBind()
      launch.end()
      return 1
    }
  }

  /// Ends the process with the sockets as they are: everything that lasts is closed by now, and
  /// libzmq may abort while it closes a socket that a stranger has just come to. Nor do destructors
  /// of its libraries run below the threads that still use them.
  private static func leave(_ code: Int32) -> Never {
    fflush(nil)
    _exit(code)
  }

  private static func end(_ reason: StopReason, _ log: Log) -> Int32 {
    switch reason {
    case .asked:
      log.info("stopped")
      return 0
    case .journalFailed(let text):
      log.error(
        "the journal failed: \(text.hasSuffix(".") ? text : text + ".") What was under way may or may "
          + "not be in it; it was not answered.")
      return 1
    case .fenced:
      log.error("somebody else has written to the journal: this daemon steps down.")
      return 1
    }
  }
}
