import Glibc
import Testing

@testable import ZeroMQ

@Suite("Fences against peers")
struct FenceTests {
  private let context: Context
  init() throws { context = try Context() }

  @Test(
    "a peer that says nothing is hung up after the handshake limit", arguments: Transport.allCases)
  func handshake(transport: Transport) throws {
    let scratch = try Scratch()
    let router = try Socket(
      .router, in: context, options: .with { $0.handshake = .milliseconds(50) })
    try router.bind(scratch.endpoint(transport))
    let silent = try RawPeer(router.lastEndpoint)
    let half = try RawPeer(router.lastEndpoint)
    half.write(Array(RawPeer.greeting(as: "DEALER").prefix(30)))
    let isSilentOut = silent.waitForHangUp()
    let isHalfOut = half.waitForHangUp()
    #expect(isSilentOut && isHalfOut)
  }

  @Test("a stopped subscriber is hung up by heartbeats, on ipc too", arguments: Transport.allCases)
  func heartbeats(transport: Transport) throws {
    let scratch = try Scratch()
    var publisher = try Socket(
      .extendedPublish, in: context,
      options: .with {
        $0.heartbeatInterval = .milliseconds(20)
        $0.heartbeatTimeout = .milliseconds(100)
      })
    try publisher.bind(scratch.endpoint(transport))
    let stopped = try RawPeer(publisher.lastEndpoint)
    try stopped.shakeHands(as: "SUB")
    stopped.write(RawPeer.frame([1] + bytes("D")))
    #expect(try publisher.next()?.frames == [[1] + bytes("D")])
    let isOut = stopped.waitForHangUp()
    #expect(isOut)
    #expect(try publisher.next()?.frames == [[0] + bytes("D")])
  }

  @Test(
    "a subscriber that goes with much unread does not abort a publisher with heartbeats",
    arguments: Transport.allCases)
  func goneUnread(transport: Transport) throws {
    let scratch = try Scratch()
    var publisher = try Socket(
      .extendedPublish, in: context,
      options: .with {
        $0.heartbeatInterval = .milliseconds(20)
        $0.heartbeatTimeout = .milliseconds(100)
        $0.receiveHighWater = 0
      })
    var monitor = try Monitor(of: publisher)
    try publisher.bind(scratch.endpoint(transport))
    do {
      let peer = try RawPeer(publisher.lastEndpoint)
      try peer.shakeHands(as: "SUB")
      #expect(try eventually([monitor.socket.core]) { try monitor.drain() == 1 })
      // Above libzmq's own mark of 1,000, at which it would stop reading.
      for topic in 0..<3000 { peer.write(RawPeer.frame([1] + bytes("\(topic)"))) }
    }
    #expect(try eventually([monitor.socket.core]) { try monitor.drain() == 0 })
    #expect(try publisher.next()?.frames == [[1] + bytes("0")])
  }

  @Test(
    "a peer that goes while its input is stopped leaves the others served",
    arguments: Transport.allCases)
  func goneStopped(transport: Transport) throws {
    let scratch = try Scratch()
    var router = try Socket(
      .router, in: context,
      options: .with {
        $0.receiveHighWater = 2
        $0.keepAlive = SocketOptions.KeepAlive()
      })
    var monitor = try Monitor(of: router)
    try router.bind(scratch.endpoint(transport))
    let endpoint = try router.lastEndpoint
    do {
      let peer = try RawPeer(endpoint)
      try peer.shakeHands(as: "DEALER")
      // At once: a stopped peer's socket takes few writes, and the next one would wait.
      peer.write(
        (0..<1000).flatMap { number in
          RawPeer.frame([], more: true) + RawPeer.frame(bytes("\(number)"))
        })
    }
    let dealer = try Socket(.dealer, in: context)
    try dealer.connect(endpoint)
    #expect(try dealer.send([[], bytes("healthy")]) == .sent)
    let isServed = try eventually([router.core, dealer.core]) {
      while let message = try router.receive() {
        if message.frames.last == bytes("healthy") { return true }
      }
      return false
    }
    #expect(isServed)
    let isGone = try eventually([router.core, monitor.socket.core, dealer.core]) {
      while try router.receive() != nil {}
      return try monitor.drain() == 1
    }
    #expect(isGone)
  }

  @Test(
    "a frame over the limit disconnects its peer alone; a message of several frames may be longer",
    arguments: Transport.allCases)
  func maximumFrame(transport: Transport) throws {
    let scratch = try Scratch()
    var router = try Socket(.router, in: context, options: .with { $0.maximumFrame = 1000 })
    try router.bind(scratch.endpoint(transport))
    let endpoint = try router.lastEndpoint
    let fits = [UInt8](repeating: 1, count: 1000)
    var dealer = try Socket(.dealer, in: context)
    try dealer.connect(endpoint)
    #expect(try dealer.send([fits, fits, fits, fits]) == .sent)
    let frames = try #require(try router.next(with: [dealer.core])).frames
    #expect(frames.dropFirst() == [fits, fits, fits, fits])

    let guilty = try RawPeer(endpoint)
    try guilty.shakeHands(as: "DEALER")
    // A long frame: flags, eight bytes of length.
    guilty.write([2, 0, 0, 0, 0, 0, 0, 0x03, 0xE9] + fits + [1])
    let isOut = guilty.waitForHangUp()
    #expect(isOut)
    #expect(try router.send(to: [frames[0]], bytes("fine"), []) == .sent)
    #expect(try dealer.next()?.frames.first == bytes("fine"))
  }

  @Test("on ipc every message tells its sender's user, group and process")
  func peer() throws {
    let scratch = try Scratch()
    var router = try Socket(.router, in: context)
    try router.bind(scratch.ipc("s"))
    try router.bind("tcp://127.0.0.1:*")
    let tcp = try router.lastEndpoint
    let dealer = try Socket(.dealer, in: context)
    try dealer.connect(scratch.ipc("s"))
    #expect(try dealer.send([[], bytes("1")]) == .sent)
    #expect(try dealer.send([[], bytes("2")]) == .sent)
    let mine = PeerCredentials(uid: getuid(), gid: getgid(), pid: getpid())
    let first = try #require(try router.next(with: [dealer.core]))
    #expect(first.peer == mine)
    #expect(first.peerAddress == "localhost:\(mine.uid):\(mine.gid):\(mine.pid)")
    let second = try #require(try router.next(with: [dealer.core]))
    #expect(second.peer == mine)
    // Only the last message can be asked.
    #expect(first.peer == nil)
    #expect(first.peerAddress == nil)
    #expect(first.sourceDescriptor == -1)

    let remote = try Socket(.dealer, in: context)
    try remote.connect(tcp)
    #expect(try remote.send([[], bytes("3")]) == .sent)
    let third = try #require(try router.next(with: [remote.core]))
    #expect(third.peer == nil)
    #expect(third.peerAddress == "127.0.0.1")
  }

  @Test("a filter of users lets in whom it names and nobody else")
  func filter() throws {
    let scratch = try Scratch()
    let closed = try Socket(
      .router, in: context, options: .with { $0.ipcFilterUIDs = [getuid() + 1] })
    var monitor = try Monitor(of: closed)
    try closed.bind(scratch.ipc("closed"))
    let refused = try RawPeer(scratch.ipc("closed"))
    let isOut = refused.waitForHangUp()
    #expect(isOut)
    #expect(
      try eventually([monitor.socket.core]) { try monitor.drain() == 0 && monitor.refused == 1 })

    var open = try Socket(
      .router, in: context, options: .with { $0.ipcFilterUIDs = [getuid() + 1, getuid()] })
    try open.bind(scratch.ipc("open"))
    let dealer = try Socket(.dealer, in: context)
    try dealer.connect(scratch.ipc("open"))
    #expect(try dealer.send([[], bytes("1")]) == .sent)
    #expect(try open.next(with: [dealer.core])?.peer?.uid == getuid())
  }

  @Test("connections are counted, shaken hands or not", arguments: Transport.allCases)
  func counting(transport: Transport) throws {
    let scratch = try Scratch()
    var router = try Socket(.router, in: context)
    var monitor = try Monitor(of: router)
    try router.bind(scratch.endpoint(transport))
    let endpoint = try router.lastEndpoint
    #expect(try monitor.drain() == 0)
    do {
      let dealer = try Socket(.dealer, in: context)
      try dealer.connect(endpoint)
      #expect(try dealer.send([[], []]) == .sent)
      _ = try #require(try router.next(with: [dealer.core]))
      let idle = try RawPeer(endpoint)
      let noise = try RawPeer(endpoint)
      noise.write([1, 2, 3])
      #expect(try eventually([monitor.socket.core]) { try monitor.drain() == 3 })
      dealer.close()
      #expect(try eventually([monitor.socket.core]) { try monitor.drain() == 2 })
      extendLifetime(idle.descriptor + noise.descriptor)
    }
    #expect(try eventually([monitor.socket.core]) { try monitor.drain() == 0 })
  }

  @Test(
    "connections beyond a limit are thrown out, and those that stand notice nothing",
    arguments: Transport.allCases)
  func limit(transport: Transport) throws {
    let scratch = try Scratch()
    var router = try Socket(.router, in: context)
    var monitor = try Monitor(of: router)
    try router.bind(scratch.endpoint(transport))
    let endpoint = try router.lastEndpoint
    let first = try RawPeer(endpoint)
    try first.shakeHands(as: "DEALER")
    do {
      let second = try RawPeer(endpoint)
      #expect(try eventually([monitor.socket.core]) { try monitor.drain(limit: 2) == 2 })
      for count in 1...5 {
        let late = try RawPeer(endpoint)
        #expect(
          try eventually([monitor.socket.core]) {
            try monitor.drain(limit: 2)
            return monitor.thrownOut == count
          })
        let isOut = late.waitForHangUp()
        #expect(isOut)
        #expect(try eventually([monitor.socket.core]) { try monitor.drain(limit: 2) == 2 })
      }
      #expect(monitor.thrownOut == 5)
      first.write(RawPeer.frame(bytes("still here")))
      #expect(try router.next()?.frames.last == bytes("still here"))
      extendLifetime(second.descriptor)
    }
    #expect(try eventually([monitor.socket.core]) { try monitor.drain(limit: 2) == 1 })
    let next = try RawPeer(endpoint)
    try next.shakeHands(as: "DEALER")
    next.write(RawPeer.frame(bytes("room again")))
    #expect(try router.next()?.frames.last == bytes("room again"))
    #expect(try monitor.drain(limit: 2) == 2)
  }

  @Test("what a connection does is counted from its beginning to its end")
  func countingOfOne() throws {
    let scratch = try Scratch()
    var publisher = try Socket(.extendedPublish, in: context)
    var monitor = try Monitor(of: publisher)
    try publisher.bind(scratch.ipc("s"))
    let endpoint = scratch.ipc("s")
    var descriptor: Int32 = -1
    do {
      let peer = try RawPeer(endpoint)
      try peer.shakeHands(as: "SUB")
      peer.write(RawPeer.frame([1] + bytes("topic")))
      descriptor = try #require(try publisher.next()).sourceDescriptor
      #expect(try monitor.drain() == 1)
      #expect(monitor.count(descriptor) == 1)
      #expect(monitor.count(descriptor) == 2)
      extendLifetime(peer.descriptor)
    }
    #expect(try eventually([monitor.socket.core]) { try monitor.drain() == 0 })
    #expect(monitor.count(descriptor) == 0)
  }

  @Test("a thrown-out peer may come again: only a filter keeps it out")
  func thrownOutComesAgain() throws {
    let scratch = try Scratch()
    var router = try Socket(.router, in: context)
    try router.bind(scratch.ipc("s"))
    let dealer = try Socket(
      .dealer, in: context, options: .with { $0.reconnectInterval = .milliseconds(5) })
    try dealer.connect(scratch.ipc("s"))
    #expect(try dealer.send([[], bytes("1")]) == .sent)
    let first = try #require(try router.next(with: [dealer.core]))
    router.disconnectPeer(descriptor: first.sourceDescriptor)
    // On its new connection it has a new route.
    var second: Message?
    for _ in 0..<100 where second == nil {
      _ = try dealer.send([[], bytes("2")])
      second = try router.next(with: [dealer.core], within: .milliseconds(200))
    }
    let route = try #require(second).frames[0]
    #expect(route != first.frames[0])
    #expect(try router.send(to: [first.frames[0]], [], []) == .sent, "not mandatory: dropped")
  }

  @Test("random bytes on the port leave the others served", arguments: Transport.allCases)
  func randomBytes(transport: Transport) throws {
    let scratch = try Scratch()
    var router = try Socket(.router, in: context)
    try router.bind(scratch.endpoint(transport))
    let endpoint = try router.lastEndpoint
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SplitMix(state: seed)
    for round in 0..<200 {
      let peer = try RawPeer(endpoint)
      let noise = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      switch round % 3 {
      case 0: peer.write(noise)
      case 1: peer.write(Array(RawPeer.greeting(as: "DEALER").prefix(noise.count)))
      default:
        try peer.shakeHands(as: "DEALER")
        peer.write(noise)
      }
    }
    let dealer = try Socket(.dealer, in: context)
    try dealer.connect(endpoint)
    #expect(try dealer.send([[], bytes("healthy")]) == .sent)
    var isServed = false
    _ = try eventually([router.core, dealer.core]) {
      while let message = try router.receive() {
        if message.frames.dropFirst() == [[], bytes("healthy")] { isServed = true }
      }
      return isServed
    }
    #expect(isServed, "seed \(seed)")
  }
}

/// Random numbers that a seed gives again.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
