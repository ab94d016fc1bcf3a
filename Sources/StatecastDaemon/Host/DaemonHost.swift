internal import Composable
internal import Glibc
internal import Journal
internal import StateModel
package import SyncProtocol
internal import Synchronization
package import ZeroMQ

/// A hosted app that runs: its loop, sockets, journal and effects, and how they end.
package final class DaemonHost<App: DaemonApp>: Sendable {
  private let loop: EventLoop
  private let context: Context
  private let engine: DaemonEngine
  private let effects: EffectRunner<App.Root.Action>
  private let journal: JournalThread?
  private let stopReasons: AsyncStream<StopReason>

  /// What was recovered, for the log.
  package let summary: String

  /// Recovers the journal, binds the sockets and begins to serve.
  ///
  /// - Parameters:
  ///   - willServe: called when the sockets are bound and nothing is served yet, with the loop and
  ///     what stops the daemon; call that on the loop.
  ///   - trace: a line for the log of somebody who looks for a fault.
  ///   - report: a line for the log.
  package init(
    _ app: sending App, settings: HostSettings,
    trace: (@Sendable (String) -> Void)? = nil,
    willServe: (EventLoop, _ stop: @escaping (String) -> Void) -> Void = { _, _ in },
    report: @escaping @Sendable (String) -> Void
  ) async throws {
    try AppNames.check(views: app.views.map(\.name))
    let recovery = try Recovery.open(
      settings.storage, initial: app.initialState, migrate: app.migrate)
    let history = recovery.history
    summary =
      "commit \(history.commit), \(history.sessions.records.count.counted("session")), "
      + history.epochs.count.counted("epoch")
      + (recovery.migration.map { ", the state of another version migrated by commit \($0.commit)" }
        ?? "")
    let loop = try EventLoop(name: "statecastd")
    let context = try Context()
    let (stopReasons, stopping) = AsyncStream<StopReason>.makeStream()
    let relay = EngineRelay(loop: loop)
    let effects = EffectRunner<App.Root.Action>(isFollowing: true) { action, cause in
      let bytes = action.encoded()
      relay.perform { $0.effectSent(bytes, cause: CommitNumber(rawValue: cause)) }
    } ended: { cause in
      relay.perform { $0.effectsEnded(CommitNumber(rawValue: cause)) }
    }
    let hosted = HostedApp(
      reducer: app.reducer, state: recovery.state, views: app.views, started: app.started,
      alertPlaces: app.alertPlaces, actionStep: app.actionStep,
      guests: GuestActions(
        presence: { app.presenceChanged($0) }, handles: { app.handlesChanged($0) }),
      authorize: { app.authorize($0, origin: $1) }, report: { report($0.description) })
    var machine = AuthorityMachine(
      app: AnyAuthorityApp(hosted),
      history: history, limits: settings.limits, timing: settings.timing,
      durable: recovery.journal != nil, now: Moment(nanoseconds: EventLoop.monotonicNow()),
      seed: UInt64.random(in: .min ... .max))
    if let migration = recovery.migration {
      machine.noteMigration(
        migration.commit, from: migration.schemaHash, date: migration.date)
    }
    let schemaHash = Schema(of: App.Root.State.self).hash
    let peers = PeerPolicy(owner: getuid(), allowed: settings.allowedUIDs)
    let background = BackgroundThread()
    engine = DaemonEngine(
      machine: machine, sockets: try DaemonSockets(settings, peers, in: context),
      background: background,
      limits: settings.limits,
      surroundings: DaemonEngine.Surroundings(
        start: { work, cause, sender in
          let operations = work as? [EffectOperation<App.Root.Action>] ?? []
          return effects.start(
            operations, cause: cause.rawValue, sentBy: sender?.rawValue) != nil
        },
        cancel: { effects.cancel($0.rawValue) }, report: report, trace: trace,
        wallClock: WallClock.now,
        peer: { peers.peer($0) },
        encode: { state in
          guard let state = state as? HostedApp<App.Root>.Checkpoint else {
            preconditionFailure("\(type(of: state)) is no state of \(App.self)")
          }
          return DaemonEngine.EncodedState(
            bytes: state.root.encoded(), digest: state.root.digest, schemaHash: schemaHash)
        },
        stopped: { stopping.yield($0) }),
      loop: loop)
    relay.engine.withLock { [engine] in $0 = engine }
    if let storage = recovery.journal {
      let notice = RefusalNotice(report: report)
      journal = try JournalThread(storage, background: background) { row, result in
        notice.note(result)
        relay.perform { $0.journalAnswered(row, result) }
      } reported: {
        report($0.message)
      }
    } else {
      journal = nil
    }
    self.loop = loop
    self.context = context
    self.effects = effects
    self.stopReasons = stopReasons
    willServe(loop) { [engine] text in engine.onLoop { $0.stop(text) } }
    loop.start()
    await engine.start(journal: journal)
  }

  /// Takes nothing new, finishes what is under way, tells the clients.
  package func stop(_ text: String) async { await engine.stop(text) }

  /// Waits until the daemon has stopped serving, and ends everything in order: effects, journal,
  /// loop, sockets. For a program that goes on, where no stranger gets at the sockets.
  package func waitUntilStopped() async -> StopReason {
    let reason = await waitUntilSilent()
    await engine.close()
    await loop.stop()
    context.terminate()
    return reason
  }

  /// Waits until the daemon has stopped serving, ends its effects, closes its journal and returns
  /// when all that was said has left. The sockets stay open: the program is to leave now (see
  /// `Context.handOver`), holding the host until it is gone.
  package func waitUntilSilent() async -> StopReason {
    var reasons = stopReasons.makeAsyncIterator()
    let reason = await reasons.next() ?? .asked("")
    effects.cancelAll()
    if let journal {
      await withCheckedContinuation { done in journal.stop { done.resume() } }
    }
    await engine.fallSilent(in: context)
    return reason
  }
}

extension Int {
  /// `1 epoch`, `2 epochs`.
  package func counted(_ word: String) -> String { "\(self) \(word)\(self == 1 ? "" : "s")" }
}

/// Brings what other threads have for the engine to its loop.
private final class EngineRelay: Sendable {
  let engine = Mutex<DaemonEngine?>(nil)
  private let loop: EventLoop

  init(loop: EventLoop) { self.loop = loop }

  func perform(_ body: @escaping @Sendable (isolated DaemonEngine) -> Void) {
    guard let engine = engine.withLock({ $0 }) else { return }
    loop.perform { engine.onLoop { body($0) } }
  }
}
