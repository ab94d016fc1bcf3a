import StateModel
import SyncProtocol

/// A daemon, its disk, its clients and everything between them, driven by one seed.
///
/// A history is a number of random steps with faults, then a quiet time in which everything must
/// come to rest. Whatever happens is judged at once (`World+Judge.swift`); the first complaint
/// ends the history.
final class World {
  struct Message<Content> {
    var content: Content
    var client: Int
    var life: Int
    var channel: Channel
  }

  struct Effect {
    var action: [UInt8]
    var cause: CommitNumber
  }

  let scenario: Scenario
  let faults: Faults
  var random: SeedStream
  var now = Moment(nanoseconds: 0)
  let witness = Witness()

  var disk: SimulatedDisk
  var backups: [SimulatedDisk] = []
  var isFull = false
  /// Another daemon has written into this one's journal.
  var isFenced = false
  /// The row that the journal is writing.
  var writing: JournalRow?
  var daemon: AuthorityMachine<ToyApp>?
  /// Who commits and broadcasts since the last start.
  var epoch = Epoch(rawValue: 0)
  var effects: [Effect] = []
  /// What is done on another thread, one thing after another.
  var background: [BackgroundWork] = []
  /// The journal is to drop what its snapshot holds.
  private var isPruning = false
  /// Commits whose effects have ended, and the daemon is not told yet.
  private var endedEffects: [CommitNumber] = []
  var clients: [SimulatedClient] = []
  /// Calls by the names that they carry, and handles that somebody has seen.
  var calls: [UInt64: SimulatedCall] = [:]
  var handles: [HandleName] = []
  /// The names of calls by their numbers on the wire, those that came to the daemon, and those that
  /// were cancelled there before they came.
  var wiredCalls: [WiredCall: UInt64] = [:]
  var arrivedCalls: Set<WiredCall> = []
  var burntCalls: Set<UInt64> = []
  /// Who offers each: the client's place and life.
  var owners: [HandleName: (index: Int, life: Int)] = [:]
  var requests: [Message<Request>] = []
  var replies: [Message<Reply>] = []
  /// The epoch of the reply that a client is just reading.
  var answeredEpoch: Epoch?

  /// What each epoch published, by number.
  var truths: [Epoch: [CommitNumber: ToyState]] = [:]
  /// Which binary ran in each.
  var editions: [Epoch: Edition] = [:]
  var edition = Edition.first
  /// Actions that want a certain commit to be the newest one.
  var conditions: [UInt64: CommitNumber] = [:]
  /// Actions of which all are done, or none.
  var bundles: [[UInt64]] = []
  /// Actions that were reported as not done, whatever the reason.
  var notDone: Set<UInt64> = []
  /// An acknowledged action may be missing: a backup was restored, or there is no journal.
  var historyWasLost = false
  var isFaulty = true
  var complaint: String?
  var coverage = Coverage()
  private var names: UInt64 = 0
  var traced: [String]?

  /// Mistakes that are put into the machines.
  struct Faults: Sendable {
    var authority: AuthorityFaults = []
    var client: ClientFaults = []
    /// A binding shows the mirror's value as soon as its set is answered.
    var flashes = false
  }

  init(seed: UInt64, scenario: Scenario, faults: Faults = Faults(), isTraced: Bool = false) {
    self.scenario = scenario
    self.faults = faults
    random = SeedStream(seed: seed)
    traced = isTraced ? [] : nil
    disk = SimulatedDisk(lineage: Lineage(Bytes16.random(using: &random)))
    startDaemon()
    for index in 0..<scenario.clients {
      clients.append(newClient(life: 0, at: index))
      tell(index, .open)
    }
  }

  func trace(_ line: @autoclosure () -> String) {
    guard traced != nil else { return }
    traced?.append("\(now.nanoseconds / 1_000_000) ms  \(line())")
  }

  func complain(_ text: @autoclosure () -> String) {
    guard complaint == nil else { return }
    complaint = text()
    trace("COMPLAINT: \(complaint ?? "")")
  }

  func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
  func chance(_ outOf1000: Int) -> Bool { below(1000) < outOf1000 }
  func name() -> UInt64 {
    names += 1
    return names
  }

  func run() {
    for _ in 0..<scenario.steps where complaint == nil { step() }
    if complaint == nil { comeToRest() }
  }

  // MARK: The daemon

  func startDaemon() {
    if scenario.isMemoryMode {
      disk = SimulatedDisk(lineage: Lineage(Bytes16.random(using: &random)))
    }
    epoch = Epoch(rawValue: random.next())
    let history = disk.open(epoch: epoch, window: scenario.limits.window)
    if isFaulty, below(12) == 0 { edition = edition == .first ? .second : .first }
    let app = ToyApp(
      state: disk.state, witness: witness, wantsStarted: scenario.wantsStarted,
      edition: edition, wantsPresence: scenario.hasCalls)
    editions[epoch] = edition
    truths[epoch] = disk.states
    daemon = AuthorityMachine(
      app: app, history: history, limits: scenario.limits, durable: !scenario.isMemoryMode,
      now: now, seed: random.next())
    daemon?.faults = faults.authority
    isFenced = false
    trace("daemon starts, epoch \(epoch.rawValue % 1000), commit \(disk.commit)")
    takeDaemonOutputs()
    if isFaulty, hasFewSessions, below(4) == 0 {
      for _ in 0...below(3) { sendStranger() }
    }
  }

  /// Whether retention has to drop sessions.
  var hasFewSessions: Bool { scenario.limits.sessions < 100 }

  /// A client that sends one action and is never seen again: its session takes the room of another.
  func sendStranger() {
    guard let daemon else { return }
    let action = ToyAction(kind: below(2) == 0 ? .flip : .log, id: name())
    let act = Act(
      base: max(daemon.published, daemon.durableSessions.floor),
      entries: [Act.Numbered(number: 1, entry: Entry(.perform(action: action.bytes)))])
    trace("a stranger sends \(action.id)")
    tellDaemon(
      .request(
        Request(
          id: 1, session: SessionID(Bytes16.random(using: &random)), epoch: epoch,
          body: .act(act)), route: Route(envelope: []), peer: Self.peer))
  }

  static let peer = Peer(identity: "1000", role: .admin)

  func tellDaemon(_ event: AuthorityEvent) {
    daemon?.handle(event, at: now, date: 0)
    takeDaemonOutputs()
  }

  private func takeDaemonOutputs() {
    guard let outputs = daemon?.takeOutputs() else { return }
    if scenario.isMemoryMode { noteUnwritten() }
    for output in outputs {
      switch output {
      case .append(let row):
        if writing != nil { complain("a row is appended while another one is under way") }
        writing = row
      case .reply(let reply, let route):
        judge(reply)
        guard let place = route.envelope.first, place.count == 3 else { continue }
        replies.append(
          Message(
            content: reply, client: Int(place[0]), life: Int(place[1]),
            channel: place[2] == 0 ? .actions : .data))
      case .broadcast(let broadcast):
        judge(broadcast)
        for index in clients.indices {
          if isFaulty, chance(scenario.unpublished) { continue }
          clients[index].link.publish(broadcast, topic: broadcast.topicBytes)
        }
      case .start(let work, let cause, let sender):
        judge(cause, "an effect")
        if let work { effects.append(Effect(action: work.action, cause: cause)) }
        if let sender { endedEffects.append(sender) }
      case .handled(let sender): endedEffects.append(sender)
      case .cancelEffects(let commit):
        // An effect that was not run yet ends without having sent anything.
        guard effects.contains(where: { $0.cause == commit }) else { continue }
        effects.removeAll { $0.cause == commit }
        endedEffects.append(commit)
      case .report: break
      case .saveSnapshot(let sessions, let commit):
        if chance(700) { disk.save(sessions, at: commit) }
        isPruning = chance(500)
      case .background(let work):
        if case .encoded = work.failed,
          background.contains(where: { if case .encoded = $0.failed { true } else { false } })
        {
          complain("two values are encoded at a time")
        }
        background.append(work)
      case .discard(let value): value.letGo()
      case .stopped: stopDaemon()
      }
    }
    if let complaint = witness.complaint { complain(complaint) }
    if isPruning {
      isPruning = false
      tellDaemon(.pruned(oldest: disk.prune()))
    }
    let ended = endedEffects
    endedEffects = []
    for commit in ended { tellDaemon(.effectsEnded(commit)) }
  }

  /// Without a journal what is published is the truth: a batch is released when it closes, and
  /// nothing has come in since.
  private func noteUnwritten() {
    guard let daemon, daemon.published > disk.commit else { return }
    disk.note(daemon.app.state, at: daemon.published)
    truths[epoch]?[daemon.published] = disk.state
  }

  /// The row that is being written reaches the disk.
  func write(_ row: JournalRow) {
    judge(row)
    if let wrong = disk.append(row) { complain(wrong) }
    truths[epoch]?[row.last] = disk.state
  }

  /// The process ends; what is in the sockets' buffers may or may not have left.
  func stopDaemon() {
    daemon = nil
    effects = []
    background = []
    endedEffects = []
    for index in clients.indices {
      let pending = clients[index].link.downstream.count
      _ = clients[index].link.cut(keeping: below(pending + 1))
    }
    replies = replies.filter { _ in below(2) == 0 }
  }

  func crashDaemon() {
    trace("daemon crashes")
    if let row = writing {
      writing = nil
      if !isFenced, below(2) == 0 {
        write(row)
        trace("the row that was being written is on the disk")
      }
    }
    stopDaemon()
    isFull = false
    if !backups.isEmpty, below(3) == 0 {
      disk = backups[below(backups.count)]
      historyWasLost = true
      trace("a backup of commit \(disk.commit) is restored")
    }
    if scenario.isMemoryMode { historyWasLost = true }
  }

  // MARK: Clients

  func newClient(life: Int, at index: Int) -> SimulatedClient {
    var client = SimulatedClient(
      machine: ClientMachine(
        session: SessionID(Bytes16.random(using: &random)), limits: scenario.limits,
        // Low, so that one request overtakes another here, too.
        isPresent: below(4) == 0, halvedFrom: 16, seed: random.next(), faults: faults.client),
      life: life)
    if scenario.hasCalls { client.machine.handle(.offer(Self.handle), at: now) }
    for projection in [ToyProjection.all, .bit, .half(0), .half(1)] where below(2) == 0 {
      let token = ViewToken(rawValue: name())
      client.views.append(
        SimulatedClient.View(token: token, projection: projection, follows: true))
      client.machine.handle(
        .addView(
          token, name: projection.name, parameters: projection.parameters, replica: ToyReplica()),
        at: now)
    }
    return client
  }

  func tell(_ index: Int, _ event: ClientEvent) {
    clients[index].machine.handle(event, at: now)
    // What it does not look for is not there, but for what a tick is due for.
    var eager: ClientMachine?
    let machine = clients[index].machine
    if !machine.isPumpDue, machine.nextDeadline.map({ $0 > now }) ?? true {
      eager = machine
      eager?.isPumpDue = true
    }
    let outputs = clients[index].machine.takeOutputs()
    if let all = eager?.takeOutputs(), all != outputs {
      complain("client \(index) wants \(outputs.count) things of \(all.count) after it followed")
    }
    for output in outputs {
      switch output {
      case .send(let request, let channel):
        noteCall(in: request)
        trace("client \(index) sends \(request.id) \(brief(request.body))")
        requests.append(
          Message(
            content: request, client: index, life: clients[index].life, channel: channel))
      case .subscribe(let topic):
        if clients[index].heard == nil { clients[index].heard = now }
        clients[index].link.subscribe(topic)
      case .unsubscribe(let topic): clients[index].link.unsubscribe(topic)
      default:
        trace("client \(index): \(brief(output))")
        judge(output, of: index)
      }
    }
    judgeMirrors(of: index)
  }

  func killClient(_ index: Int) {
    trace("client \(index) is killed")
    cutLink(index)
    clients[index] = newClient(life: clients[index].life + 1, at: index)
    tell(index, .open)
  }

  /// XPUB learns of the end of a pipe: topics that nobody holds any more are reported.
  func cutLink(_ index: Int) {
    let pending = clients[index].link.downstream.count
    let topics = clients[index].link.cut(keeping: below(pending + 1))
    for topic in topics.sorted(by: { $0.lexicographicallyPrecedes($1) })
    where !clients.contains(where: { $0.link.live.contains(topic) }) {
      tellDaemon(.unsubscribed(topic: topic))
    }
  }

  func deliverUp(_ index: Int) {
    guard let change = clients[index].link.nextUp() else { return }
    if change.isSubscription {
      tellDaemon(.subscribed(topic: change.topic))
    } else if !clients.contains(where: { $0.link.live.contains(change.topic) }) {
      tellDaemon(.unsubscribed(topic: change.topic))
    }
  }

  func deliverDown(_ index: Int) {
    guard let broadcast = clients[index].link.nextDown() else { return }
    trace("client \(index) hears \(brief(broadcast))")
    clients[index].heard = now
    tell(index, .broadcast(broadcast))
  }

  func deliverRequest(_ position: Int, keeps: Bool = false) {
    let message = keeps ? requests[position] : requests.remove(at: position)
    guard daemon != nil else { return }
    trace("daemon gets \(message.content.id) of client \(message.client)")
    let route = Route(envelope: [
      [
        UInt8(message.client), UInt8(truncatingIfNeeded: message.life),
        message.channel == .actions ? 0 : 1,
      ]
    ])
    let isFirst = noteArrival(of: message.content)
    tellDaemon(
      .request(message.content, route: route, peer: Self.peer))
    if isFirst { noteCancelled(by: message.content) }
  }

  func deliverReply(_ position: Int, keeps: Bool = false) {
    let message = keeps ? replies[position] : replies.remove(at: position)
    guard clients[message.client].life == message.life else { return }
    trace("client \(message.client) gets \(brief(message.content))")
    answeredEpoch = message.content.header.epoch
    tell(message.client, .reply(message.content, message.channel))
    answeredEpoch = nil
  }
}
