import Testing

@testable import ZeroMQ

@Suite("Subscriptions")
struct SubscriptionTests {
  private let context: Context
  init() throws { context = try Context() }

  private func publisher(_ options: SocketOptions = .with { $0.xpubVerbose = true }) throws
    -> Socket
  {
    try Socket(.extendedPublish, in: context, options: options)
  }

  private func subscriber(in context: Context? = nil, sendHighWater: Int32 = 0) throws -> Socket {
    try Socket(
      .subscribe, in: context ?? self.context, options: .with { $0.sendHighWater = sendHighWater })
  }

  /// What the publisher hears, until it has heard `last`.
  private func heard(
    _ publisher: inout Socket, until last: String, from subscriber: SocketCore
  ) throws -> [String] {
    var heard: [String] = []
    while heard.last != last {
      let message = try #require(
        try publisher.next(with: [subscriber]), "\(last) never came after \(heard)")
      let frame = message.frames[0]
      heard.append((frame[0] == 1 ? "" : "un ") + text(Array(frame.dropFirst())))
    }
    return heard
  }

  @Test(
    "made before the connection come in byte order, so the doorbell's ~ is last",
    arguments: Transport.allCases)
  func orderBeforeConnect(transport: Transport) throws {
    let scratch = try Scratch()
    var publisher = try publisher()
    try publisher.bind(scratch.endpoint(transport))
    let subscriber = try subscriber()
    for topic in ["~nonce", "Dview", "H", "X", "C", "D"] { try subscriber.subscribe(bytes(topic)) }
    try subscriber.connect(publisher.lastEndpoint)
    #expect(
      try heard(&publisher, until: "~nonce", from: subscriber.core)
        == ["C", "D", "Dview", "H", "X", "~nonce"])
  }

  @Test("made on a live connection come in the order of the calls", arguments: Transport.allCases)
  func orderWhenLive(transport: Transport) throws {
    let scratch = try Scratch()
    var publisher = try publisher()
    try publisher.bind(scratch.endpoint(transport))
    let subscriber = try subscriber()
    try subscriber.connect(publisher.lastEndpoint)
    try subscriber.subscribe(bytes("a"))
    _ = try heard(&publisher, until: "a", from: subscriber.core)
    for topic in ["z", "y", "~x", "b"] { try subscriber.subscribe(bytes(topic)) }
    #expect(try heard(&publisher, until: "b", from: subscriber.core) == ["z", "y", "~x", "b"])
  }

  @Test("of which the doorbell was heard get every message published after that")
  func doorbellProvesTheOthers() throws {
    let scratch = try Scratch()
    var publisher = try publisher()
    try publisher.bind(scratch.ipc("s"))
    for round in 0..<50 {
      var subscriber = try subscriber()
      try subscriber.subscribe(bytes("Dview"))
      try subscriber.subscribe(bytes("~\(round)"))
      try subscriber.connect(scratch.ipc("s"))
      _ = try heard(&publisher, until: "~\(round)", from: subscriber.core)
      for number in 0..<5 { #expect(try publisher.send(bytes("Dview"), [UInt8(number)]) == .sent) }
      for number in 0..<5 {
        #expect(try subscriber.next()?.frames == [bytes("Dview"), [UInt8(number)]])
      }
    }
  }

  @Test(
    "beyond a thousand all arrive if the subscriber's SNDHWM is 0", arguments: Transport.allCases)
  func manyWithoutMark(transport: Transport) throws {
    let scratch = try Scratch()
    var publisher = try publisher()
    try publisher.bind(scratch.endpoint(transport))
    let subscriber = try subscriber(sendHighWater: 0)
    for number in 0..<2000 { try subscriber.subscribe(bytes("D\(number)")) }
    try subscriber.subscribe(bytes("~"))
    try subscriber.connect(publisher.lastEndpoint)
    #expect(try heard(&publisher, until: "~", from: subscriber.core).count == 2001)
  }

  @Test("beyond a thousand vanish silently at the default SNDHWM: why it is set")
  func manyWithDefaultMark() throws {
    let scratch = try Scratch()
    var publisher = try publisher()
    try publisher.bind(scratch.ipc("s"))
    let subscriber = try subscriber(sendHighWater: 1000)
    for number in 0..<2000 { try subscriber.subscribe(bytes("D\(number)")) }
    try subscriber.subscribe(bytes("~"))
    try subscriber.connect(scratch.ipc("s"))
    // What was dropped never comes; a later one does once there is room again.
    var all: [String] = []
    var attempt = 0
    while all.last?.hasPrefix("later") != true {
      try #require(attempt < 2000)
      try subscriber.subscribe(bytes("later\(attempt)"))
      attempt += 1
      while let message = try publisher.receive() {
        all.append(text(Array(message.frames[0].dropFirst())))
      }
      _ = try eventually([subscriber.core, publisher.core], within: .milliseconds(20)) {
        publisher.events.contains(.readable)
      }
    }
    #expect(all.count < 2001)
    #expect(!all.contains("~"))
  }

  @Test("are made again after a restart, the doorbell last", arguments: Transport.allCases)
  func restart(transport: Transport) throws {
    let scratch = try Scratch()
    let clients = try Context()
    var first = try publisher()
    try first.bind(scratch.endpoint(transport))
    let endpoint = try first.lastEndpoint
    var subscriber = try Socket(
      .subscribe, in: clients,
      options: .with {
        $0.sendHighWater = 0
        $0.reconnectInterval = .milliseconds(5)
      })
    for topic in ["~1", "D", "H"] { try subscriber.subscribe(bytes(topic)) }
    try subscriber.connect(endpoint)
    _ = try heard(&first, until: "~1", from: subscriber.core)
    first.close()
    // A fresh doorbell is safe at any moment, also while the publisher is away.
    try subscriber.subscribe(bytes("~2"))

    var second = try publisher()
    // The old listener's port is free when its I/O thread has closed it.
    #expect(
      try eventually([subscriber.core], lookingAgain: true) {
        (try? second.bind(endpoint)) != nil
      })
    #expect(
      try heard(&second, until: "~2", from: subscriber.core) == ["D", "H", "~1", "~2"])
    #expect(try second.send(bytes("D"), []) == .sent)
    #expect(try subscriber.next()?.frames.first == bytes("D"))
  }

  @Test("of a subscriber that nobody polls are not made again until somebody does")
  func restartUnpolled() throws {
    let scratch = try Scratch()
    let quick = SocketOptions.with { $0.reconnectInterval = .milliseconds(5) }
    var first = try publisher()
    try first.bind(scratch.ipc("s"))
    var idle = try Socket(.subscribe, in: context, options: quick)
    try idle.subscribe(bytes("idle"))
    try idle.connect(scratch.ipc("s"))
    _ = try heard(&first, until: "idle", from: idle.core)
    first.close()
    var second = try publisher()
    var monitor = try Monitor(of: second)
    #expect(try eventually([], lookingAgain: true) { (try? second.bind(scratch.ipc("s"))) != nil })
    // It is connected again, and twenty newcomers have joined meanwhile: it had its time.
    #expect(try eventually([monitor.socket.core]) { try monitor.drain() == 1 })
    for number in 0..<20 {
      let other = try subscriber()
      try other.subscribe(bytes("other\(number)"))
      try other.connect(scratch.ipc("s"))
      let all = try heard(&second, until: "other\(number)", from: other.core)
      #expect(!all.contains("idle"))
    }
    _ = try idle.receive()
    _ = try heard(&second, until: "idle", from: idle.core)
  }

  @Test("are each reported by a verbose publisher, and taken back with the topic's last")
  func verbose() throws {
    let scratch = try Scratch()
    var publisher = try publisher()
    try publisher.bind(scratch.ipc("s"))
    let first = try subscriber()
    let second = try subscriber()
    for subscriber in [first.core, second.core] {
      try subscriber.set(6, bytes("D"), "a subscription")
    }
    try first.connect(scratch.ipc("s"))
    #expect(try heard(&publisher, until: "D", from: first.core) == ["D"])
    try second.connect(scratch.ipc("s"))
    #expect(try heard(&publisher, until: "D", from: second.core) == ["D"])
    first.close()
    try second.subscribe(bytes("E"))
    #expect(try heard(&publisher, until: "E", from: second.core) == ["E"])
    second.close()
    var gone: Set<[UInt8]> = []
    while gone.count < 2 { gone.insert(try #require(try publisher.next()).frames[0]) }
    #expect(gone == [[0] + bytes("D"), [0] + bytes("E")])
  }

  @Test("are reported as gone when the subscriber's connection dies", arguments: Transport.allCases)
  func death(transport: Transport) throws {
    let scratch = try Scratch()
    var publisher = try publisher()
    try publisher.bind(scratch.endpoint(transport))
    do {
      let peer = try RawPeer(publisher.lastEndpoint)
      try peer.shakeHands(as: "SUB")
      peer.write(RawPeer.frame([1] + bytes("D")))
      #expect(try publisher.next()?.frames == [[1] + bytes("D")])
    }
    let gone = try #require(try publisher.next())
    #expect(gone.frames == [[0] + bytes("D")])
    // Made by libzmq itself: nobody sent it.
    #expect(gone.peerAddress == nil)
    #expect(gone.sourceDescriptor == -1)
  }

  @Test("take effect when the publisher's events are read, before they are received")
  func eventsTakeIn() throws {
    let scratch = try Scratch()
    let publisher = try publisher()
    try publisher.bind(scratch.ipc("s"))
    var subscriber = try subscriber()
    try subscriber.subscribe(bytes("D"))
    try subscriber.connect(scratch.ipc("s"))
    #expect(
      try eventually([subscriber.core, publisher.core]) {
        publisher.events.contains(.readable)
      })
    #expect(try publisher.send(bytes("D"), []) == .sent)
    #expect(try subscriber.next()?.frames == [bytes("D"), []])
  }

  @Test("tell who made them, and their maker can be thrown out", arguments: Transport.allCases)
  func throwOut(transport: Transport) throws {
    let scratch = try Scratch()
    var publisher = try publisher()
    try publisher.bind(scratch.endpoint(transport))
    let hostile = try RawPeer(publisher.lastEndpoint)
    try hostile.shakeHands(as: "SUB")
    hostile.write(RawPeer.frame([1] + bytes("D")))
    let message = try #require(try publisher.next())
    #expect(message.sourceDescriptor >= 0)
    publisher.disconnectPeer(descriptor: message.sourceDescriptor)
    #expect(try publisher.next()?.frames == [[0] + bytes("D")])
    let isOut = hostile.waitForHangUp()
    #expect(isOut)
  }
}
