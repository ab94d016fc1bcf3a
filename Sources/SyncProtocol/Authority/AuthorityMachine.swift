internal import StateModel

/// The daemon as a pure machine: requests, subscriptions and the journal's answers in; rows, replies
/// and publications out, in order.
///
/// It owns the one order of actions. There is one open batch, and at most one row at the journal;
/// whatever read the state, the session table or an outcome window leaves with the newest batch it
/// read, released by that batch's fsync. No clock, no socket, no disk: the shell says what time it
/// is, and does what `takeOutputs` gives.
package struct AuthorityMachine<App: AuthorityApp> {
  package typealias Output = AuthorityOutput<App.Work>

  /// The app and its state as of the newest entry, ahead of the journal.
  package var app: App
  package let limits: Limits
  package let timing: Timing
  /// Whether there is a journal; without one a batch is released when it closes.
  package let isDurable: Bool
  /// For tests only.
  package var faults: AuthorityFaults = []

  package internal(set) var history: RecoveredHistory
  package let epoch: Epoch
  /// The newest durable commit: what is published.
  package internal(set) var published: CommitNumber
  /// The state as of `published`; what a snapshot is of. In memory mode the state at the start.
  package internal(set) var durableState: App.Checkpoint
  /// The last row that is in the journal.
  package internal(set) var lastRow: UInt64

  var sessions: SessionBook
  var views = ViewBook<App>()
  var pins = PinBook<App.View>()
  var doorbells = Doorbells()
  var calls = CallBook()
  var tasks = TaskBook()
  /// Commits whose effects were ended because they sent too much.
  var overflowed: Set<CommitNumber> = []
  var burst = BurstMeter()
  var log: ActionLog
  var statistics = AuthorityStatistics()

  var open: Batch<App.Work>
  /// The batch whose row is at the journal.
  var inFlight: Batch<App.Work>?
  /// One that is done with, for the memory of its arrays.
  var spare = Batch<App.Work>(serial: 0, after: .zero, floor: .zero)
  /// The state as of the end of `inFlight`.
  var inFlightState: App.Checkpoint?
  /// The daemon's own actions that wait for a batch.
  var inbox: [Batch<App.Work>.OwnWork] = []
  /// The journal refused: until then the inbox waits, unless a client's action comes.
  var inboxHeldUntil: Moment?

  /// When the log may be told again that sessions make room.
  var evictionsTold: Moment

  var phase = AuthorityPhase.running
  var nextBeat: Moment
  /// Whether there was work since the last beat.
  var isBusy = false
  var lastEvent: Moment
  var now: Moment
  var date: Double = 0
  var random: SeedStream
  var rowsSinceSnapshot = 0
  var bytesSinceSnapshot = 0
  /// What `schema` is answered, once it was asked.
  var schemaAnswer: [UInt8]?
  /// Reused for payload hashes.
  var scratch = CBOREncoder()
  /// What who sent the request under way may do.
  var role = Peer.Role.act
  /// Whether the app has questions that are answered by themselves, and those that are up.
  let asksQuestions: Bool
  var deadlines: QuestionDeadlines

  var outputs: [Output] = []

  /// A machine at the end of a recovered history; its own epoch is the last in the table.
  package init(
    app: App, history: RecoveredHistory, limits: Limits = Limits(), timing: Timing = Timing(),
    durable: Bool, now: Moment, seed: UInt64
  ) {
    self.app = app
    self.history = history
    self.limits = limits
    self.timing = timing
    isDurable = durable
    epoch = history.epochs.last?.epoch ?? Epoch(rawValue: 0)
    published = history.commit
    durableState = app.checkpoint
    lastRow = history.lastRow
    sessions = SessionBook(history.sessions)
    log = ActionLog(limit: limits.logEntries)
    open = Batch(serial: 1, after: history.commit, floor: history.sessions.floor)
    nextBeat = now + timing.idleBeat
    lastEvent = now
    evictionsTold = now
    self.now = now
    random = SeedStream(seed: seed)
    asksQuestions = app.asksQuestions
    deadlines = QuestionDeadlines(app.dueAnswers)
    if app.wantsStarted { inbox.append(.started) }
  }

  /// Takes in one event.
  ///
  /// - Parameters:
  ///   - now: monotonic time.
  ///   - date: seconds since 2001-01-01, for what the event commits.
  @_specialize(where App == AnyAuthorityApp)
  package mutating func handle(_ event: AuthorityEvent, at now: Moment, date: Double) {
    noticePause(until: now)
    self.now = max(now, self.now)
    self.date = date
    if deadlines.isDue(at: date) { answerDue() }
    switch event {
    case .request(let request, let route, let peer): handle(request, route: route, peer: peer)
    case .malformed(let request, let code, let text, let route):
      refuse(request, route, code, text)
    case .subscribed(let topic): subscribed(Topic(bytes: topic))
    case .unsubscribed(let topic): unsubscribed(Topic(bytes: topic))
    case .effect(let action, let cause): effect(action, cause: cause)
    case .effectsEnded(let commit): effectsEnded(commit)
    case .drained: drained()
    case .journaled(let row): journaled(row)
    case .journalRefused(let row, let text): journalRefused(row, text)
    case .journalFailed(let row, let text): journalFailed(row, text)
    case .journalFenced(let row): journalFenced(row)
    case .pruned(let oldest): history.oldest = max(history.oldest, oldest)
    case .encoded(let answer, let bytes): encoded(answer, bytes)
    case .compared(let answer, let delta): compared(answer, delta)
    case .tick: tick()
    case .stop(let text): stop(text)
    }
  }

  /// What the shell is to do, in order; each is given once.
  @_specialize(where App == AnyAuthorityApp)
  package mutating func takeOutputs() -> [Output] {
    defer { outputs = [] }
    return outputs
  }

  /// The oldest commit from which the journal can replay.
  var oldest: CommitNumber { history.oldest }

  /// A reply leaves, with the positions as they are now.
  mutating func send(_ body: Reply.Body, code: Code = .ok, to request: UInt64, _ route: Route) {
    let header = Reply.Header(
      code: code, request: request, lineage: history.lineage, epoch: epoch, commit: published,
      durable: published, oldest: oldest)
    outputs.append(.reply(Reply(header: header, body: body), route))
  }

  /// A refusal leaves at once: it depends on no state.
  mutating func refuse(_ request: UInt64, _ route: Route, _ code: Code, _ text: String) {
    statistics.refusals += 1
    send(.text(text), code: code, to: request, route)
  }
}
