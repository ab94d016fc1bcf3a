internal import Glibc
package import SyncProtocol
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
    /// How long `close` waits at most until the daemon has read the goodbye.
    public var farewell: Duration = .milliseconds(500)
    /// Whether the session is listed as present.
    public var isPresent = false
    /// As what it is listed; at most 64 bytes.
    public var name = ""
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
        limits: options.limits, timing: options.timing, isPresent: options.isPresent,
        name: options.name, context: context, loop: loop)
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
  /// A task that is cancelled gives the action up at once, and does not wait to learn more.
  ///
  /// - Parameters:
  ///   - mirrored: wait also until every mirror of this connection shows it.
  ///   - patience: how long to wait for an answer before the action is given up: it is then burnt,
  ///     if the daemon can still be asked, else what became of it is unknown. Nil waits for ever.
  ///   - grace: how long that may take; nil is as long again.
  package func perform(
    _ entry: Entry, mirrored: Bool = false, patience: Duration? = nil, grace: Duration? = nil
  ) async throws(ActionFailure) -> Receipt {
    let wait = begin(entry, mirrored: mirrored, patience: patience, grace: grace)
    return try await resolution(of: wait).receipt()
  }

  /// Sends an entry, behind all that was sent before.
  func begin(
    _ entry: Entry, mirrored: Bool = false, patience: Duration? = nil, grace: Duration? = nil,
    keepsPublished: Bool = false
  ) -> ActionWait {
    let wait = ActionWait(mirrored: mirrored)
    submit(entry, wait, patience.map { ($0, grace ?? $0) }, keepsPublished)
    return wait
  }

  /// What becomes of an entry; a task that is cancelled gives it up.
  func resolution(of wait: ActionWait) async -> Resolution {
    await withTaskCancellationHandler {
      await withCheckedContinuation { wait.begin($0) }
    } onCancel: {
      giveUp(wait, "nobody waits for the answer any more")
    }
  }

  private func submit(
    _ entry: Entry, _ wait: ActionWait, _ patience: (Duration, grace: Duration)?,
    _ keepsPublished: Bool
  ) {
    let engine = engine
    engine.loop.perform {
      engine.onLoop { engine in
        if wait.isOver { return }
        let token = engine.submit(entry) { wait.hear($0) }
        if keepsPublished { engine.keepPublished(by: token) }
        wait.isSent(as: token)
        guard let (patience, grace) = patience else { return }
        let now = EventLoop.monotonicNow()
        _ = engine.loop.schedule(at: now + patience.nanoseconds) { [weak engine] in
          engine?.onLoop { if !wait.isOver { $0.giveUp(token) } }
        }
        _ = engine.loop.schedule(at: now + (patience + grace).nanoseconds) { [weak engine] in
          let refusal = engine?.assumeIsolated { $0.lastRefusal }
          wait.hear(.resolved(Self.silence(refusal)))
        }
      }
    }
  }

  /// What is said of an action that was given up, and cannot be burnt in time.
  ///
  /// A journal that takes nothing cannot burn a number either. But it says of the number that nothing
  /// was done, and nothing of this client's is under way to it any more: ZeroMQ doubles nothing.
  private static func silence(_ refusal: (code: Code, text: String)?) -> Resolution {
    guard let refusal else { return .unknown(text: "the daemon did not answer in time") }
    return refusal.code == .noSpace
      ? .notDone(code: .noSpace, text: refusal.text)
      : .unknown(text: "the daemon refuses it so far (\(refusal.code.rawValue)): \(refusal.text)")
  }

  private func giveUp(_ wait: ActionWait, _ text: String) {
    wait.hear(.resolved(.unknown(text: text)))
    let engine = engine
    engine.loop.perform {
      engine.onLoop { engine in if let token = wait.token { engine.giveUp(token) } }
    }
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

  /// A connection that nobody closed closes itself; the loop's thread outlives it until then.
  deinit {
    let (engine, loop, context, farewell) = (engine, loop, context, options.farewell)
    Task {
      await engine.part(patience: farewell)
      await loop.stop()
      context.shutdown()
    }
  }

  /// Says goodbye and ends the threads. Actions that wait are not resolved any more.
  ///
  /// Returns when the daemon has read it, so that a process may end then: nobody sees it listed any
  /// more, or calls what it offered. A daemon that does not answer is waited for no longer than
  /// `Options.farewell`.
  public func close() async {
    await engine.part(patience: options.farewell)
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
