internal import Synchronization

/// Runs what is left of a commit's effects, and knows which of them are under way.
///
/// Shared by a store, which starts effects after each commit, and a daemon, which starts them once
/// the commit is durable. Actions that effects send are handed to `deliver` together with the
/// number of the commit that started the effect; handling them is the owner's affair.
///
/// An owner that follows effects (`isFollowing`) answers every delivered action with exactly one
/// `start(_:cause:sentBy:)`, also where there is nothing to start: that is how `finish()` can wait
/// for everything that an action started.
package final class EffectRunner<Action: Sendable>: Sendable {
  private let registry = Mutex(EffectRegistry<Action>())
  private let isFollowing: Bool
  /// Where effects run; nil: wherever there is room.
  private let executor: (any TaskExecutor)?
  private let deliver: @Sendable (Action, _ cause: UInt64) -> Void
  private let ended: (@Sendable (_ family: UInt64) -> Void)?

  /// A runner at rest.
  ///
  /// - Parameters:
  ///   - isFollowing: whether every delivered action is answered by a `start` that says
  ///   who sent it.
  ///   - executor: where effects run, for a test that must know when all of them wait.
  ///   - ended: called when everything that an external action started has ended, with the number
  ///     of its commit.
  package init(
    isFollowing: Bool = false, on executor: (any TaskExecutor)? = nil,
    deliver: @escaping @Sendable (Action, _ cause: UInt64) -> Void,
    ended: (@Sendable (_ family: UInt64) -> Void)? = nil
  ) {
    self.isFollowing = isFollowing
    self.executor = executor
    self.deliver = deliver
    self.ended = ended
  }

  /// Whether no effect is under way and, for an owner that follows, every action is handled.
  package var isIdle: Bool { registry.withLock(\.isIdle) }

  /// The commits of whose families something is under way, the earliest first.
  package var liveFamilies: [UInt64] { registry.withLock { $0.liveFamilies.sorted() } }

  /// How many effects are under way; for tests and for a daemon's figures.
  package var runningCount: Int { registry.withLock(\.units.count) }

  /// How many entries the registry holds in all; nought when nothing is left of ended effects.
  package var registrySize: Int { registry.withLock(\.size) }

  /// Starts the operations of commit `cause`, in order.
  ///
  /// - Parameter sender: the commit whose effect sent the action of this commit, if one did: what is
  ///   started then belongs to the same family.
  /// - Returns: what follows the family until everything in it has ended; nil when nothing runs.
  @discardableResult
  package func start(
    _ operations: [EffectOperation<Action>], cause: UInt64, sentBy sender: UInt64? = nil
  ) -> EffectFamily<Action>? {
    var afterwards = Afterwards()
    let family = registry.withLock { registry in
      let family = registry.family(of: cause, sentBy: sender)
      for operation in operations {
        begin(operation, family: family, cause: cause, under: nil, &registry, &afterwards)
      }
      if let sender { registry.handled(sentBy: sender, &afterwards) }
      return registry.isLive(family) ? family : nil
    }
    conclude(afterwards)
    return family.map { EffectFamily(runner: self, id: $0) }
  }

  /// Notes that an external action waits to be handled: its family lives from now on, until
  /// `start(_:cause:sentBy:)` names `cause` as both.
  package func expect(_ cause: UInt64) -> EffectFamily<Action> {
    registry.withLock { $0.expect(cause) }
    return EffectFamily(runner: self, id: cause)
  }

  /// Cancels everything, forgets what is held, and stops waiting for delivered actions.
  package func cancelAll() {
    var afterwards = Afterwards()
    registry.withLock { registry in
      registry.cancel(&afterwards) { _ in true }
      registry.endWindows(&afterwards) { _ in true }
      registry.forgetDelivered(&afterwards)
    }
    conclude(afterwards)
  }

  /// Waits until nothing is under way; what is started meanwhile counts too.
  package func idle() async {
    while let family = registry.withLock(\.anyFamily) { await finish(family) }
  }

  /// Waits until everything of a family has ended.
  func finish(_ family: UInt64) async {
    await withCheckedContinuation { continuation in
      let isLive = registry.withLock { $0.wait(for: family, continuation) }
      if !isLive { continuation.resume() }
    }
  }

  /// Cancels everything of a family, also what its actions would start from now on.
  package func cancel(_ family: UInt64) {
    var afterwards = Afterwards()
    registry.withLock { $0.cancel(family: family, &afterwards) }
    conclude(afterwards)
  }
}

extension EffectRunner {
  private typealias Unit = EffectRegistry<Action>.Unit

  /// Starts one operation; gives the tasks that a sequence has to wait for.
  @discardableResult
  private func begin(
    _ operation: EffectOperation<Action>, family: UInt64, cause: UInt64, under parent: RunToken?,
    _ registry: inout EffectRegistry<Action>, _ afterwards: inout Afterwards
  ) -> [Task<Void, Never>] {
    switch operation {
    case .group(let operations):
      return operations.flatMap {
        begin($0, family: family, cause: cause, under: parent, &registry, &afterwards)
      }
    case .cancel(let key):
      registry.cancel(&afterwards) { $0.keys.contains(where: key.reaches) }
      registry.endWindows(&afterwards) { key.reaches($0) }
    case .prune(let path, let scope, let isPresent):
      let isGone: (TreePath) -> Bool = { place in
        guard path.contains(place), place.steps.count > path.steps.count else { return false }
        let step = place.steps[path.steps.count]
        guard let element = step.element, step.collection == scope else { return false }
        return !isPresent(element)
      }
      registry.cancel(&afterwards) { isGone($0.path) }
      registry.endWindows(&afterwards) { isGone($0.path) }
    case .throttle(let operations, _, let key, let window, let latest):
      let held = EffectRegistry<Action>.Held(
        operations: operations, family: family, cause: cause)
      if registry.windows[key] != nil {
        registry.hold(held, key: key, latest: latest, &afterwards)
      } else {
        openWindow(key, window, &registry)
        return begin(
          .group(operations), family: family, cause: cause, under: parent, &registry, &afterwards)
      }
    case .run(let work, let place):
      return unit(at: place, family, cause, parent, work.priority, &registry) { token in
        await self.run(work, token)
      }
    case .wait(let wait, let place):
      return unit(at: place, family, cause, parent, nil, &registry) { _ in
        // Cut short only by being cancelled, and then the sequence around it is too.
        try? await wait()
      }
    case .send(let action, let place):
      return unit(at: place, family, cause, parent, nil, &registry) { token in
        self.send(action, token)
      }
    case .sequence(let steps, let place):
      return unit(at: place, family, cause, parent, nil, &registry) { token in
        await self.perform(steps, family, cause, token)
      }
    }
    return []
  }

  /// Registers a unit of work and starts its task.
  private func unit(
    at place: EffectPlace, _ family: UInt64, _ cause: UInt64, _ parent: RunToken?,
    _ priority: TaskPriority?, _ registry: inout EffectRegistry<Action>,
    _ body: @escaping @Sendable (RunToken) async -> Void
  ) -> [Task<Void, Never>] {
    guard parent?.isCancelled != true, !registry.isCancelled(family) else { return [] }
    let token = RunToken(unit: registry.nextNumber(), cause: cause)
    let task = Task(executorPreference: executor, priority: priority) {
      if !token.isCancelled { await body(token) }
      self.ended(token)
    }
    registry.insert(Unit(task: task, token: token, place: place, family: family))
    return [task]
  }

  /// What has to happen once the registry's lock is given up.
  private func conclude(_ afterwards: Afterwards) {
    afterwards.run()
    if let ended { for family in afterwards.ended { ended(family) } }
  }

  private func ended(_ token: RunToken) {
    token.end()
    var afterwards = Afterwards()
    registry.withLock { $0.remove(token.unit, &afterwards) }
    conclude(afterwards)
  }

  /// Runs an effect's body, with what becomes of its error.
  private func run(_ work: EffectWork<Action>, _ token: RunToken) async {
    let send = Send<Action> { action in
      if token.isEnded {
        work.dependencies.issueReporter(
          IssueReport(
            """
            An action (\(Action.self)) was sent by an effect that has ended; it was ignored. Send \
            before the closure of 'Effect.run' returns, or wait in it for whoever sends.
            """, at: work.origin))
      } else {
        self.send(action, token)
      }
    }
    await DependencyValues.$current.withValue(work.dependencies) {
      do {
        try await work.body(send)
      } catch is CancellationError {
        return
      } catch {
        guard !token.isCancelled else { return }
        guard let recover = work.recover else {
          return work.dependencies.issueReporter(
            IssueReport(
              """
              An effect threw an error that nobody handles: \(error). Give 'Effect.run' a 'catch', \
              or handle the error in it.
              """, at: work.origin))
        }
        await recover(error, send)
      }
    }
  }

  private func send(_ action: Action, _ token: RunToken) {
    let isWanted = registry.withLock { registry in
      guard !token.isCancelled, !token.isEnded else { return false }
      if isFollowing { registry.deliver(by: token.unit) }
      return true
    }
    if isWanted { deliver(action, token.cause) }
  }

  /// The steps of a sequence, each after the end of the one before.
  private func perform(
    _ steps: [EffectOperation<Action>], _ family: UInt64, _ cause: UInt64, _ token: RunToken
  ) async {
    for step in steps {
      if token.isCancelled { return }
      var afterwards = Afterwards()
      let tasks = registry.withLock { registry in
        begin(step, family: family, cause: cause, under: token, &registry, &afterwards)
      }
      conclude(afterwards)
      for task in tasks { await task.value }
    }
  }

  /// Starts a throttle's window: what comes in it is held.
  private func openWindow(
    _ key: CancelKey, _ window: EffectWait, _ registry: inout EffectRegistry<Action>
  ) {
    let number = registry.nextNumber()
    let timer = Task(executorPreference: executor) {
      while true {
        do { try await window() } catch { return }
        var afterwards = Afterwards()
        let isOpen = self.registry.withLock { registry in
          guard let held = registry.takeHeld(key, number: number) else { return false }
          self.begin(
            .group(held.operations), family: held.family, cause: held.cause, under: nil,
            &registry, &afterwards)
          registry.leave(held.family, held.cause, &afterwards)
          return true
        }
        self.conclude(afterwards)
        if !isOpen { return }
      }
    }
    registry.open(key, timer: timer, number: number)
  }
}
