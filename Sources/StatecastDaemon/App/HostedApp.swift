package import Composable
internal import FoundationEssentials
package import StateModel
package import SyncProtocol

/// An app's reducer and state as the protocol's machine sees them.
///
/// A value: the machine keeps a copy of the state of the last durable batch, and returns to it
/// when the journal refuses a batch.
package struct HostedApp<Root: Reducer>: AuthorityApp
where Root.State: Mirrored, Root.Action: Mirrored {
  /// Effects of the app, `[EffectOperation<Root.Action>]`. Of no type here, so that what is returned
  /// for each action is laid out at compile time.
  package typealias Work = any Sendable
  package typealias View = HostedView<Root>

  package private(set) var state: Root.State
  /// The questions that were answered of late.
  private(set) var answered = AnsweredQuestions()
  let alertPlaces: [AlertPlace<Root.State, Root.Action>]
  private let reducer: Root
  private var core: ReducerCore<Root>
  /// The core's own: reached without a question of how a core is laid out.
  private let context: CommitContext
  private let definitions: [String: ViewDefinition<Root.State>]
  private let schemaHashes: [String: UInt64]
  let started: Root.Action?
  private let actionStep: ActionStep<Root>
  let guests: GuestActions<Root.Action>
  private let authorize: (Root.Action, PublicNumber?) -> Bool
  private let report: (IssueReport) -> Void
  private let actionSchema: Schema
  let bindings: BindingPaths
  package let schemaHash: UInt64

  package init(
    reducer: Root, state: Root.State, views: [ViewDefinition<Root.State>],
    started: Root.Action? = nil, alertPlaces: [AlertPlace<Root.State, Root.Action>] = [],
    actionStep: ActionStep<Root> = ActionStep(),
    guests: GuestActions<Root.Action> = GuestActions(),
    authorize: @escaping (Root.Action, PublicNumber?) -> Bool = { _, _ in true },
    report: @escaping @Sendable (IssueReport) -> Void
  ) {
    self.state = state
    var dependencies = DependencyValues.current
    // Effects report too, and standard output is for nobody's mistakes.
    dependencies.issueReporter = IssueReporter(report)
    self.reducer = reducer
    core = ReducerCore(reducer, dependencies: dependencies)
    context = core.context
    definitions = Dictionary(views.map { ($0.name, $0) }) { first, _ in first }
    schemaHashes = definitions.mapValues { $0.schema.hash }
    self.started = started
    self.actionStep = actionStep
    self.guests = guests
    self.authorize = authorize
    self.report = report
    self.alertPlaces = alertPlaces
    actionSchema = Schema(of: Root.Action.self)
    bindings = BindingPaths(ofAction: Root.Action.self)
    schemaHash = Schema(of: Root.State.self).hash
  }

  /// What an undone batch returns to.
  package struct Checkpoint: Sendable {
    package var root: Root.State
    var answered: AnsweredQuestions
  }

  package var checkpoint: Checkpoint { Checkpoint(root: state, answered: answered) }

  package mutating func restore(_ checkpoint: Checkpoint) {
    state = checkpoint.root
    answered = checkpoint.answered
  }

  package var rootDigest: Digest { state.digest }
  package var wantsStarted: Bool { started != nil || guests.areWanted }
  package var wantsPresence: Bool { guests.areWanted }

  package mutating func perform(_ entry: CommitEntry) -> Performed<Work> {
    if case .client(.perform(let action)) = entry.kind, entry.expectations.isEmpty,
      bindings.find(in: action) == nil
    {
      return perform(action, entry)
    }
    return performStep(entry)
  }

  /// By itself, so that an action costs nothing for what other entries need.
  private mutating func performStep(_ entry: CommitEntry) -> Performed<Work> {
    let step: Step
    do {
      if let refusal = unmet(entry.expectations, of: entry.kind) { return refusal }
      step = try self.step(of: entry)
    } catch {
      return Performed(code: error.code, text: error.text, path: error.path)
    }
    if case .client = entry.kind, !isOfDeadline(entry), !authorize(step.action, entry.origin) {
      return Performed(code: .forbidden, text: "this client may not send that action")
    }
    let facts = Self.facts(of: entry)
    var next = state
    var cascade = core.perform(step.action, on: &next, facts: facts)
    if case .client = entry.kind, let (outcome, report) = unapplied(step, cascade) {
      if let report { self.report(report) }
      return outcome
    }
    for report in cascade.reports { self.report(report) }
    if let rejection = cascade.rejection { return Self.rejected(rejection) }
    for action in step.further {
      let further = core.perform(action, on: &next, facts: facts)
      for report in further.reports { self.report(report) }
      if let rejection = further.rejection { return Self.rejected(rejection) }
      cascade.operations += further.operations
    }
    if let followUp = step.followUp(next) {
      // An answer's action and what takes the question away are one commit.
      let second = core.perform(followUp, on: &next, facts: facts)
      for report in second.reports { self.report(report) }
      if let rejection = second.rejection { return Self.rejected(rejection) }
      cascade.operations += second.operations
    }
    if let question = step.question {
      if let mistake = step.mistake(next) {
        report(
          IssueReport(
            mistake.advice, at: SourceLocation(fileID: "\(Root.self)", line: 0)))
        return Performed(code: .rejected, text: mistake.text)
      }
      answered.add(question, by: entry.origin, at: entry.commit, date: entry.date)
    }
    return commit(next, cascade.operations, entry)
  }

  private static func facts(of entry: CommitEntry) -> CommitFacts {
    CommitFacts(
      date: entry.date, seed: entry.seed, origin: entry.origin, commit: entry.commit.rawValue,
      expectations: fieldExpectations(entry))
  }

  /// What most entries are: an action, without any condition.
  private mutating func perform(_ action: [UInt8], _ entry: CommitEntry) -> Performed<Work> {
    let (result, reports) = run(action, entry)
    if !reports.isEmpty { for report in reports { self.report(report) } }
    switch result {
    case .done(let changed, let delta):
      return .changed(changed, delta)
    case .more(let more):
      guard let further = more as? ActionStep<Root>.Further else {
        return Performed(code: .internal, text: "an action's step gave what it cannot give")
      }
      var next = further.state
      let cascade = core.finish(further.effect, on: &next)
      for report in cascade.reports { self.report(report) }
      if let rejection = cascade.rejection { return Self.rejected(rejection) }
      return commit(next, cascade.operations, entry)
    case .forbidden:
      return Performed(code: .forbidden, text: "this client may not send that action")
    case .unreadable(let failure):
      let refusal = Self.refusal(failure)
      return Performed(code: refusal.code, text: refusal.text, path: refusal.path)
    }
  }

  private mutating func run(
    _ action: [UInt8], _ entry: CommitEntry
  ) -> (result: ActionStepResult, reports: [IssueReport]) {
    let facts = CommitFacts(
      date: entry.date, seed: entry.seed, origin: entry.origin, commit: entry.commit.rawValue)
    let (step, reducer, authorize) = (actionStep, reducer, authorize)
    var result = ActionStepResult.forbidden
    let reports = context.begin(facts) {
      [origin = entry.origin, isJournaled = entry.wantsRootDelta] in
      result = step.run(reducer, &state, action, isJournaled) { authorize($0, origin) }
    }
    return (result, reports)
  }

  /// The state is another one now.
  private mutating func commit(
    _ next: Root.State, _ operations: [EffectOperation<Root.Action>], _ entry: CommitEntry
  ) -> Performed<Work> {
    let changed = !next.isIdentical(to: state)
    let delta = changed && entry.wantsRootDelta ? next.delta(from: state) : .empty
    state = next
    return Performed(
      code: changed ? .ok : .noChange, rootDelta: delta,
      work: operations.isEmpty ? nil : operations)
  }

  private static func rejected(_ rejection: Rejection) -> Performed<Work> {
    let code = Code(rawValue: rejection.code)
    return Performed(
      code: code.consumesNumber ? code : .rejected, text: rejection.text,
      path: rejection.path.map { $0.encoded() })
  }

  /// Whether it is the answer that a question gets by itself: nobody sent it.
  private func isOfDeadline(_ entry: CommitEntry) -> Bool {
    if case .client(.answer) = entry.kind { entry.origin == nil } else { false }
  }

  package var asksQuestions: Bool { !alertPlaces.isEmpty }

  package var dueAnswers: [DueAnswer] {
    alertPlaces.dueAnswers(in: state).map { question in
      DueAnswer(
        alert: question.id.encoded(), button: question.deadline.button.map { UInt64(clamping: $0) },
        date: question.deadline.date.timeIntervalSinceReferenceDate)
    }
  }

  package func openView(name: String, parameters: [UInt8]) throws(ViewRefusal) -> HostedView<Root> {
    guard let definition = definitions[name], let hash = schemaHashes[name] else {
      throw ViewRefusal(
        code: .unknown,
        text: "no view is named \(name); there are \(viewNames.joined(separator: ", "))")
    }
    do {
      return HostedView(try definition.open(parameters, state), schemaHash: hash)
    } catch {
      throw ViewRefusal(code: .malformed, text: "parameters of \(name): \(error)")
    }
  }

  package var viewNames: [String] { definitions.keys.sorted() }

  package var schemaDescription: Value {
    let views = definitions.values.map { definition in
      (
        definition.name,
        Value.map([
          "state": Self.value(definition.schema),
          "parameters": definition.parameterSchema.map { Self.value($0) } ?? .null,
        ])
      )
    }
    return .map([
      "state": Self.value(Schema(of: Root.State.self)),
      "action": Self.value(actionSchema),
      "views": .map(Dictionary(views) { first, _ in first }),
    ])
  }

  /// A schema's encoding is deterministic, so it always decodes.
  private static func value(_ schema: Schema) -> Value {
    (try? Value(encoded: schema.encoded())) ?? .null
  }
}
