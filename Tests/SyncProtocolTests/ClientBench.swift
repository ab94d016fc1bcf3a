import StateModel
import SyncProtocol
import Testing

/// A client machine on the bench: the test is its shell and its daemon.
struct ClientBench {
  var machine: ClientMachine
  var now = Moment(nanoseconds: 0)
  var outputs: [ClientOutput] = []
  var lineage = Lineage(Bytes16(high: 1, low: 1))
  var epoch = Epoch(rawValue: 7)
  var durable: CommitNumber = 0

  static let view = ViewToken(rawValue: 1)
  static let topic = Topic(view: "all") ?? Topic(bytes: [])

  init(limits: Limits = Limits(), faults: ClientFaults = []) {
    machine = ClientMachine(
      session: SessionID(Bytes16(high: 2, low: 3)), limits: limits, halvedFrom: 16, seed: 4,
      faults: faults)
  }

  /// An open client without views, its hello answered.
  static func connected(limits: Limits = Limits()) -> ClientBench {
    var bench = ClientBench(limits: limits)
    bench.tell(.open)
    bench.answerHello(limits: limits)
    bench.outputs = []
    return bench
  }

  /// An open client that wants `all` and is welcome: its hello is the next that is answered.
  static func welcomed(limits: Limits = Limits()) -> ClientBench {
    var bench = ClientBench(limits: limits)
    bench.tell(.addView(view, name: "all", parameters: [0xF6], replica: ToyReplica()))
    bench.tell(.open)
    bench.welcome()
    return bench
  }

  /// An open client whose mirror of `all` holds `value` at `number`.
  static func mirroring(
    _ value: [UInt64], at number: CommitNumber, limits: Limits = Limits()
  ) -> ClientBench {
    var bench = welcomed(limits: limits)
    bench.durable = number
    bench.answerHello(limits: limits, views: [bench.snapshot(value, at: number)])
    bench.outputs = []
    return bench
  }

  mutating func tell(_ event: ClientEvent) {
    machine.handle(event, at: now)
    outputs += machine.takeOutputs()
  }

  /// Lets time pass, with all ticks that fall due.
  mutating func pass(_ duration: Duration) {
    let end = now + duration
    while let due = machine.nextDeadline, due <= end {
      now = max(now, due)
      tell(.tick)
    }
    now = end
  }

  // MARK: What it did

  /// The requests since the last look, in order.
  var sent: [Request] {
    outputs.compactMap { if case .send(let request, _) = $0 { request } else { nil } }
  }

  /// The last request that `matches`.
  func last<Body>(_ matches: (Request.Body) -> Body?) throws -> (id: UInt64, body: Body) {
    for request in sent.reversed() {
      if let body = matches(request.body) { return (request.id, body) }
    }
    throw NotSent(sent: sent.map { "\($0.body)" })
  }

  struct NotSent: Error { var sent: [String] }

  /// All requests with actions, in order.
  var acts: [(id: UInt64, body: Act)] {
    sent.compactMap { if case .act(let act) = $0.body { ($0.id, act) } else { nil } }
  }

  func act() throws -> (id: UInt64, body: Act) {
    try last { if case .act(let act) = $0 { act } else { nil } }
  }
  func hello() throws -> (id: UInt64, body: Hello) {
    try last { if case .hello(let hello) = $0 { hello } else { nil } }
  }
  func outcomeQuery() throws -> (id: UInt64, body: OutcomeQuery) {
    try last { if case .outcome(let query) = $0 { query } else { nil } }
  }
  func replay() throws -> (id: UInt64, body: CommitNumber) {
    try last { if case .replay(_, let from) = $0 { from } else { nil } }
  }
  func snapshotRequest() throws -> (id: UInt64, body: Topic) {
    try last { if case .snapshot(let topic) = $0 { topic } else { nil } }
  }
  func chunkRequest() throws -> (id: UInt64, body: UInt64) {
    try last { if case .chunk(_, let offset) = $0 { offset } else { nil } }
  }
  /// The last request for the chunk there.
  func chunkRequest(at offset: UInt64) throws -> UInt64 {
    try last { if case .chunk(_, offset) = $0 { offset } else { nil } }.id
  }
  func alive() throws -> (id: UInt64, body: Alive) {
    try last { if case .alive(let alive) = $0 { alive } else { nil } }
  }

  var resolutions: [UInt64: Resolution] {
    var all: [UInt64: Resolution] = [:]
    for case .resolved(let token, let resolution) in outputs { all[token.rawValue] = resolution }
    return all
  }

  var notices: [ClientOutput.Notice] {
    outputs.compactMap { if case .notice(let notice) = $0 { notice } else { nil } }
  }

  var isStale: Bool { machine.isStale(Self.view) }
  var value: [UInt64] { (machine.replica(of: Self.view) as? ToyReplica)?.value ?? [] }
  var subscribed: [[UInt8]] {
    outputs.compactMap { if case .subscribe(let topic) = $0 { topic } else { nil } }
  }

  /// The doorbell that was rung last.
  var doorbell: Nonce? {
    subscribed.last { $0.first == UInt8(ascii: "~") }.flatMap { Bytes16($0.dropFirst()) }
      .map { Nonce($0) }
  }

  // MARK: What the daemon does

  mutating func welcome(_ nonce: Nonce? = nil) {
    guard let nonce = nonce ?? doorbell else { return }
    tell(
      .broadcast(
        .ring(Ring(nonce: nonce, lineage: lineage, epoch: epoch, isWelcome: true, mail: 0))))
  }

  mutating func beat() {
    tell(
      .broadcast(
        .beat(
          DaemonBeat(
            lineage: lineage, epoch: epoch, commit: durable, durable: durable, oldest: 0,
            next: .seconds(1)))))
  }

  func snapshot(_ value: [UInt64], at number: CommitNumber) -> ViewAnswer {
    ViewAnswer(
      topic: Self.topic, number: number, digest: ToyValue.digest(value),
      content: .snapshot(value: ToyValue.encode(value), reason: "fresh"))
  }

  func resume(_ values: [[UInt64]], at number: CommitNumber) -> ViewAnswer {
    ViewAnswer(
      topic: Self.topic, number: number, digest: ToyValue.digest(values.last ?? []),
      content: .resume(zip(values, values.dropFirst()).map { ToyValue.delta(from: $0, to: $1) }))
  }

  mutating func publish(
    _ old: [UInt64], _ new: [UInt64], from: CommitNumber, to: CommitNumber,
    flags: Publication.Flags = []
  ) {
    durable = max(durable, to)
    let delta =
      flags.contains(.pull) || flags.contains(.beat)
      ? Delta.empty
      : flags.contains(.whole)
        ? DeltaWriter.whole(encoded: ToyValue.encode(new)) : ToyValue.delta(from: old, to: new)
    tell(
      .broadcast(
        .publication(
          Publication(
            topic: Self.topic, lineage: lineage, epoch: epoch, from: from, to: to,
            commit: durable, digest: ToyValue.digest(new), origin: nil, flags: flags,
            delta: delta))))
  }

  mutating func reply(
    _ request: UInt64, _ body: Reply.Body, code: Code = .ok, on channel: Channel = .actions
  ) {
    tell(
      .reply(
        Reply(
          header: Reply.Header(
            code: code, request: request, lineage: lineage, epoch: epoch, commit: durable,
            durable: durable, oldest: 0),
          body: body), channel))
  }

  mutating func answerHello(
    base: CommitNumber = 0, last: ActionNumber = 0, limits: Limits = Limits(),
    views: [ViewAnswer] = []
  ) {
    guard let request = try? hello() else { return }
    reply(
      request.id,
      .hello(
        HelloAnswer(
          base: base, last: last, publicNumber: 5, limits: limits, beat: .seconds(1),
          views: views)))
  }

  mutating func answerAct(
    _ request: UInt64, _ outcomes: [Outcome], views: [Topic: CommitNumber] = [:]
  ) {
    durable = max(durable, outcomes.compactMap(\.commit).max() ?? 0)
    reply(request, .act(ActAnswer(outcomes: outcomes, views: views)))
  }

  mutating func submit(_ id: UInt64) {
    tell(.submit(ActionToken(rawValue: id), Self.entry(id)))
  }

  static func entry(_ id: UInt64) -> Entry {
    Entry(.perform(action: ToyAction(kind: .log, id: id).bytes))
  }

  static func ok(_ number: ActionNumber, _ commit: CommitNumber) -> Outcome {
    Outcome(number: number, code: .ok, commit: commit)
  }
}
