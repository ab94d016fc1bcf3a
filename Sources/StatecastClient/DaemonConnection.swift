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
  /// - Parameters:
  ///   - mirrored: wait also until every mirror of this connection shows it.
  ///   - patience: how long to wait for an answer before the action is given up: it is then burnt,
  ///     if the daemon can still be asked, else what became of it is unknown. Nil waits for ever.
  package func perform(
    _ entry: Entry, mirrored: Bool = false, patience: Duration? = nil
  ) async throws(ActionFailure) -> Receipt {
    let engine = engine
    let resolution: Resolution = await withCheckedContinuation { continuation in
      let wait = ActionWait(mirrored: mirrored, continuation)
      engine.loop.perform {
        engine.assumeIsolated { engine in
          let token = engine.submit(entry) { wait.hear($0) }
          guard let patience else { return }
          let now = EventLoop.monotonicNow()
          _ = engine.loop.schedule(at: now + patience.nanoseconds) { [unowned engine] in
            engine.assumeIsolated { if !wait.isOver { $0.giveUp(token) } }
          }
          _ = engine.loop.schedule(at: now + 2 * patience.nanoseconds) {
            wait.hear(.resolved(.unknown(text: "the daemon did not answer in time")))
          }
        }
      }
    }
    return try resolution.receipt()
  }

  /// Asks what is neither a view nor an action; waits for `Options.timeout` at most.
  package func ask(_ body: Request.Body) async throws(ConnectionFailure) -> Reply {
    let first = FirstArrival<Reply>()
    let failure = ConnectionFailure(
      .unreachable, "the daemon did not answer", advice: "Look at `statecast status`.")
    await engine.ask(body) { reply in
      _ = first.resolve(reply.map { .success($0) } ?? .failure(failure))
    }
    expire(first)
    return try await first.value
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

/// Waits for what becomes of one action.
private final class ActionWait: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Resolution, Never>?
    var resolution: Resolution?
  }
  private let state: Mutex<State>
  private let mirrored: Bool

  init(mirrored: Bool, _ continuation: CheckedContinuation<Resolution, Never>) {
    self.mirrored = mirrored
    state = Mutex(State(continuation: continuation))
  }

  var isOver: Bool { state.withLock { $0.continuation == nil } }

  func hear(_ signal: ClientEngine.ActionSignal) {
    let (continuation, resolution) = state.withLock { state in
      switch signal {
      case .resolved(let resolution):
        if state.resolution == nil { state.resolution = resolution }
        if mirrored && resolution.isDone {
          return (CheckedContinuation<Resolution, Never>?.none, Resolution?.none)
        }
      case .reached: break
      }
      return (state.continuation.take(), state.resolution)
    }
    if let continuation, let resolution { continuation.resume(returning: resolution) }
  }
}
