/// What one external action did besides changing the state.
package struct Cascade<Action: Sendable>: Sendable {
  /// What is to be started, in order; a daemon starts it only once the commit is durable.
  package var operations: [EffectOperation<Action>]
  /// Programming errors that were found.
  package var reports: [IssueReport]
  /// Why the commit is void: the caller drops the state it passed, and nothing is started.
  package var rejection: Rejection?
  /// How many actions were handled: the external one and those that its effects sent at once.
  package var actionCount: Int
  /// How many bindings were applied: none, for an action that is one, means that a
  /// `BindingReducer` is missing.
  package var bindingCount: Int
  /// How many actions were for a child that is not there.
  package var absentChildCount: Int
}

/// Runs a reducer: one external action with everything that follows from it at once is one commit.
///
/// The same core runs in a store and in a daemon. It starts nothing and knows no clock; the state
/// belongs to the caller.
package struct ReducerCore<R: Reducer> {
  /// The most actions of one commit; a reducer that goes on sending is stopped there and reported.
  package static var cascadeLimit: Int { 1_000_000 }

  /// How many handled actions the queue keeps before it is shortened.
  private static var handledKept: Int { 4096 }

  private let reducer: R
  /// What is in force in each call.
  package let context: CommitContext
  private var queue: [R.Action] = []

  /// A core that runs `reducer` with `dependencies` under those of each call.
  package init(_ reducer: R, dependencies: DependencyValues = .current) {
    self.reducer = reducer
    context = CommitContext(dependencies)
  }

  /// What is under the dependencies of each call; a test may change it between two actions.
  package var dependencies: DependencyValues {
    get { context.dependencies }
    nonmutating set { context.dependencies = newValue }
  }

  private var scratch: CommitScratch { context.scratch }

  /// Handles an action, and first-in first-out every action that its effects send at once.
  ///
  /// Iterative: a long chain of such actions costs no stack. `state` holds intermediate values
  /// meanwhile, and does not mean anything after a rejection: callers pass a working copy.
  package mutating func perform(
    _ action: R.Action, on state: inout R.State, facts: CommitFacts = CommitFacts()
  ) -> Cascade<R.Action> {
    drain(action, on: &state, facts: facts)
  }

  /// Handles what the effect of the action that `CommitContext.begin` has handled sends at once.
  package mutating func finish(
    _ effect: Effect<R.Action>, on state: inout R.State
  ) -> Cascade<R.Action> {
    drain(nil, effect, on: &state)
  }

  /// Handles the answer to an alert or dialog: the button's action with everything that follows
  /// from it, and, if the question is still up then, its dismissal, all as one commit.
  package mutating func perform(
    _ answer: AlertAnswer<R.State, R.Action>, on state: inout R.State,
    facts: CommitFacts = CommitFacts()
  ) -> Cascade<R.Action> {
    drain(answer.action, on: &state, facts: facts, followUp: answer.followUp)
  }

  /// The same, telling `afterEach` every action handled and the state after it; for test stores and
  /// logs.
  package mutating func perform(
    _ action: R.Action, on state: inout R.State, facts: CommitFacts,
    afterEach: @escaping (R.Action, R.State) -> Void
  ) -> Cascade<R.Action> {
    drain(action, on: &state, facts: facts, afterEach: afterEach)
  }

  private mutating func drain(
    _ action: R.Action, on state: inout R.State, facts: CommitFacts,
    afterEach: ((R.Action, R.State) -> Void)? = nil,
    followUp: ((R.State) -> R.Action?)? = nil
  ) -> Cascade<R.Action> {
    scratch.begin(facts)
    return drain(action, nil, on: &state, afterEach: afterEach, followUp: followUp)
  }

  /// Begins with an action, or with the effect of one that has been handled.
  private mutating func drain(
    _ action: R.Action?, _ effect: Effect<R.Action>?, on state: inout R.State,
    afterEach: ((R.Action, R.State) -> Void)? = nil,
    followUp: ((R.State) -> R.Action?)? = nil
  ) -> Cascade<R.Action> {
    var followUp = followUp
    var handled = effect
    var plan = EffectPlan<R.Action> { [scratch] in scratch.noteKeyed($0) }
    var count = 0
    context.withValues {
      if let action { queue.append(action) }
      var next = 0
      while handled != nil || next < queue.count {
        let effect: Effect<R.Action>
        if let first = handled {
          effect = first
          handled = nil
        } else {
          let action = queue[next]
          next += 1
          if next == queue.count {
            queue.removeAll(keepingCapacity: true)
            next = 0
          } else if next == Self.handledKept {
            queue.removeFirst(next)
            next = 0
          }
          effect = reducer.reduce(into: &state, action: action)
          afterEach?(action, state)
        }
        count += 1
        if !effect.isNone { plan.add(effect.node) }
        if plan.rejection != nil {
          queue.removeAll(keepingCapacity: true)
          plan.operations = []
          break
        }
        queue.append(contentsOf: plan.sends)
        plan.sends.removeAll(keepingCapacity: true)
        if queue.isEmpty, let last = followUp?(state) {
          queue.append(last)
          followUp = nil
        }
        if count >= Self.cascadeLimit, next < queue.count { stop(queue.count - next) }
      }
    }
    return Cascade(
      operations: plan.operations, reports: scratch.end(), rejection: plan.rejection,
      actionCount: count, bindingCount: scratch.bindingCount,
      absentChildCount: scratch.absentChildCount)
  }

  /// Says that no effect is under way, nor waits to be started: until the next one, actions are
  /// spared the question whose children are gone. Never needed, only cheaper.
  package func noEffectIsUnderWay() { scratch.forgetKeyed() }

  private mutating func stop(_ left: Int) {
    queue.removeAll(keepingCapacity: true)
    reportIssue(
      IssueReport(
        """
        '\(R.self)' handled \(Self.cascadeLimit) actions in one commit and had \(left) more: the \
        rest was dropped. An action that always sends another never ends: send it from \
        'Effect.run', or stop when the state is right.
        """))
  }
}
