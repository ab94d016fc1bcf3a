public import Composable

/// Runs a feature under a test that says, action by action, what it does.
///
///     @MainActor @Test func counting() async {
///       let store = TestStore(initialState: Counter.State()) { Counter() }
///       await store.send(.incrementButtonTapped) { $0.count = 1 }
///       await store.send(.isPrimeButtonTapped) { $0.question = .isPrime(1) }
///       await store.receive(.answered(false)) { $0.question = nil }
///     }
///
/// By default everything must be asserted: every change of the state, in a trailing closure that
/// makes the expected state of the one before; every action that an effect sends, with `receive`,
/// before the next is sent; and at the end no effect may be under way. What is not is a failure that
/// shows the difference and says what to do. `exhaustivity` asks for less.
///
/// Effects run one step after the other, and every call returns once none of them can go on: nothing
/// sleeps and nothing is a matter of luck. An action that an effect sends goes through the reducer
/// at once; `receive` asserts the state as of that action.
///
/// Dependencies that are not set are reported when they are used. Like `Store` it belongs to the
/// actor that made it. Failures go to the framework that runs the test: see `FailureReporting`.
public final class TestStore<State: Equatable & SendableMetatype, Action: Sendable> {
  typealias Location = TestFailure.Location

  /// One action that the reducer handled.
  struct Step {
    let action: Action
    /// The state as of the action.
    let state: State
    /// Why nothing of it happened.
    let rejection: Rejection?
  }

  /// What effects tell the store.
  enum Message: Sendable {
    case action(Action, sender: UInt64)
    /// Wants to know how many actions were handled since the last time.
    case flush(CheckedContinuation<Int, Never>)
  }

  /// The state as of the last action that was asserted.
  public internal(set) var state: State

  /// How much is to be asserted; everything unless set.
  public var exhaustivity = Exhaustivity.on

  /// How long `receive` and `finish` wait for effects that are under way, unless they say otherwise.
  /// Where no effect is, they do not wait at all.
  public var timeout = Duration.seconds(10)

  /// What the time limit is measured on.
  public var timeoutClock: any Clock<Duration> = ContinuousClock()

  /// What the feature takes from outside; may be changed between two actions.
  public var dependencies: DependencyValues {
    get { core.dependencies }
    set { core.dependencies = newValue }
  }

  /// The state as of the last action that was handled.
  var latest: State
  /// What was received and is not asserted yet.
  var received: [Step] = []
  /// What was sent, by commit, for messages about effects that are under way.
  var sent: [UInt64: String] = [:]
  /// Whether a failure has told of the effects that are under way.
  var saidUnderWay = false
  /// Wakes the `receive` that waits.
  var arrival: AsyncStream<Waited>.Continuation?

  let runner: EffectRunner<Action>
  let settling: EffectSettling
  let made: Location
  let reporter: FailureReporter
  private var core: ReducerCore<Reduce<State, Action>>
  private let inbox: AsyncStream<Message>.Continuation
  private var lastCommit: UInt64 = 0
  private var handled = 0

  /// A store that runs a reducer under a test.
  ///
  /// - Parameters:
  ///   - initialState: what the state is at first.
  ///   - isolation: the actor that the store belongs to; the one that makes it.
  ///   - reducer: the feature.
  ///   - prepareDependencies: sets what the feature takes from outside. What it does not set is
  ///     reported when it is used.
  public init<R: Reducer<State, Action>>(
    initialState: @autoclosure () -> State, isolation: isolated any Actor = #isolation,
    @ReducerBuilder<State, Action> reducer: () -> R,
    withDependencies prepareDependencies: (inout DependencyValues) -> Void = { _ in },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) {
    let made = Location(fileID: fileID, filePath: filePath, line: line, column: column)
    let reporter = FailureReporter.current
    var dependencies = DependencyValues.current.forEffect
    dependencies.context = .test
    dependencies.issueReporter = IssueReporter { reporter(TestFailure("\($0)", at: made)) }
    prepareDependencies(&dependencies)
    let (state, feature) = DependencyValues.$current.withValue(dependencies) {
      (initialState(), reducer())
    }
    self.made = made
    self.reporter = reporter
    self.state = state
    latest = state
    core = ReducerCore(feature.erased(), dependencies: dependencies)
    let (messages, inbox) = AsyncStream<Message>.makeStream()
    self.inbox = inbox
    settling = EffectSettling {
      await withCheckedContinuation { continuation in
        if case .terminated = inbox.yield(.flush(continuation)) {
          continuation.resume(returning: 0)
        }
      }
    }
    runner = EffectRunner(isFollowing: true, on: settling.executor) {
      inbox.yield(.action($0, sender: $1))
    }
    // Ends when the inbox is closed, after what is in it: somebody waits for each flush.
    Task { [weak self] in
      _ = isolation
      for await message in messages {
        switch message {
        case .action(let action, let sender): self?.take(action, from: sender)
        case .flush(let continuation): continuation.resume(returning: self?.takeHandled() ?? 0)
        }
      }
    }
  }

  deinit {
    checkEnd()
    inbox.finish()
    runner.cancelAll()
  }

  /// Handles an action that an effect sent, as of now; `receive` will assert it.
  private func take(_ action: Action, from sender: UInt64) {
    handled += 1
    let (steps, operations) = perform(action)
    received += steps
    start(operations, sentBy: sender)
    arrival?.yield(.changed)
  }

  private func takeHandled() -> Int {
    defer { handled = 0 }
    return handled
  }

  /// One commit: the action, and what its effects sent at once.
  ///
  /// - Parameter location: where a field that no reducer sets is told of.
  func perform(
    _ action: Action, at location: Location? = nil
  ) -> (steps: [Step], operations: [EffectOperation<Action>]) {
    lastCommit += 1
    if runner.isIdle { core.noEffectIsUnderWay() }
    var working = latest
    let log = StepLog<Step>()
    let cascade = core.perform(
      action, on: &working, facts: CommitFacts(commit: lastCommit)
    ) { log.steps.append(Step(action: $0, state: $1, rejection: nil)) }
    for report in cascade.reports { core.dependencies.issueReporter(report) }
    if let rejection = cascade.rejection {
      return ([Step(action: action, state: latest, rejection: rejection)], [])
    }
    if let location, cascade.bindingCount == 0, cascade.absentChildCount == 0,
      carriesBinding(action)
    {
      fail(TestStoreMessages.unboundField(TestStoreMessages.one(action)), at: location)
    }
    latest = working
    return (log.steps, cascade.operations)
  }

  /// Starts what is left of the last commit's effects.
  @discardableResult
  func start(
    _ operations: [EffectOperation<Action>], sentBy sender: UInt64? = nil
  ) -> EffectFamily<Action>? {
    EffectSettling.$current.withValue(settling) {
      runner.start(operations, cause: lastCommit, sentBy: sender)
    }
  }

  /// Notes what was sent, in case its effects outlast the test.
  func note(_ action: Action) { sent[lastCommit] = TestStoreMessages.one(action) }

  func fail(_ message: String, at location: Location) {
    FailureReporter.current(TestFailure(message, at: location))
  }
}

/// What `ReducerCore` tells of the actions of one commit.
private final class StepLog<Step> {
  var steps: [Step] = []
}

/// The test store of a reducer: `TestStoreOf<Counter>`.
public typealias TestStoreOf<R: Reducer> = TestStore<R.State, R.Action>
where R.State: Equatable & SendableMetatype
