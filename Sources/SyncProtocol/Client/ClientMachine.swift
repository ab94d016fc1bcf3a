/// A client, as a pure machine: events in, outputs out; no clock, lock or socket.
///
/// It joins through a doorbell, keeps a mirror for each view, sends actions so that each is applied
/// exactly once, and begins anew whenever the daemon's epoch or history changes. Each part is a
/// small machine of its own (`LinkMachine`, `MirrorMachine`, `Outbox`, `RequestLane`); this one puts
/// them together. Timers run in `tick` only, so a process that was stopped for a while sees what
/// has arrived before it concludes that nothing has.
package struct ClientMachine: Sendable {
  let timing: Timing
  let isPresent: Bool
  let name: String
  let faults: ClientFaults
  var random: SeedStream
  /// Session ids are secret: they come from a generator that nothing public is drawn from.
  private var secrets: SeedStream

  /// Between `open` and `close`.
  var isOpen = false
  /// The request that said goodbye; nil where none did, and once it is answered.
  var goodbye: UInt64?
  var limits: Limits
  package internal(set) var session: SessionID
  var base: CommitNumber?
  /// What stands for this session in everything published; nil before the first hello.
  package internal(set) var publicNumber: PublicNumber?
  /// The highest durable commit that was read, and where.
  var seen: Hello.Seen?
  /// The daemon's run that has answered the hello; nil while there is none.
  var run: DaemonRun?
  /// A hello is to be sent though the run is known: the link was made anew.
  var needsHello = false
  var helloNotBefore: Moment?
  var helloAttempts: Backoff
  /// Why the last hello was refused for the moment; nil where it was not.
  package internal(set) var helloRefusal: (code: Code, text: String)?
  /// What the last hello that was sent, and the last that was answered, said of being present.
  var saysPresent = false
  var saidPresent = false
  var offers = OfferBook()
  var desk: CallDesk
  var invocations = InvocationDesk()
  /// Tasks that have ended in the daemon, and whose last actions the mirrors do not show yet.
  var ending = ReachWaits()
  var ends: [ActionToken: CallEnd] = [:]
  /// When anything was last heard from a daemon.
  var lastHeard: Moment?
  /// When a reply first came while nothing published is heard; nil while that is heard.
  var answeredInSilence: Moment?
  /// Whether it was said that nothing published arrives, since something last did.
  var hasToldUnheard = false
  /// Hellos in a row that another daemon answered than the one that welcomed.
  var strangers = 0

  var link: LinkMachine
  var silences = 0
  var actions: RequestLane
  var data: RequestLane
  private var requestCount: UInt64 = 0

  var mirrors: [MirrorMachine] = []
  /// What the batches of some actions published, of those for which that is to be kept.
  var publishedBy: [ActionToken: [Topic: CommitNumber]] = [:]
  /// Where the search for a mirror that wants something goes on, so that all get their turn.
  var turn = 0
  var leaving: [Topic] = []

  var outbox: Outbox
  var outboxNotBefore: Moment?
  var outboxAttempts: Backoff
  /// Why the first of what is sent was not taken when it was last answered; nil where it was, and
  /// where something was given up since.
  package internal(set) var lastRefusal: (code: Code, text: String)?
  /// Requests with actions that were sent in this run: a late answer settles as well as a timely one.
  var actRequests: [UInt64] = []
  /// What was acknowledged, in case history is rewritten.
  var past: AcknowledgedPast
  var waits = ReachWaits()
  var together: (commit: CommitNumber, numbers: [Topic: CommitNumber])?

  var asks: [Ask] = []
  var aliveDue: Moment?
  /// The highest mail number that was received in `mailRun`.
  var mail: UInt64 = 0
  var mailRun: DaemonRun?

  var outputs: [ClientOutput] = []
  /// When the last event came, and whether what follows from it is in `outputs`.
  private var lastEvent = Moment(nanoseconds: 0)
  private var isSettled = true
  /// Whether something has come since that may change what is asked for, or when `tick` is due.
  package var isPumpDue = true

  struct Ask: Sendable {
    var token: AskToken
    var body: Request.Body
    var isOut = false
  }

  /// How many attempts of actions may still be answered late.
  static let attemptsRemembered = 16

  /// A closed client.
  ///
  /// - Parameters:
  ///   - session: sixteen bytes that nobody else can know.
  ///   - isPresent: whether the session is listed as present while it is open.
  ///   - name: as what it is listed.
  ///   - halvedFrom: how many waiting actions leave in two requests, one behind the other.
  ///   - seed: for nonces and jitter.
  package init(
    session: SessionID, limits: Limits = Limits(), timing: Timing = Timing(),
    isPresent: Bool = false, name: String = "", halvedFrom: Int = 128, seed: UInt64,
    faults: ClientFaults = []
  ) {
    self.session = session
    self.limits = limits
    self.timing = timing
    self.isPresent = isPresent
    self.name = name
    self.faults = faults
    random = SeedStream(seed: seed)
    secrets = SeedStream(seed: session.bytes.high ^ (session.bytes.low &* 0x9E37_79B9_7F4A_7C15))
    helloAttempts = Backoff(first: timing.refusalRetry, longest: timing.longestRetry)
    outboxAttempts = Backoff(first: timing.refusalRetry, longest: timing.longestRetry)
    link = LinkMachine(timing: timing)
    actions = RequestLane(timing: timing)
    data = RequestLane(timing: timing)
    outbox = Outbox(halvedFrom: halvedFrom, faults: faults)
    desk = CallDesk(timing: timing)
    past = AcknowledgedPast()
  }

  /// Takes one event. What is to be done about it is in `takeOutputs`: what several events want to
  /// send goes out together.
  package mutating func handle(_ event: ClientEvent, at now: Moment) {
    lastEvent = now
    isSettled = false
    let wasPumpDue = isPumpDue
    isPumpDue = true
    switch event {
    case .open:
      isOpen = true
      goodbye = nil
    case .addView(let token, let name, let parameters, let replica):
      addView(token, name, parameters, replica, follows: true, at: now)
    case .fetchView(let token, let name, let parameters, let replica):
      addView(token, name, parameters, replica, follows: false, at: now)
    case .removeView(let token): removeView(token)
    case .submit(let token, let entry): outbox.submit(token, entry)
    case .submitTogether(let entries):
      if !entries.isEmpty { outbox.submit(entries, atomic: true) }
    case .offer(let name): offer(name)
    case .withdraw(let name): withdraw(name)
    case .call(let token, let handle, let argument, let deadline):
      call(token, handle, argument, deadline, at: now)
    case .cancelCall(let token): cancelCall(token)
    case .giveBack(let key, let end): giveBack(key, end)
    case .follow(let token): follow(token)
    case .watch(let token, let commit):
      desk.watches.append(CallDesk.Watch(token: token, commit: commit))
    case .cancelTask(let token): cancelTask(token)
    case .giveUp(let token):
      // Somebody waits for what is said of it: it is asked for now, not after a pause.
      lastRefusal = nil
      outboxNotBefore = nil
      settle(outbox.giveUp(token), views: [:])
    case .ask(let token, let body): asks.append(Ask(token: token, body: body))
    case .broadcast(let broadcast):
      if isOpen, receive(broadcast, at: now) { isPumpDue = wasPumpDue }
    case .reply(let reply, let channel):
      if isOpen {
        receive(reply, on: channel, at: now)
      } else if reply.header.request == goodbye {
        goodbye = nil
      }
    case .tick: if isOpen { tick(at: now) }
    case .close: if isOpen { close(at: now) }
    }
  }

  /// What to do, in order; each output is given once.
  package mutating func takeOutputs() -> [ClientOutput] {
    if !isSettled {
      isSettled = true
      if !isOpen {
        if !desk.isUnused { closeDesk(Self.closed) }
      } else if isPumpDue {
        pump(at: lastEvent)
      }
      isPumpDue = false
      tellReached()
      tellEnded()
    }
    defer { outputs.removeAll(keepingCapacity: false) }
    return outputs
  }

  /// When to `tick` at the latest; nil when nothing is waited for.
  package var nextDeadline: Moment? {
    var machine = self
    return machine.deadline()
  }

  /// The same, without a copy of the machine.
  package mutating func deadline() -> Moment? {
    guard isOpen else { return nil }
    var earliest: Moment?
    func consider(_ moment: Moment?) {
      if let moment, earliest.map({ moment < $0 }) ?? true { earliest = moment }
    }
    consider(actions.flight?.deadline)
    consider(data.flight?.deadline)
    consider(link.nextDeadline)
    consider(deskDeadline)
    if run != nil, data.isFree { consider(aliveDue) }
    consider(helloNotBefore)
    consider(outboxNotBefore)
    consider(unheardDue)
    for index in mirrors.indices {
      consider(mirrors[index].notBefore)
      if !mirrors[index].isStale {
        consider(mirrors[index].behindSince.map { $0 + timing.linkLost })
      }
    }
    return earliest
  }

  /// The mirror's value, exact unless it is stale; nil for an unknown view.
  package func replica(of token: ViewToken) -> (any Replica)? {
    mirrors.indices.first { mirrors[$0].token == token }.map { mirrors[$0].replica }
  }

  /// Where the mirror's value stands; nil while there is none that is exact.
  package func position(of token: ViewToken) -> Position? {
    mirrors.first { $0.token == token }?.position
  }

  /// Since when the mirror is not known to be exact and current, and why; nil when it is.
  package func staleness(of token: ViewToken) -> (since: Moment, reason: String)? {
    mirrors.first { $0.token == token }?.stale.map { ($0.since, $0.reason) }
  }

  /// Whether the mirror is not known to be exact and current; also for an unknown view.
  package func isStale(_ token: ViewToken) -> Bool {
    mirrors.first { $0.token == token }?.isStale ?? true
  }

  /// Whether a daemon has answered the hello.
  package var isConnected: Bool { run != nil }

  /// The daemon's run that has answered the hello; nil while there is none.
  package var epoch: Epoch? { run?.epoch }

  /// Whether it is closed, and its goodbye is not answered so far.
  package var isParting: Bool { goodbye != nil }

  /// Actions that are not resolved.
  package var unresolved: Int { outbox.count }

  /// Actions that are done and whose `reached` is still to come.
  package var unreached: Int { waits.count }

  /// Bytes that are held while mirrors wait for what comes before.
  package var heldBytes: Int { mirrors.reduce(0) { $0 + $1.held.bytes } }

  mutating func nextRequest() -> UInt64 {
    requestCount += 1
    return requestCount
  }

  /// Another session: the numbers of the last one mean nothing any more.
  mutating func takeNewSession() {
    session = SessionID(Bytes16.random(using: &secrets))
    base = nil
    publicNumber = nil
    // What was seen and acknowledged stays: a backup may be restored that is older than it.
    past.sessionEnded()
    actRequests = []
    cancelActions()
    run = nil
    mailRun = nil
    mail = 0
    endWaits(.gone, Self.anotherSession)
    invocations.forget()
    saidPresent = false
    offers.startOver()
    waits.epochEnded()
    ending.epochEnded()
  }
}
