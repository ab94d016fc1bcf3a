package import SyncProtocol
package import ZeroMQ

/// The thin shell around a client's machine: owns the sockets, and does what the machine says.
///
/// Runs on its loop's thread. Observers are called there, in order, and must not block.
package actor ClientEngine: LoopActor {
  package nonisolated let loop: EventLoop

  /// What a view's observer hears.
  package enum Signal {
    /// The mirror holds a new value, and what brought it there.
    case changed(ClientOutput.Update)
    case stale(reason: String)
    case fresh(CommitNumber)
    case refused(code: Code, text: String)
  }

  /// What a submitted action's observer hears, in this order.
  package enum ActionSignal {
    case resolved(Resolution)
    /// Every mirror shows it.
    case reached
  }

  private var machine: ClientMachine
  /// Why the daemon does not take what is sent first; nil where it does.
  var lastRefusal: (code: Code, text: String)? { machine.lastRefusal }
  /// Why the daemon takes no session for the moment; nil where it does, or does not answer.
  var helloRefusal: (code: Code, text: String)? { machine.helloRefusal }
  private var sockets: ClientSockets
  private let context: Context
  private var views: [ViewToken: (Signal) -> Void] = [:]
  private var actions = TokenTable<(ActionSignal) -> Void>()
  private var questions: [AskToken: (Reply?) -> Void] = [:]
  var offers: [String: Offer] = [:]
  var calls: [CallToken: (CallEnd) -> Void] = [:]
  var tasks: [ActionToken: (CallEnd) -> Void] = [:]
  /// The work of calls that this client was given.
  var invocations: [CallKey: Invocation] = [:]
  let timing: Timing
  private var onNotice: ((ClientOutput.Notice) -> Void)?
  private var onTogether: (@Sendable (CommitNumber) -> Void)?
  private var lastToken: UInt64 = 0
  private var timer: (token: EventLoop.TimerToken, at: Int64)?
  /// What was read last of the DEALERs and of the SUB.
  private var answer: Message?
  private var update: Message?
  private var isDirty = false
  private var isUnscheduled = false
  private var isDelivering = false
  private var willEndTurn = false
  /// Who waits until the goodbye is answered, and whether that takes no longer.
  private var parting: [CheckedContinuation<Void, Never>] = []
  private var isPartingOver = false

  private static var messagesPerTurn: Int { 4096 }

  package init(
    endpoints: DaemonEndpoints, session: SessionID, limits: Limits = Limits(),
    timing: Timing = Timing(), isPresent: Bool = false, name: String = "", context: Context,
    loop: EventLoop
  ) throws(ZeroMQError) {
    self.loop = loop
    self.context = context
    self.timing = timing
    machine = ClientMachine(
      session: session, limits: limits, timing: timing, isPresent: isPresent, name: name,
      seed: session.bytes.low)
    sockets = try ClientSockets(endpoints, in: context)
  }

  /// Begins to connect.
  package func open(onNotice: @escaping @Sendable (ClientOutput.Notice) -> Void) {
    self.onNotice = onNotice
    isPartingOver = false
    _ = loop.watch(sockets.actions) { [weak self] in
      self?.onLoop { $0.readReplies(.actions) }
    }
    _ = loop.watch(sockets.data) { [weak self] in self?.onLoop { $0.readReplies(.data) } }
    _ = loop.watch(sockets.updates) { [weak self] in self?.onLoop { $0.readUpdates() } }
    handle(.open)
    endTurn()
  }

  /// Calls whenever every mirror has at least what was published up to a commit, also where none of
  /// it was for them.
  package func whenTogether(_ body: @escaping @Sendable (CommitNumber) -> Void) {
    onTogether = body
  }

  /// Says goodbye.
  package func close() {
    handle(.close)
    endTurn()
    onNotice = nil
    onTogether = nil
    views = [:]
    actions = TokenTable()
    questions = [:]
    offers = [:]
    calls = [:]
    tasks = [:]
    for invocation in invocations.values {
      invocation.task.cancel()
      loop.cancel(invocation.timer)
    }
    invocations = [:]
  }

  /// Says goodbye, and returns when the daemon has read it, after `patience` at the latest: until
  /// libzmq's own thread has sent it, a process that ends takes it along.
  package func part(patience: Duration) async {
    close()
    guard machine.isParting, !isPartingOver else { return }
    let end = EventLoop.monotonicNow() + patience.nanoseconds
    let timer = loop.schedule(at: end) { [weak self] in self?.onLoop { $0.endParting() } }
    await withCheckedContinuation { parting.append($0) }
    loop.cancel(timer)
  }

  private func endParting() {
    isPartingOver = true
    for waiting in parting { waiting.resume() }
    parting = []
  }

  /// The daemon's run that has answered; nil while there is none.
  var epoch: Epoch? { machine.epoch }

  /// The number under which the daemon's other clients know this session; nil before it has one.
  package var publicNumber: PublicNumber? { machine.publicNumber }

  // MARK: What the app wants

  /// Mirrors a view until `removeView`.
  package func addView(
    name: String, parameters: [UInt8], replica: any Replica,
    _ observer: @escaping @Sendable (Signal) -> Void
  ) -> ViewToken {
    let token = ViewToken(rawValue: nextToken())
    views[token] = observer
    handle(.addView(token, name: name, parameters: parameters, replica: replica))
    endTurn()
    return token
  }

  /// Gets a view's value once, without a subscription.
  package func fetchView(
    name: String, parameters: [UInt8], replica: any Replica,
    _ observer: @escaping @Sendable (Signal) -> Void
  ) -> ViewToken {
    let token = ViewToken(rawValue: nextToken())
    views[token] = observer
    handle(.fetchView(token, name: name, parameters: parameters, replica: replica))
    endTurn()
    return token
  }

  package func removeView(_ token: ViewToken) {
    views[token] = nil
    handle(.removeView(token))
    endTurn()
  }

  /// Sends an action; its observer hears what became of it, and when every mirror shows it.
  @discardableResult
  package func submit(
    _ entry: Entry, _ observer: @escaping @Sendable (ActionSignal) -> Void
  ) -> ActionToken {
    let token = ActionToken(rawValue: nextToken())
    actions.insert(observer, token.rawValue)
    handle(.submit(token, entry))
    endTurnSoon()
    return token
  }

  /// Keeps which views an action's batch publishes, until that is asked for.
  func keepPublished(by action: ActionToken) { machine.keepPublished(by: action) }

  /// The number under which an action's batch published a view; nil where it did not.
  func takePublished(by action: ActionToken, in view: ViewToken) -> CommitNumber? {
    machine.takePublished(by: action, in: view)
  }

  /// The app waits no longer for an action: it is burnt if it was not done.
  package func giveUp(_ token: ActionToken) {
    handle(.giveUp(token))
    endTurn()
  }

  /// Asks anything else; nil when it was sent, not answered, and cannot be sent twice.
  package func ask(_ body: Request.Body, _ observer: @escaping @Sendable (Reply?) -> Void) {
    let token = AskToken(rawValue: nextToken())
    questions[token] = observer
    handle(.ask(token, body))
    endTurn()
  }

  func nextToken() -> UInt64 {
    lastToken += 1
    return lastToken
  }

  // MARK: In

  /// Takes an event of the app's.
  func tell(_ event: ClientEvent) {
    handle(event)
    endTurn()
  }

  private func handle(_ event: ClientEvent) {
    isDirty = true
    machine.handle(event, at: Moment(nanoseconds: EventLoop.monotonicNow()))
    if machine.isPumpDue { isUnscheduled = true }
  }

  private func readReplies(_ channel: Channel) {
    defer { endTurn() }
    for _ in 0..<Self.messagesPerTurn {
      let isThere =
        channel == .actions
        ? try? sockets.actions.receive(reusing: &answer)
        : try? sockets.data.receive(reusing: &answer)
      guard isThere == true, let message = answer else { return }
      // A DEALER sees the empty delimiter that a REQ would take away.
      guard message.frames.first?.isEmpty == true,
        let reply = try? ReplyCodec.decode(message.frames.dropFirst())
      else { continue }
      handle(.reply(reply, channel))
      if !parting.isEmpty, !machine.isParting { endParting() }
    }
  }

  private func readUpdates() {
    defer { endTurn() }
    for _ in 0..<Self.messagesPerTurn {
      guard (try? sockets.updates.receive(reusing: &update)) == true, let message = update else {
        return
      }
      guard let broadcast = try? BroadcastCodec.decode(message.frames) else { continue }
      handle(.broadcast(broadcast))
      // Publications are delivered one by one: an observer sees each.
      deliver()
    }
  }

  // MARK: Out

  /// Ends the turn once all that waits on the loop now has been called: what was submitted by then
  /// leaves in one request.
  private func endTurnSoon() {
    guard !isDelivering, !willEndTurn else { return }
    willEndTurn = true
    loop.perform { [weak self] in
      self?.onLoop {
        $0.willEndTurn = false
        $0.endTurn()
      }
    }
  }

  private func endTurn() {
    guard !isDelivering else { return }
    deliver()
    if isUnscheduled { schedule() }
  }

  /// Observers may ask for more: that is delivered behind what they were told.
  private func deliver() {
    if isDelivering { return }
    isDelivering = true
    while isDirty {
      isDirty = false
      for output in machine.takeOutputs() { perform(output) }
    }
    isDelivering = false
  }

  private func perform(_ output: ClientOutput) {
    switch output {
    case .send(let request, let channel): send(request, channel)
    case .subscribe(let topic): _ = try? sockets.updates.subscribe(topic)
    case .unsubscribe(let topic): _ = try? sockets.updates.unsubscribe(topic)
    case .changed(let token, let update): views[token]?(.changed(update))
    case .stale(let token, let reason): views[token]?(.stale(reason: reason))
    case .fresh(let token, let number): views[token]?(.fresh(number))
    case .refused(let token, let code, let text): views[token]?(.refused(code: code, text: text))
    case .resolved(let token, let resolution):
      if resolution.isDone {
        actions[token.rawValue]?(.resolved(resolution))
      } else {
        actions.remove(token.rawValue)?(.resolved(resolution))
      }
    case .reached(let token): actions.remove(token.rawValue)?(.reached)
    case .together(let commit): onTogether?(commit)
    case .answered(let token, let reply): questions.removeValue(forKey: token)?(reply)
    case .unanswered(let token): questions.removeValue(forKey: token)?(nil)
    case .offer, .called, .ended, .invoke, .cancelInvoked: perform(handles: output)
    case .notice(let notice): onNotice?(notice)
    }
  }

  private func send(_ request: Request, _ channel: Channel) {
    let frames = RequestCodec.encode(request)
    switch channel {
    case .actions: _ = try? sockets.actions.send(to: [[]], frames[0], frames[1])
    case .data: _ = try? sockets.data.send(to: [[]], frames[0], frames[1])
    }
  }

  private func schedule() {
    isUnscheduled = false
    guard let next = machine.deadline()?.nanoseconds else { return }
    // One that comes too early finds nothing to do, and is cheaper than a new one for each request.
    if let timer, timer.at <= next, timer.at > EventLoop.monotonicNow() { return }
    if let timer { loop.cancel(timer.token) }
    let token = loop.schedule(at: next) { [weak self] in
      self?.onLoop {
        $0.timer = nil
        $0.handle(.tick)
        $0.endTurn()
      }
    }
    timer = (token, next)
  }
}
