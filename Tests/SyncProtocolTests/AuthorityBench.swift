import StateModel

@testable import SyncProtocol

/// A machine on the bench: one line an event, and its outputs sorted by kind.
struct AuthorityBench {
  var machine: AuthorityMachine<FlipApp>
  var now = Moment(nanoseconds: 1_000_000_000)
  private var nextRequest: UInt64 = 0
  private var requests: [AuthorityEvent] = []

  /// Everything since `take()`.
  private(set) var replies: [Reply] = []
  private(set) var broadcasts: [Broadcast] = []
  private(set) var rows: [JournalRow] = []
  private(set) var started: [String] = []
  private(set) var snapshots: [SessionTable] = []
  private(set) var stopped: StopReason?
  /// All outputs since `take()`, by a word each, in order.
  private(set) var order: [String] = []
  /// All rows ever appended and journaled.
  private(set) var journal: [JournalRow] = []
  private var rowUnderWay: JournalRow?
  /// Whether what the machine wants encoded is encoded at once.
  var encodesAtOnce = true
  /// What it wants encoded otherwise, in order.
  private(set) var encodings: [BackgroundWork] = []
  private(set) var discarded = 0

  static let lineage = Lineage(Bytes16(high: 1, low: 1))
  static let epoch = Epoch(rawValue: 9)
  static let peer = Peer(identity: "1000", role: .act)

  static func session(_ number: UInt64) -> SessionID { SessionID(Bytes16(high: 5, low: number)) }

  init(
    durable: Bool = false, limits: Limits = Limits(), timing: Timing = Timing(),
    app: FlipApp = FlipApp(), history: RecoveredHistory? = nil, faults: AuthorityFaults = []
  ) {
    let history =
      history
      ?? RecoveredHistory(
        lineage: Self.lineage, epochs: [EpochRecord(epoch: Self.epoch, after: .zero)], lastRow: 0,
        commit: .zero, oldest: .zero, sessions: SessionTable())
    machine = AuthorityMachine(
      app: app, history: history, limits: limits, timing: timing, durable: durable, now: now,
      seed: 1)
    machine.faults = faults
  }

  // MARK: Events

  mutating func send(_ event: AuthorityEvent) {
    machine.handle(event, at: now, date: 800_000_000)
    for output in machine.takeOutputs() {
      switch output {
      case .append(let row):
        rows.append(row)
        rowUnderWay = row
        order.append("append")
      case .reply(let reply, _):
        replies.append(reply)
        order.append("reply")
      case .broadcast(let broadcast):
        broadcasts.append(broadcast)
        switch broadcast {
        case .publication: order.append("publication")
        case .beat: order.append("beat")
        case .ring: order.append("ring")
        }
      case .start(let work, _, let sender):
        guard let work else {
          order.append("handled \(sender ?? 0)")
          continue
        }
        started.append(work)
        order.append("start")
      case .handled(let sender): order.append("handled \(sender)")
      case .cancelEffects(let commit): order.append("cancel \(commit)")
      case .report(let text): order.append("report \(text)")
      case .saveSnapshot(let table, _):
        snapshots.append(table)
        order.append("snapshot")
      case .background(let work): encodings.append(work)
      case .discard: discarded += 1
      case .stopped(let reason):
        stopped = reason
        order.append("stopped")
      }
    }
    if encodesAtOnce { encode() }
  }

  /// What waits for the encoder is encoded, and what comes of that, too.
  mutating func encode() {
    while !encodings.isEmpty { send(encodings.removeFirst().run()) }
  }

  /// The encoder cannot do what it is asked for first.
  mutating func failToEncode() { send(encodings.removeFirst().failed) }

  mutating func request(
    _ body: Request.Body, session: UInt64 = 1, epoch: Epoch? = AuthorityBench.epoch,
    peer: Peer = AuthorityBench.peer, connection: UInt8? = nil
  ) {
    nextRequest += 1
    let request = Request(
      id: nextRequest, session: Self.session(session), epoch: epoch, body: body)
    requests.append(
      .request(request, route: Route(envelope: [[connection ?? UInt8(session)]]), peer: peer))
    send(requests[requests.count - 1])
  }

  /// A request comes once more, from a connection that was slow. They are counted from 1.
  mutating func repeatRequest(_ number: Int) { send(requests[number - 1]) }

  /// Sends actions and nothing else: nothing is drained.
  mutating func act(
    _ entries: [(ActionNumber, String, String)], session: UInt64 = 1, base: CommitNumber = 0,
    acked: ActionNumber = 0, atomic: Bool = false
  ) {
    request(
      .act(
        Act(
          base: base, acked: acked,
          entries: entries.map {
            Act.Numbered(
              number: $0.0, entry: Entry(.perform(action: FlipApp.action($0.1, $0.2))))
          }, atomic: atomic)),
      session: session)
  }

  mutating func act(_ number: ActionNumber, _ kind: String, _ id: String, session: UInt64 = 1) {
    act([(number, kind, id)], session: session)
  }

  mutating func hello(
    _ views: [String] = [], session: UInt64 = 1, base: CommitNumber? = nil,
    acked: ActionNumber = 0, seen: Hello.Seen? = nil, doorbell: Nonce? = nil,
    positions: [Position?] = [], connection: UInt8? = nil
  ) {
    request(
      .hello(
        Hello(
          base: base, seen: seen, acked: acked, doorbell: doorbell,
          views: views.enumerated().map { index, name in
            ViewRequest(
              name: name, position: index < positions.count ? positions[index] : nil)
          })),
      session: session, epoch: nil, connection: connection)
  }

  mutating func drain() { send(.drained) }

  /// The journal has the row that is under way.
  mutating func journaled() {
    guard let batch = machine.inFlight else { return }
    if let row = rowUnderWay { journal.append(row) }
    send(.journaled(row: batch.row))
  }

  mutating func refuse() {
    guard let batch = machine.inFlight else { return }
    send(.journalRefused(row: batch.row, text: "0 bytes free"))
  }

  /// Time passes, and the machine is told whenever it asked to be.
  mutating func wait(_ duration: Duration) {
    let end = now + duration
    while let deadline = machine.nextDeadline, deadline <= end {
      now = max(deadline, now)
      send(.tick)
    }
    now = end
  }

  mutating func subscribe(_ name: String) {
    send(.subscribed(topic: Topic(view: name)?.bytes ?? []))
  }

  // MARK: Outputs

  /// Forgets the outputs so far.
  mutating func take() {
    replies = []
    broadcasts = []
    rows = []
    started = []
    snapshots = []
    order = []
  }

  /// All outcomes in the replies, in order.
  var outcomes: [Outcome] {
    replies.flatMap { reply -> [Outcome] in
      if case .act(let answer) = reply.body { answer.outcomes } else { [] }
    }
  }

  var codes: [Code] { outcomes.map(\.code) }

  /// The code of the last reply as a whole.
  var code: Code? { replies.last?.header.code }

  /// The code and the text of the last reply, where it is a refusal.
  var refusal: (code: Code, text: String)? {
    guard let reply = replies.last, case .text(let text) = reply.body else { return nil }
    return (reply.header.code, text)
  }

  var publications: [Publication] {
    broadcasts.compactMap { broadcast -> Publication? in
      if case .publication(let publication) = broadcast { publication } else { nil }
    }
  }

  var rings: [Ring] {
    broadcasts.compactMap { broadcast -> Ring? in
      if case .ring(let ring) = broadcast { ring } else { nil }
    }
  }

  var beats: [DaemonBeat] {
    broadcasts.compactMap { broadcast -> DaemonBeat? in
      if case .beat(let beat) = broadcast { beat } else { nil }
    }
  }

  /// The views of the last hello, join, snapshot or replay.
  var views: [ViewAnswer] {
    switch replies.last?.body {
    case .hello(let answer): answer.views
    case .join(let views): views
    case .snapshot(let view), .replay(let view): [view]
    default: []
    }
  }

  var helloAnswer: HelloAnswer? {
    if case .hello(let answer) = replies.last?.body { answer } else { nil }
  }

  func position(_ name: String) -> Position? {
    guard let slot = machine.views.find(Topic(view: name) ?? Topic(bytes: [])),
      let view = machine.views[slot]
    else { return nil }
    return Position(
      lineage: machine.history.lineage, epoch: machine.epoch, number: view.number,
      digestValue: view.digest.rawValue)
  }
}
