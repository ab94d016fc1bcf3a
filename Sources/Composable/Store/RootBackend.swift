/// Runs a reducer in this process: every external action is one commit, published once.
///
/// Bound to the actor that made it. Effects run elsewhere and hand their actions to one task that
/// belongs to that actor.
final class RootBackend<R: Reducer>: StoreBackend<R.State, R.Action> {
  private typealias Delivered = (action: R.Action, sender: UInt64)

  /// An action that waits for the drain under way to end.
  private struct Waiting {
    let action: R.Action
    let commit: UInt64
    let sender: UInt64?
  }

  private var core: ReducerCore<R>
  private var committed: R.State
  private let dependencies: DependencyValues
  private let runner: EffectRunner<R.Action>
  private let observers = ObserverList<R.State>()
  private var buffer: [Waiting] = []
  private var isDraining = false
  private var lastCommit: UInt64 = 0
  private let inbox: AsyncStream<Delivered>.Continuation
  private var pump: Task<Void, Never>?

  init(
    state: R.State, reducer: R, dependencies: DependencyValues, isolation: isolated any Actor
  ) {
    core = ReducerCore(reducer, dependencies: dependencies)
    committed = state
    self.dependencies = dependencies
    let (stream, inbox) = AsyncStream<Delivered>.makeStream()
    self.inbox = inbox
    runner = EffectRunner(isFollowing: true) { inbox.yield(($0, $1)) }
    super.init()
    pump = Task { [weak self] in
      _ = isolation
      for await delivered in stream { self?.receive(delivered) }
    }
  }

  deinit {
    inbox.finish()
    pump?.cancel()
    runner.cancelAll()
  }

  override var state: R.State { committed }

  override func observe(_ observer: @escaping (R.State) -> Void) -> Observation {
    observers.add(observer)
  }

  override func send(_ action: R.Action) -> StoreTask {
    lastCommit += 1
    let commit = lastCommit
    if isDraining {
      let family = runner.expect(commit)
      buffer.append(Waiting(action: action, commit: commit, sender: commit))
      return family.storeTask
    }
    let family = drain(Waiting(action: action, commit: commit, sender: nil))
    return family?.storeTask ?? StoreTask(nil)
  }

  private func receive(_ delivered: Delivered) {
    lastCommit += 1
    let waiting = Waiting(
      action: delivered.action, commit: lastCommit, sender: delivered.sender)
    if isDraining { buffer.append(waiting) } else { drain(waiting) }
  }

  /// Handles an action, and then those that came in meanwhile, each as a commit of its own.
  @discardableResult
  private func drain(_ first: Waiting) -> EffectFamily<R.Action>? {
    isDraining = true
    defer { isDraining = false }
    let family = handle(first)
    var next = 0
    while next < buffer.count {
      handle(buffer[next])
      next += 1
    }
    buffer.removeAll(keepingCapacity: true)
    return family
  }

  @discardableResult
  private func handle(_ waiting: Waiting) -> EffectFamily<R.Action>? {
    if runner.isIdle { core.noEffectIsUnderWay() }
    var working = committed
    let cascade = core.perform(
      waiting.action, on: &working, facts: CommitFacts(commit: waiting.commit))
    for report in cascade.reports { dependencies.issueReporter(report) }
    // A refused action is no commit: nobody sees what it did on its way.
    guard cascade.rejection == nil else { return nil }
    committed = working
    let family = runner.start(
      cascade.operations, cause: waiting.commit, sentBy: waiting.sender)
    observers.notify(committed)
    return family
  }
}
