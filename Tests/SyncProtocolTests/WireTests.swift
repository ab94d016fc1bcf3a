import StateModel
import Testing

@testable import SyncProtocol

@Suite("Wire codec")
struct WireTests {
  @Test("every request comes back as it was", arguments: WireSamples.requests)
  func requestRoundTrip(body: Request.Body) throws {
    for epoch in [nil, WireSamples.epoch] {
      let request = Request(id: 1 << 35, session: WireSamples.session, epoch: epoch, body: body)
      #expect(try RequestCodec.decode(RequestCodec.encode(request)) == request)
    }
  }

  @Test("every reply comes back as it was", arguments: WireSamples.replies)
  func replyRoundTrip(body: Reply.Body) throws {
    let reply = WireSamples.reply(body)
    #expect(try ReplyCodec.decode(ReplyCodec.encode(reply)) == reply)
  }

  @Test("every broadcast comes back as it was", arguments: WireSamples.broadcasts)
  func broadcastRoundTrip(broadcast: Broadcast) throws {
    #expect(try BroadcastCodec.decode(BroadcastCodec.encode(broadcast)) == broadcast)
  }

  @Test("every frame is one deterministic item")
  func framesAreDeterministic() throws {
    var frames: [[UInt8]] = []
    for body in WireSamples.requests {
      frames += RequestCodec.encode(
        Request(id: 1, session: WireSamples.session, epoch: WireSamples.epoch, body: body))
    }
    for body in WireSamples.replies { frames += ReplyCodec.encode(WireSamples.reply(body)) }
    for broadcast in WireSamples.broadcasts {
      frames += BroadcastCodec.encode(broadcast).dropFirst().filter { !$0.isEmpty }
    }
    for frame in frames {
      var decoder = CBORDecoder(frame)
      try decoder.skip()
      try decoder.finish()
    }
  }

  @Test("a header is the array that the protocol says")
  func headers() {
    let request = RequestCodec.encode(
      Request(id: 5, session: WireSamples.session, epoch: nil, body: .bye))
    #expect(
      request[0] == [0x85, 0x01, 0x63, 0x62, 0x79, 0x65, 0x05, 0x50] + Array(1...16) + [0xF6])
    #expect(request[1] == [0xA0])
    let reply = ReplyCodec.encode(WireSamples.reply(.text(""), code: .retry))
    #expect(Array(reply[0].prefix(8)) == [0x88, 0x01, 0x65] + Array("retry".utf8))
  }

  @Test("unknown keys of a body are ignored")
  func unknownKeys() throws {
    let frames = RequestCodec.encode(
      Request(id: 5, session: WireSamples.session, epoch: nil, body: .chunk(answer: 1, offset: 2)))
    // {"zz": [0], "answer": 1, "offset": 2, "something else": null}
    let body: [UInt8] =
      [0xA4, 0x62, 0x7A, 0x7A, 0x81, 0x00] + Array(frames[1].dropFirst()) + [0x6E]
      + Array("something else".utf8) + [0xF6]
    #expect(try RequestCodec.decode([frames[0], body]).body == .chunk(answer: 1, offset: 2))
  }

  @Test("a body whose keys are out of order or doubled is malformed")
  func keyOrder() {
    let header = RequestCodec.encode(
      Request(id: 5, session: WireSamples.session, epoch: nil, body: .chunk(answer: 1, offset: 2)))[
        0]
    for body: [UInt8] in [
      [0xA2, 0x62, 0x62, 0x62, 0x00, 0x61, 0x61, 0x00],
      [0xA2, 0x61, 0x62, 0x00, 0x61, 0x61, 0x00],
      [0xA2, 0x61, 0x61, 0x00, 0x61, 0x61, 0x00],
    ] {
      let failure = #expect(throws: WireFailure.self) {
        try RequestCodec.decode([header, body])
      }
      #expect(failure?.code == .malformed)
      #expect(failure?.request == 5)
      #expect(
        failure?.text == "the body of the request is not understood: the keys of a body are in "
          + "the order of their encodings, each once")
    }
  }

  @Test("a request over the limit is too large, and can be answered")
  func tooLarge() {
    let request = Request(
      id: 9, session: WireSamples.session, epoch: nil,
      body: .trial(Entry(.perform(action: [0x58, 100] + Array(repeating: 0, count: 100)))))
    var limits = Limits()
    limits.request = 100
    let failure = #expect(throws: WireFailure.self) {
      try RequestCodec.decode(RequestCodec.encode(request), limits: limits)
    }
    #expect(failure?.code == .tooLarge)
    #expect(failure?.request == 9)
    #expect(
      failure?.text
        == "the request has 138 bytes, the limit is 100: send fewer entries at once, or smaller ones"
    )
  }

  @Test(
    "another protocol version is named in the answer", arguments: [(0, Code.tooOld), (2, .tooNew)])
  func versions(version: Int, code: Code) {
    var frames = RequestCodec.encode(
      Request(id: 9, session: WireSamples.session, epoch: nil, body: .bye))
    frames[0][1] = UInt8(version)
    let failure = #expect(throws: WireFailure.self) { try RequestCodec.decode(frames) }
    #expect(failure?.code == code)
    #expect(failure?.request == 9)
    #expect(
      failure?.text
        == "the request is of protocol version \(version), this daemon speaks version 1")
  }

  @Test("an option of an entry that is not known is not left unheeded")
  func unknownOption() {
    let header = RequestCodec.encode(
      Request(id: 5, session: WireSamples.session, epoch: nil, body: .trial(WireSamples.entries[0]))
    )[0]
    let entry: [UInt8] =
      [0x83, 0x62, 0x64, 0x6F, 0x00, 0xA1, 0x64] + Array("soon".utf8) + [0xF5]
    let failure = #expect(throws: WireFailure.self) {
      try RequestCodec.decode([header, [0xA1, 0x65] + Array("entry".utf8) + entry])
    }
    #expect(
      failure?.text
        == "the body of the request is not understood: no option of an entry is called `soon`")
  }

  @Test("values may nest as deep as the limit, whatever is around them")
  func depth() throws {
    func nested(_ depth: Int) -> [UInt8] { Array(repeating: 0x81, count: depth) + [0x00] }
    func request(_ depth: Int) -> Request {
      Request(
        id: 1, session: WireSamples.session, epoch: nil,
        body: .act(
          Act(
            base: 0,
            entries: [Act.Numbered(number: 1, entry: Entry(.perform(action: nested(depth))))])))
    }
    #expect(try RequestCodec.decode(RequestCodec.encode(request(256))) == request(256))
    #expect(throws: WireFailure.self) {
      try RequestCodec.decode(RequestCodec.encode(request(257)))
    }
  }

  @Test("mutated and cut frames never trap", arguments: [UInt64(1), 2, 3])
  func mutations(seed: UInt64) {
    var generator = SeedStream(seed: seed)
    var messages: [[[UInt8]]] = WireSamples.requests.map {
      RequestCodec.encode(
        Request(id: 1, session: WireSamples.session, epoch: WireSamples.epoch, body: $0))
    }
    messages += WireSamples.replies.map { ReplyCodec.encode(WireSamples.reply($0)) }
    messages += WireSamples.broadcasts.map(BroadcastCodec.encode)
    var understood = 0
    for _ in 0..<20_000 {
      var frames = messages[Int(generator.next() % UInt64(messages.count))]
      let index = Int(generator.next() % UInt64(frames.count))
      switch generator.next() % 4 {
      case 0: frames[index] = Array(frames[index].prefix(Int(generator.next() % 40)))
      case 1: frames.remove(at: index)
      case 2: frames[index].append(UInt8(truncatingIfNeeded: generator.next()))
      default:
        guard !frames[index].isEmpty else { continue }
        let byte = Int(generator.next() % UInt64(frames[index].count))
        frames[index][byte] = UInt8(truncatingIfNeeded: generator.next())
      }
      if let request = try? RequestCodec.decode(frames) {
        understood += 1
        #expect((try? RequestCodec.decode(RequestCodec.encode(request))) == request)
      }
      _ = try? ReplyCodec.decode(frames)
      _ = try? BroadcastCodec.decode(frames)
    }
    #expect(understood > 0)
  }
}

@Suite("Topics")
struct WireTopicTests {
  @Test("a view's topic is its letter, name, a zero byte and its parameters")
  func plain() {
    #expect(
      Topic(view: "a.b-C_9", parameters: [0x01])?.bytes == Array("Da.b-C_9".utf8) + [0, 0x01])
    #expect(Topic(view: "x")?.bytes == [0x44, 0x78, 0x00, 0xF6])
  }

  @Test(
    "names that no view can have",
    arguments: ["", "a b", "é", "a/b", "a\0", String(repeating: "x", count: 65)])
  func names(name: String) {
    #expect(Topic(view: name) == nil)
  }

  @Test("parameters are hashed where the topic would exceed 200 bytes")
  func hashed() throws {
    func parameters(_ count: Int) -> [UInt8] {
      [0x58, UInt8(count - 2)] + Array(repeating: 7, count: count - 2)
    }
    let longest = try #require(Topic(view: "name", parameters: parameters(194)))
    #expect(longest.bytes.count == 200)
    let hashed = try #require(Topic(view: "name", parameters: parameters(195)))
    let hash = XXH3.hash128(parameters(195))
    #expect(
      hashed.bytes == Array("Dname".utf8) + [0, 0xFF] + hash.high.bigEndianBytes
        + hash.low.bigEndianBytes)
    #expect(hashed.viewName == "name")
  }

  @Test("a topic's letter tells what it is for")
  func kinds() {
    #expect(WireSamples.counter.kind == .view)
    #expect(Topic.daemonBeat.kind == .daemonBeat)
    #expect(Topic(doorbell: WireSamples.nonce).kind == .doorbell(WireSamples.nonce))
    #expect(Topic(bytes: []).kind == .other)
    #expect(Topic(bytes: [0x7E, 1, 2]).kind == .other)
    #expect(Topic(bytes: [0x48, 0x48]).kind == .other)
  }

  @Test("a header may be longer than this version's: what is behind is skipped")
  func longerHeader() throws {
    let request = Request(
      id: 7, session: WireSamples.session, epoch: WireSamples.epoch, body: .views)
    var frames = RequestCodec.encode(request)
    #expect(frames[0][0] == 0x85)
    frames[0][0] = 0x87
    frames[0] += [0x00, 0x82, 0x01, 0x61, 0x61]
    #expect(try RequestCodec.decode(frames) == request)
    frames[0].removeLast()
    #expect(throws: WireFailure.self) { try RequestCodec.decode(frames) }
    var reply = ReplyCodec.encode(WireSamples.reply(WireSamples.replies[0]))
    let short = try ReplyCodec.decode(reply)
    reply[0][0] += 1
    reply[0].append(0)
    #expect(try ReplyCodec.decode(reply) == short)
    for broadcast in WireSamples.broadcasts {
      var frames = BroadcastCodec.encode(broadcast)
      frames[1][0] += 1
      frames[1].append(0)
      #expect(try BroadcastCodec.decode(frames) == broadcast)
    }
  }
}
