import Foundation
import StateModel
import Testing

@testable import SyncProtocol

/// Tests/Vectors/frames.json: the frames of every kind of message, and of a client's whole life, for
/// whoever writes another client. The file is what the machine says; a change of the wire format
/// shows as a difference here, and is made on purpose with STATECAST_WRITE_VECTORS=1.
@Suite("Wire vectors")
struct WireVectorTests {
  struct File: Codable, Equatable {
    var messages: [Message]
    var transcript: [Step]
  }

  struct Message: Codable, Equatable {
    var kind: String
    var name: String
    var frames: [String]
  }

  struct Step: Codable, Equatable {
    /// `client` or `daemon`.
    var by: String
    /// The client's socket: `SUB` or `REQ`. On SUB a client's frame is a subscription (01) or the end of one (00).
    var on: String
    /// For a reader.
    var what: String
    var frames: [String]
  }

  static var file: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appendingPathComponent("Vectors/frames.json")
  }

  static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined()
  }

  static var messages: [Message] {
    var messages: [Message] = []
    for (index, body) in WireSamples.requests.enumerated() {
      let request = Request(
        id: UInt64(index), session: WireSamples.session, epoch: WireSamples.epoch, body: body)
      messages.append(
        Message(
          kind: "request", name: body.kind, frames: RequestCodec.encode(request).map(hex)))
    }
    for body in WireSamples.replies {
      let name = String("\(body)".prefix { $0 != "(" })
      messages.append(
        Message(
          kind: "reply", name: name == "trial" ? "try" : name,
          frames: ReplyCodec.encode(WireSamples.reply(body)).map(hex)))
    }
    for broadcast in WireSamples.broadcasts {
      messages.append(
        Message(
          kind: "broadcast", name: String("\(broadcast)".prefix { $0 != "(" }),
          frames: BroadcastCodec.encode(broadcast).map(hex)))
    }
    return messages
  }

  @Test("the file holds the frames that are made now")
  func compare() throws {
    let made = File(messages: Self.messages, transcript: WireTranscript.make())
    if ProcessInfo.processInfo.environment["STATECAST_WRITE_VECTORS"] != nil {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
      try encoder.encode(made).write(to: Self.file)
    }
    let kept = try JSONDecoder().decode(File.self, from: try Data(contentsOf: Self.file))
    #expect(kept.messages.count == made.messages.count)
    for (kept, made) in zip(kept.messages, made.messages) { #expect(kept == made) }
    #expect(kept.transcript.count == made.transcript.count)
    for (kept, made) in zip(kept.transcript, made.transcript) { #expect(kept == made) }
  }

  @Test("every message of the file is understood")
  func understood() throws {
    let kept = try JSONDecoder().decode(File.self, from: try Data(contentsOf: Self.file))
    for message in kept.messages {
      let frames = message.frames.map(Self.bytes)
      switch message.kind {
      case "request": _ = try RequestCodec.decode(frames)
      case "reply": _ = try ReplyCodec.decode(frames)
      default: _ = try BroadcastCodec.decode(frames)
      }
    }
  }

  static func bytes(_ hex: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var digits = hex[...]
    while digits.count >= 2 {
      bytes.append(UInt8(digits.prefix(2), radix: 16) ?? 0)
      digits = digits.dropFirst(2)
    }
    return bytes
  }
}

/// One client's life, frame by frame: subscribe, welcome, hello, act, a lost delta, replay, bye.
struct WireTranscript {
  private var machine: AuthorityMachine<FlipApp>
  private var now = Moment(nanoseconds: 1_000_000_000)
  private var request: UInt64 = 0
  private var steps: [WireVectorTests.Step] = []

  private init() {
    machine = AuthorityMachine(
      app: FlipApp(),
      history: RecoveredHistory(
        lineage: WireSamples.lineage,
        epochs: [EpochRecord(epoch: WireSamples.epoch, after: .zero)], lastRow: 0, commit: .zero,
        oldest: .zero, sessions: SessionTable()),
      durable: false, now: now, seed: 1)
  }

  static func make() -> [WireVectorTests.Step] {
    var life = WireTranscript()
    let bit = Topic(view: "bit") ?? Topic(bytes: [])
    life.subscribe(.daemonBeat, "the daemon's beat")
    life.subscribe(bit, "the view `bit` without parameters")
    life.subscribe(Topic(doorbell: WireSamples.nonce), "a doorbell with a fresh nonce, last")
    life.ask(
      .hello(
        Hello(doorbell: WireSamples.nonce, views: [ViewRequest(name: "bit")])),
      "hello, without a base: the first one of this session")
    life.ask(
      life.act([(1, "flip", "a")]), "the action [\"flip\", \"a\"], number 1")
    life.ask(life.act([(1, "flip", "a")]), "the same again: its reply was lost")
    life.ask(
      life.act([(2, "bad", "b"), (3, "nothing", "c"), (4, "flip", "d")]),
      "three actions in one request, one is rejected; the publication spans two commits")
    life.ask(
      .replay(bit, from: 1), "the client lost the last publication: what follows number 1?")
    life.ask(
      .alive(Alive(numbers: [bit: 3])), "a sign of life with the mirror's number")
    life.ask(
      .outcome(OutcomeQuery(base: 0, acked: 4, numbers: [5])),
      "what became of number 5? It is burnt")
    life.ask(life.act([(5, "flip", "e")]), "number 5 comes late: it is not done")
    life.wait(.seconds(1), "a second without actions")
    life.ask(
      .hello(
        Hello(
          base: 0,
          seen: Hello.Seen(
            lineage: WireSamples.lineage, epoch: WireSamples.epoch, durable: 3), acked: 5,
          doorbell: WireSamples.nonce,
          views: [
            ViewRequest(
              name: "bit",
              position: Position(
                lineage: WireSamples.lineage, epoch: WireSamples.epoch, number: 3,
                digestValue: Digest(leaf: [0]).rawValue))
          ])), "hello again, with a position")
    life.ask(.other(kind: "why"), "a request that version 1 reserves")
    life.ask(.bye, "bye")
    return life.steps
  }

  private func act(_ entries: [(ActionNumber, String, String)]) -> Request.Body {
    .act(
      Act(
        base: 0,
        entries: entries.map {
          Act.Numbered(number: $0.0, entry: Entry(.perform(action: FlipApp.action($0.1, $0.2))))
        }))
  }

  private mutating func subscribe(_ topic: Topic, _ what: String) {
    note("client", "SUB", "subscribe: " + what, [[1] + topic.bytes])
    handle(.subscribed(topic: topic.bytes))
  }

  private mutating func ask(_ body: Request.Body, _ what: String) {
    request += 1
    var epoch: Epoch? = WireSamples.epoch
    if case .hello = body { epoch = nil }
    let frames = RequestCodec.encode(
      Request(id: request, session: WireSamples.session, epoch: epoch, body: body))
    note("client", "REQ", what, frames)
    guard let decoded = try? RequestCodec.decode(frames) else { return }
    handle(
      .request(
        decoded, route: Route(envelope: []), peer: Peer(identity: "1000", role: .act)))
    handle(.drained)
  }

  private mutating func wait(_ duration: Duration, _ what: String) {
    let end = now + duration
    while let deadline = machine.nextDeadline, deadline <= end {
      now = max(now, deadline)
      handle(.tick)
    }
    now = end
  }

  private mutating func handle(_ event: AuthorityEvent) {
    machine.handle(event, at: now, date: 800_000_000)
    for output in machine.takeOutputs() {
      switch output {
      case .reply(let reply, _):
        note("daemon", "REQ", reply.header.code.rawValue, ReplyCodec.encode(reply))
      case .broadcast(let broadcast):
        let what =
          switch broadcast {
          case .publication(let publication):
            publication.flags.contains(.beat) ? "the view's beat" : "publication"
          case .beat: "the daemon's beat"
          case .ring(let ring): ring.isWelcome ? "welcome" : "mail"
          }
        note("daemon", "SUB", what, BroadcastCodec.encode(broadcast))
      case .append, .start, .handled, .cancelEffects, .report, .saveSnapshot, .background, .discard,
        .stopped:
        break
      }
    }
  }

  private mutating func note(_ by: String, _ on: String, _ what: String, _ frames: [[UInt8]]) {
    steps.append(
      WireVectorTests.Step(by: by, on: on, what: what, frames: frames.map(WireVectorTests.hex)))
  }
}
