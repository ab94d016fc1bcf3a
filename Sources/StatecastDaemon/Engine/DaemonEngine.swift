package import Journal
package import StateModel
package import SyncProtocol
package import ZeroMQ

/// The thin shell around the daemon's machine: owns the sockets, hands rows to the journal's
/// thread, starts effects, and does what the machine says.
///
/// One thread, the loop's, owns the sockets and the state. A turn drains the sockets into the open
/// batch; at its end the batch is closed if the journal is free, so that while one row is being
/// synced the next batch fills.
package actor DaemonEngine: LoopActor {
  package nonisolated let loop: EventLoop

  /// What the engine reaches outside of itself; everything is called on the loop.
  package struct Surroundings {
    /// Starts the effects of a durable commit, whose action an effect of another commit sent, if it
    /// did; whether anything of it is under way.
    package var start: ((any Sendable)?, CommitNumber, _ sentBy: CommitNumber?) -> Bool
    /// Ends what a commit started.
    package var cancel: (CommitNumber) -> Void
    /// A line for the log.
    package var report: (String) -> Void
    /// A line for whoever looks for a fault; nil where nobody does.
    package var trace: ((String) -> Void)?
    /// Seconds since 2001-01-01.
    package var wallClock: () -> Double
    /// Who an ipc peer is (nil: not ipc), and what it may; nil refuses it.
    package var peer: (PeerCredentials?) -> Peer?
    /// Encodes a state for a journal's snapshot. Not on the loop: a large one takes its time.
    package var encode: @Sendable (any Sendable) -> EncodedState
    /// Everything is said; the sockets may close.
    package var stopped: (StopReason) -> Void

    package init(
      start: @escaping ((any Sendable)?, CommitNumber, _ sentBy: CommitNumber?) -> Bool,
      cancel: @escaping (CommitNumber) -> Void, report: @escaping (String) -> Void,
      trace: ((String) -> Void)? = nil, wallClock: @escaping () -> Double,
      peer: @escaping (PeerCredentials?) -> Peer?,
      encode: @escaping @Sendable (any Sendable) -> EncodedState,
      stopped: @escaping (StopReason) -> Void
    ) {
      self.start = start
      self.cancel = cancel
      self.report = report
      self.trace = trace
      self.wallClock = wallClock
      self.peer = peer
      self.encode = encode
      self.stopped = stopped
    }
  }

  private var machine: AuthorityMachine<AnyAuthorityApp>
  /// Nil once closed.
  private var sockets: DaemonSockets?
  private var journal: JournalThread?
  private let background: BackgroundThread
  private let surroundings: Surroundings
  private let limits: Limits
  private var blocked: BlockedReplies
  private var timer: (token: EventLoop.TimerToken, at: Int64)?
  private var retryTimer: EventLoop.TimerToken?
  private var isStopped = false
  private var crowd = Crowd()
  /// The message read last: the memory of its frames is used for the next one.
  private var received: Message?
  /// What a turn publishes and answers, until all of it is encoded.
  private var leaving: [Leaving] = []
  private var leavingBytes = 0
  /// Commits whose effects had nothing to run.
  private var ended: [CommitNumber] = []
  /// Messages without a place for an answer, for `stats`.
  private var unanswerable = 0

  /// How many messages are taken from a socket before the batch is closed, and for how many
  /// nanoseconds: bounds the latency that a burst costs whoever is in it. By time too, since one
  /// message may cost a microsecond or many milliseconds.
  private static let messagesPerTurn = 1024
  private static let nanosecondsPerTurn: Int64 = 2_000_000
  /// Between attempts to hand replies to peers that do not read.
  private static let replyRetry: Int64 = 10_000_000

  package init(
    machine: AuthorityMachine<AnyAuthorityApp>, sockets: DaemonSockets,
    background: BackgroundThread, limits: Limits, surroundings: Surroundings, loop: EventLoop
  ) {
    self.machine = machine
    self.sockets = sockets
    self.background = background
    self.limits = limits
    self.surroundings = surroundings
    self.loop = loop
    blocked = BlockedReplies(bytesPerPeer: limits.inFlight)
  }

  /// Begins to serve; `journal` is the one whose history the machine began with.
  package func start(journal: JournalThread?) {
    self.journal = journal
    if let sockets {
      _ = loop.watch(sockets.router) { [unowned self] in onLoop { $0.readRequests() } }
      _ = loop.watch(sockets.publisher) { [unowned self] in
        onLoop { $0.readSubscriptions() }
      }
      _ = loop.watch(sockets.routerMonitor.socket) { [unowned self] in
        onLoop { $0.countConnections() }
      }
      _ = loop.watch(sockets.publisherMonitor.socket) { [unowned self] in
        onLoop { $0.countConnections() }
      }
    }
    loop.afterTurn = { [unowned self] in onLoop { $0.endTurn() } }
    handle(.tick)
    endTurn()
  }

  /// Says nothing more, and returns when what was said has left for every peer that reads.
  package func fallSilent(in context: Context) {
    isStopped = true
    loop.afterTurn = nil
    _ = try? context.handOver()
  }

  /// Closes the sockets, silent before.
  package func close() { sockets = nil }

  /// SIGTERM, or a client's `stop`.
  package func stop(_ text: String) { handle(.stop(text: text)) }

  /// An effect sent an action.
  package func effectSent(_ action: [UInt8], cause: CommitNumber) {
    handle(.effect(action: action, cause: cause))
  }

  /// Everything that a commit started has ended.
  package func effectsEnded(_ commit: CommitNumber) { handle(.effectsEnded(commit)) }

  // MARK: In

  /// A state as a journal's snapshot holds it.
  package struct EncodedState {
    package var bytes: [UInt8]
    package var digest: Digest
    package var schemaHash: UInt64
    package init(bytes: [UInt8], digest: Digest, schemaHash: UInt64) {
      self.bytes = bytes
      self.digest = digest
      self.schemaHash = schemaHash
    }
  }

  private func handle(_ event: AuthorityEvent) {
    machine.handle(
      event, at: Moment(nanoseconds: EventLoop.monotonicNow()), date: surroundings.wallClock())
  }

  /// What is left waits for the next turn: the loop calls again while there is something to read.
  /// The socket takes from its peers in turns, so whoever floods it delays the others by a message
  /// or two, not by all of its own.
  private func readRequests() {
    let end = EventLoop.monotonicNow() + Self.nanosecondsPerTurn
    for _ in 0..<Self.messagesPerTurn {
      guard (try? sockets?.router.receive(reusing: &received)) == true, let message = received
      else { return }
      read(message)
      if EventLoop.monotonicNow() >= end { return }
    }
  }

  private func read(_ message: Message) {
    // An envelope ends with its first empty frame; without one there is no way to answer.
    guard let end = message.frames.prefix(Self.longestEnvelope).firstIndex(where: { $0.isEmpty }),
      message.frames.count > end + 1, let peer = surroundings.peer(message.peer)
    else {
      unanswerable += 1
      return
    }
    let route = Route(envelope: Array(message.frames[...end]))
    do {
      let request = try RequestCodec.decode(message.frames[(end + 1)...], limits: limits)
      handle(.request(request, route: route, peer: peer))
    } catch {
      guard let request = error.request else {
        unanswerable += 1
        return
      }
      handle(.malformed(request: request, code: error.code, text: error.text, route: route))
    }
  }

  private static let longestEnvelope = 8

  private func readSubscriptions() {
    let end = EventLoop.monotonicNow() + Self.nanosecondsPerTurn
    for _ in 0..<Self.messagesPerTurn {
      guard let message = try? sockets?.publisher.receive() else { return }
      if let frame = message.frames.first, let first = frame.first {
        switch first {
        case 1:
          if let sockets {
            crowd.boundSubscriptions(of: message.sourceDescriptor, on: sockets)
          }
          handle(.subscribed(topic: Array(frame.dropFirst())))
        case 0: handle(.unsubscribed(topic: Array(frame.dropFirst())))
        default: break
        }
      }
      if EventLoop.monotonicNow() >= end { return }
    }
  }

  /// The journal's word on a row.
  package func journalAnswered(_ row: UInt64, _ result: AppendResult) {
    switch result {
    case .durable:
      handle(.journaled(row: row))
      deliver()
    case .refused(let text): handle(.journalRefused(row: row, text: text))
    case .failed(let text): handle(.journalFailed(row: row, text: text))
    case .fenced: handle(.journalFenced(row: row))
    }
  }

  private func countConnections() {
    guard let sockets else { return }
    let line = crowd.countConnections(on: sockets, now: EventLoop.monotonicNow())
    if let line { surroundings.report(line) }
  }

  // MARK: Out

  private func endTurn() {
    if isStopped { return }
    handle(.drained)
    deliver()
    schedule()
  }

  private func deliver() {
    var outputs = machine.takeOutputs()
    // Performing one may give more: effects that end as soon as they are started.
    while !outputs.isEmpty {
      for output in outputs {
        switch output {
        case .broadcast(let broadcast):
          leave(.publication(BroadcastCodec.encode(broadcast)))
        case .reply(let reply, let route):
          if let trace = surroundings.trace { ReplyTrace.lines(of: reply).forEach(trace) }
          leave(.reply(ReplyCodec.encode(reply), route))
        default:
          send()
          perform(output)
        }
      }
      send()
      outputs = machine.takeOutputs()
    }
  }

  private func perform(_ output: AuthorityOutput<any Sendable>) {
    switch output {
    case .append(let row): append(row)
    case .reply, .broadcast: break
    case .start(let work, let cause, let sender):
      let isUnderWay = surroundings.start(work, cause, sender)
      if sender == nil, !isUnderWay { handle(.effectsEnded(cause)) }
    case .handled(let sender): _ = surroundings.start(nil, .zero, sender)
    case .cancelEffects(let commit): surroundings.cancel(commit)
    case .report(let text): surroundings.report(text)
    case .saveSnapshot(let sessions, let commit): save(sessions, at: commit)
    case .background(let work): perform(work)
    // Where no thread can be had, it is let go of here.
    case .discard(let value): try? background.run { value.letGo() }
    case .stopped(let reason):
      isStopped = true
      surroundings.stopped(reason)
    }
  }

  /// Where the disk is quick there is no hand-over; where it is not, the loop does not wait for it.
  private func append(_ row: JournalRow) {
    guard let journal else { return }
    let isHere = loop.block { journal.appendHere(row, after: row.id - 1) }
    if !isHere { journal.submit(row, after: row.id - 1) }
  }

  /// Delivered at once after the row's event, so the durable state is still that commit's.
  private func save(_ sessions: SessionTable, at commit: CommitNumber) {
    guard let journal, commit == machine.published else { return }
    let (row, state, encode) = (machine.lastRow, machine.durableState, surroundings.encode)
    journal.save {
      let encoded = encode(state)
      return JournalSnapshot(
        row: row, commit: commit, state: encoded.bytes, digest: encoded.digest,
        schemaHash: encoded.schemaHash, sessions: sessions)
    }
  }

  /// A large value is encoded, or compared, for those who pull it.
  private func perform(_ work: BackgroundWork) {
    do {
      try background.run { [self] in
        let event = work.run()
        loop.perform { [self] in onLoop { $0.handle(event) } }
      }
    } catch {
      surroundings.report("a large view cannot be encoded: \(error.message)")
      handle(work.failed)
    }
  }

  private enum Leaving {
    case publication([[UInt8]])
    case reply([[UInt8]], Route)

    var bytes: Int {
      switch self {
      case .publication(let frames), .reply(let frames, _): frames.reduce(0) { $0 + $1.count }
      }
    }
  }

  /// From so many bytes on what is encoded does not wait for the rest: libzmq makes its own copy, and
  /// a turn may answer with a thousand pieces of large snapshots.
  private static let bytesTogether = 256 << 10

  private func leave(_ message: Leaving) {
    leaving.append(message)
    leavingBytes += message.bytes
    if leavingBytes >= Self.bytesTogether { send() }
  }

  /// Everything that was encoded leaves at once: libzmq's own thread is woken once for all of it, and
  /// whoever is waiting for a publication and its reply has both.
  private func send() {
    if leaving.isEmpty { return }
    for message in leaving {
      switch message {
      case .publication(let frames): _ = try? sockets?.publisher.send(frames)
      case .reply(let frames, let route):
        let pending = BlockedReplies.Pending(route: route, header: frames[0], body: frames[1])
        if blocked.isBlocked(route) || !deliver(pending) { keep(pending) }
      }
    }
    leaving.removeAll(keepingCapacity: true)
    leavingBytes = 0
  }

  /// Whether the reply is done with: taken, or its peer is gone.
  private func deliver(_ reply: BlockedReplies.Pending) -> Bool {
    (try? sockets?.router.send(to: reply.route.envelope, reply.header, reply.body)) != .wouldBlock
  }

  private func keep(_ reply: BlockedReplies.Pending) {
    blocked.keep(reply)
    if retryTimer == nil { scheduleRetry() }
  }

  private func scheduleRetry() {
    let at = EventLoop.monotonicNow() + Self.replyRetry
    retryTimer = loop.schedule(at: at) { [unowned self] in onLoop { $0.retryReplies() } }
  }

  private func retryReplies() {
    retryTimer = nil
    blocked.retry(deliver)
    if !blocked.isEmpty { scheduleRetry() }
  }

  private func schedule() {
    guard let next = machine.deadline()?.nanoseconds else { return }
    if let timer, timer.at <= next, timer.at > EventLoop.monotonicNow() { return }
    if let timer { loop.cancel(timer.token) }
    let token = loop.schedule(at: next) { [unowned self] in
      onLoop {
        $0.timer = nil
        $0.handle(.tick)
      }
    }
    timer = (token, next)
  }
}
