internal import Glibc
package import SyncProtocol
internal import Synchronization
public import ZeroMQ

/// A process's connection to a daemon: one session, with any number of views and actions.
///
/// It connects, and connects again, by itself; what is asked of it while the daemon is away waits.
public final class DaemonConnection: Sendable {
  /// How to connect.
  public struct Options: Sendable {
    /// Where the daemon is.
    public var endpoints: DaemonEndpoints
    /// How long `open` and the first value of a view may take.
    public var timeout: Duration = .seconds(5)
    /// Whether the session is listed as present.
    public var isPresent = false
    package var timing = Timing()
    package var limits = Limits()

    /// Options with an endpoint of one's own.
    public init(endpoints: DaemonEndpoints) { self.endpoints = endpoints }

    /// The daemon named `name` of this user, where it is unless told otherwise.
    public static func user(daemon name: String = "statecast") -> Options {
      var environment: [String: String] = [:]
      if let runtime = getenv("XDG_RUNTIME_DIR") {
        environment["XDG_RUNTIME_DIR"] = String(cString: runtime)
      }
      let folder = DaemonEndpoints.folder(named: name, environment: environment, uid: getuid())
      return Options(endpoints: DaemonEndpoints(folder: folder))
    }
  }

  package let engine: ClientEngine
  package let options: Options
  private let context: Context
  private let loop: EventLoop
  private let notices: NoticeBoard

  /// Makes the sockets and begins to connect; does not wait for the daemon.
  public init(_ options: Options) async throws(ConnectionFailure) {
    self.options = options
    let notices = NoticeBoard()
    self.notices = notices
    do {
      context = try Context()
      loop = try EventLoop(name: "statecast-client")
      var generator = SystemRandomNumberGenerator()
      engine = try ClientEngine(
        endpoints: options.endpoints, session: SessionID(.random(using: &generator)),
        limits: options.limits, timing: options.timing, context: context, loop: loop)
    } catch {
      throw ConnectionFailure(
        .transport, "the sockets of a client cannot be made: \(error)",
        advice: "Is the endpoint \(options.endpoints.requests) well formed, "
          + "and is the limit of open files high enough?")
    }
    loop.start()
    await engine.open { notices.post($0) }
  }

  /// What happens to the connection: found, lost, the daemon going away, a history rewritten.
  package var noticeStream: AsyncStream<ClientOutput.Notice> { notices.stream }

  /// Sends an entry, and waits until the daemon has it (in its journal, where it has one).
  ///
  /// - Parameter mirrored: wait also until every mirror of this connection shows it.
  package func perform(
    _ entry: Entry, mirrored: Bool = false
  ) async throws(ActionFailure) -> Receipt {
    let engine = engine
    let resolution: Resolution = await withCheckedContinuation { continuation in
      let first = Mutex<Resolution?>(nil)
      let observer: @Sendable (ClientEngine.ActionSignal) -> Void = { signal in
        switch signal {
        case .resolved(let resolution):
          if mirrored && resolution.isDone {
            first.withLock { $0 = resolution }
          } else {
            continuation.resume(returning: resolution)
          }
        case .reached:
          guard let resolution = first.withLock({ $0.take() }) else { return }
          continuation.resume(returning: resolution)
        }
      }
      engine.loop.perform { engine.assumeIsolated { _ = $0.submit(entry, observer) } }
    }
    return try resolution.receipt()
  }

  /// Asks what is neither a view nor an action.
  package func ask(_ body: Request.Body) async throws(ConnectionFailure) -> Reply {
    let engine = engine
    let reply: Reply? = await withCheckedContinuation { continuation in
      engine.loop.perform {
        engine.assumeIsolated { $0.ask(body) { continuation.resume(returning: $0) } }
      }
    }
    guard let reply else {
      throw ConnectionFailure(
        .unreachable, "the daemon did not answer", advice: "Look at `statecast status`.")
    }
    return reply
  }

  /// Says goodbye and ends the threads. Actions that wait are not resolved any more.
  public func close() async {
    await engine.close()
    await loop.stop()
    context.shutdown()
    notices.finish()
  }
}

/// Hands notices from the loop to whoever iterates.
private final class NoticeBoard: Sendable {
  let stream: AsyncStream<ClientOutput.Notice>
  private let continuation: AsyncStream<ClientOutput.Notice>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(64))
  }

  func post(_ notice: ClientOutput.Notice) { continuation.yield(notice) }
  func finish() { continuation.finish() }
}
