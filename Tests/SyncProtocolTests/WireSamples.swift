import StateModel

@testable import SyncProtocol

/// One message of every kind and shape.
enum WireSamples {
  static let session = SessionID(Bytes16(high: 0x0102_0304_0506_0708, low: 0x090A_0B0C_0D0E_0F10))
  static let lineage = Lineage(Bytes16(high: 0x1111_1111_1111_1111, low: 0x2222_2222_2222_2222))
  static let epoch = Epoch(rawValue: 0x3333_3333_3333_3333)
  static let nonce = Nonce(Bytes16(high: 0x4444_4444_4444_4444, low: 0x5555_5555_5555_5555))
  static let counter = Topic(bytes: Array("Dcounter".utf8) + [0, 0xF6])
  static let list = Topic(bytes: Array("Dlist".utf8) + [0, 0x81, 0x01])

  static let position = Position(
    lineage: lineage, epoch: epoch, number: 7, digestValue: 0xFFFF_FFFF_FFFF_FFFF)

  static let views = [
    ViewRequest(name: "counter"),
    ViewRequest(name: "list", parameters: [0x81, 0x01], schemaHash: 99, position: position),
  ]

  /// `{"inc": 1}`.
  static let action: [UInt8] = [0xA1, 0x63, 0x69, 0x6E, 0x63, 0x01]

  static let entries = [
    Entry(.perform(action: action)),
    Entry(.set(field: "text", value: [0x62, 0x68, 0x69]), ifCommit: 12),
    Entry(
      .answer(alert: [0x18, 0x2A], button: 1),
      expectations: [
        Entry.Expectation(path: [[0x61, 0x61], [0x03]], digest: Digest(rawValue: 5)),
        Entry.Expectation(path: [], digest: Digest(rawValue: UInt64.max)),
      ]),
    Entry(.answer(alert: [0xF6], button: nil)),
    Entry(.offer(name: "refresh")),
    Entry(.withdraw(name: "refresh"), ifCommit: 4),
    Entry(.other(kind: "lease")),
  ]

  static let requests: [Request.Body] = [
    .hello(Hello()),
    .hello(
      Hello(
        versions: 1...3, base: 4,
        seen: Hello.Seen(lineage: lineage, epoch: epoch, durable: 6), acked: 300,
        doorbell: nonce, present: true, name: "status bar", views: views)),
    .join(Join(doorbell: nil, views: [])),
    .join(Join(doorbell: nonce, views: views)),
    .leave([counter, list]),
    .act(
      Act(
        base: 3, acked: 9,
        entries: entries.enumerated().map {
          Act.Numbered(number: UInt64($0.offset + 10), entry: $0.element)
        })),
    .act(Act(base: 0, entries: [], atomic: true)),
    .trial(entries[2]),
    .outcome(OutcomeQuery(base: 3, acked: 1, numbers: [2, 3, 1 << 40])),
    .snapshot(counter),
    .replay(list, from: 17),
    .chunk(answer: 5, offset: 262_144),
    .alive(Alive(numbers: [counter: 4, list: 5], mail: 2)),
    .call(
      Call(
        id: 3, handle: HandleName(owner: 5, epoch: epoch, name: "refresh"), argument: action,
        deadline: .seconds(2))),
    .call(
      Call(
        id: 1 << 33, handle: HandleName(owner: 1, epoch: epoch, name: "a.b_c-D"),
        argument: [0xF6], deadline: .zero)),
    .giveBack(
      CallReturn(key: CallKey(caller: 6, id: 3), end: CallEnd(code: .ok, result: [0x18, 0x2A]))),
    .giveBack(
      CallReturn(key: CallKey(caller: 6, id: 4), end: CallEnd(code: .rejected, text: "not now"))),
    .cancel(.call(3)),
    .cancel(.commit(77)),
    .wait(77),
    .bye, .views, .schema, .sessions, .stats,
    .log(from: 100, limit: 10),
    .stop,
    .other(kind: "why"),
  ]

  static let answers = [
    ViewAnswer(
      topic: counter, number: 7, digest: Digest(rawValue: 1),
      content: .resume([Delta.empty, Delta(bytes: [0x80])])),
    ViewAnswer(
      topic: list, number: 8, digest: Digest(rawValue: 2),
      content: .snapshot(value: [0x80], reason: "fresh")),
    ViewAnswer(
      topic: list, number: 8, digest: Digest(rawValue: UInt64.max),
      content: .pull(answer: 3, size: 1 << 33, reason: "compacted")),
    ViewAnswer(
      topic: list, number: 0, digest: Digest(rawValue: 0),
      content: .refused(code: .unknown, text: "no view is called list")),
  ]

  static let replies: [Reply.Body] = [
    .hello(
      HelloAnswer(
        base: 1, last: 2, publicNumber: 3, limits: Limits(), beat: .milliseconds(250),
        views: answers)),
    .hello(
      HelloAnswer(
        base: 0, last: 0, publicNumber: 1, limits: Limits(), beat: .seconds(1), views: [])),
    .hello(
      HelloAnswer(
        base: 4, last: 1, publicNumber: 0, limits: Limits(), beat: .seconds(1), views: [],
        epochs: [
          EpochRecord(epoch: Epoch(rawValue: 1), after: 0),
          EpochRecord(epoch: Epoch(rawValue: .max), after: 1_099_511_627_776),
        ])),
    .join(answers),
    .join([]),
    .act(ActAnswer(outcomes: [Outcome(number: 1, code: .ok, commit: 9)])),
    .act(
      ActAnswer(
        outcomes: [
          Outcome(number: 1, code: .rejected, text: "no", path: [[0x61, 0x61], [0x00]]),
          Outcome(number: 2, code: Code(rawValue: "a-later-code"), text: "?"),
        ],
        views: [counter: 9, list: 4], last: 2)),
    .trial(code: .ok, text: "", delta: Delta.empty),
    .snapshot(answers[1]),
    .replay(answers[0]),
    .chunk(Chunk(answer: 3, offset: 262_144, size: 262_146, bytes: [1, 2])),
    .alive(AliveAnswer(commit: 4, numbers: [:], behind: [], mail: [], helloAgain: false)),
    .alive(
      AliveAnswer(
        commit: 4, numbers: [counter: 3], behind: [counter],
        mail: [
          Mail(number: 1, content: .goingAway("stopped by an operator")),
          Mail(number: 2, content: .evicted("too slow")),
          Mail(number: 3, content: .other(kind: "lease")),
          Mail(
            number: 4,
            content: .call(
              CallKey(caller: 6, id: 3), name: "refresh", deadline: .seconds(2), argument: action)),
          Mail(number: 5, content: .cancelCall(CallKey(caller: 6, id: 3))),
          Mail(number: 6, content: .result(9, CallEnd(code: .ok, result: [0x18, 0x2A]))),
          Mail(number: 7, content: .result(10, CallEnd(code: .gone, text: "it has left"))),
          Mail(number: 8, content: .ended(77, code: .ok, text: "")),
          Mail(number: 9, content: .lapsed("silent for too long")),
        ],
        helloAgain: true)),
    .value(
      .map(["a": .array([.null, .bool(true), .negative(0)]), "b": .tag(1, .float(-0.5))])),
    .text(""),
    .text("the daemon is going away"),
  ]

  static func reply(_ body: Reply.Body, code: Code = .ok) -> Reply {
    Reply(
      header: Reply.Header(
        code: code, request: 77, lineage: lineage, epoch: epoch, commit: 1000, durable: 999,
        oldest: 1),
      body: body)
  }

  static let broadcasts: [Broadcast] = [
    .publication(
      Publication(
        topic: counter, lineage: lineage, epoch: epoch, from: 3, to: 5, commit: 5,
        digest: Digest(rawValue: UInt64.max), origin: nil, flags: [], delta: Delta.empty)),
    .publication(
      Publication(
        topic: list, lineage: lineage, epoch: epoch, from: 5, to: 5, commit: 70,
        digest: Digest(rawValue: 0), origin: 4, flags: [.beat], delta: Delta(bytes: []))),
    .beat(
      DaemonBeat(
        lineage: lineage, epoch: epoch, commit: 5, durable: 6, oldest: 0,
        next: .milliseconds(250))),
    .ring(Ring(nonce: nonce, lineage: lineage, epoch: epoch, isWelcome: true, mail: 0)),
    .ring(Ring(nonce: nonce, lineage: lineage, epoch: epoch, isWelcome: false, mail: 12)),
  ]
}
