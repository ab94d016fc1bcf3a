import Testing

@testable import ZeroMQ

@Suite("Requests and replies")
struct RequestTests {
  private let context: Context
  init() throws { context = try Context() }

  private func router(_ change: (inout SocketOptions) -> Void = { _ in }) throws -> Socket {
    var options = SocketOptions.with { $0.routerMandatory = true }
    change(&options)
    return try Socket(.router, in: context, options: options)
  }

  private func request() throws -> Socket {
    try Socket(
      .request, in: context,
      options: .with {
        $0.requestRelaxed = true
        $0.reconnectInterval = .milliseconds(5)
      })
  }

  @Test("carry an envelope up to the first empty frame", arguments: Transport.allCases)
  func envelope(transport: Transport) throws {
    let scratch = try Scratch()
    var router = try router()
    try router.bind(scratch.endpoint(transport))
    var request = try request()
    try request.connect(router.lastEndpoint)
    #expect(try request.send(bytes("header"), bytes("body")) == .sent)
    let first = try #require(try router.next(with: [request.core])).frames
    // [route][the correlation's four bytes][empty][header][body]
    #expect(first.map(\.count) == [5, 4, 0, 6, 4])
    #expect(try router.send(to: Array(first[..<3]), bytes("ok"), bytes("fine")) == .sent)
    #expect(try request.next()?.frames == [bytes("ok"), bytes("fine")])

    var dealer = try Socket(.dealer, in: context)
    try dealer.connect(router.lastEndpoint)
    #expect(try dealer.send([[], bytes("header"), bytes("body")]) == .sent)
    let second = try #require(try router.next(with: [dealer.core])).frames
    #expect(second.map(\.count) == [5, 0, 6, 4])
    #expect(try router.send(to: Array(second[..<2]), bytes("ok"), []) == .sent)
    #expect(try dealer.next()?.frames == [[], bytes("ok"), []])
  }

  @Test("from clients that set no id get distinct routes whose first byte is 0")
  func routes() throws {
    let scratch = try Scratch()
    var router = try router()
    try router.bind(scratch.ipc("s"))
    var routes: Set<[UInt8]> = []
    for _ in 0..<100 {
      let dealer = try Socket(.dealer, in: context)
      try dealer.connect(scratch.ipc("s"))
      #expect(try dealer.send([[], []]) == .sent)
      let route = try #require(try router.next(with: [dealer.core])).frames[0]
      #expect(route.count == 5 && route[0] == 0)
      routes.insert(route)
    }
    #expect(routes.count == 100)
  }

  @Test(
    "relaxed and correlated survive a lost reply, and drop a late one although it shows as readable",
    arguments: Transport.allCases)
  func relaxed(transport: Transport) throws {
    let scratch = try Scratch()
    var router = try router()
    try router.bind(scratch.endpoint(transport))
    var request = try request()
    try request.connect(router.lastEndpoint)
    #expect(try request.send(bytes("1")) == .sent)
    let first = try #require(try router.next(with: [request.core])).frames
    // No reply within the client's patience: again.
    #expect(try request.send(bytes("2")) == .sent)
    let second = try #require(try router.next(with: [request.core])).frames

    // A relaxed request starts on a new pipe: the old route is forgotten.
    let late = try router.send(Array(first[..<3]) + [bytes("late")])
    #expect(try router.send(Array(second[..<3]) + [bytes("right")]) == .sent)
    #expect(try request.next()?.frames == [bytes("right")], "the late reply was \(late)")
    #expect(try request.receive() == nil)
  }

  @Test("show a late reply as readable, and then there is nothing: receive says so")
  func readableTrap() throws {
    let scratch = try Scratch()
    var router = try router()
    try router.bind(scratch.ipc("s"))
    var request = try request()
    try request.connect(scratch.ipc("s"))
    #expect(try request.send(bytes("1")) == .sent)
    let first = try #require(try router.next(with: [request.core])).frames
    // A reply with another correlation: what an answer to an older attempt looks like.
    #expect(try router.send([first[0], [9, 9, 9, 9], [], bytes("stale")]) == .sent)
    #expect(try eventually([request.core]) { request.events.contains(.readable) })
    #expect(try request.receive() == nil)
    #expect(!request.events.contains(.readable))
    #expect(try router.send(Array(first[..<3]) + [bytes("right")]) == .sent)
    #expect(try request.next()?.frames == [bytes("right")])
  }

  @Test("lost in a daemon that died are never sent again by libzmq", arguments: Transport.allCases)
  func noResend(transport: Transport) throws {
    let scratch = try Scratch()
    var first = try router()
    try first.bind(scratch.endpoint(transport))
    let endpoint = try first.lastEndpoint
    var request = try request()
    try request.connect(endpoint)
    #expect(try request.send(bytes("lost")) == .sent)
    _ = try #require(try first.next(with: [request.core]))
    first.close()
    var second = try router()
    #expect(
      try eventually([request.core], lookingAgain: true) { (try? second.bind(endpoint)) != nil })
    // The client's own timer sends again until it is answered; the lost one never comes.
    var isThere = false
    for _ in 0..<100 where !isThere {
      _ = try request.send(bytes("again"))
      isThere = try eventually([request.core, second.core], within: .milliseconds(200)) {
        second.events.contains(.readable)
      }
    }
    let frames = try #require(try second.next(with: [request.core])).frames
    #expect(frames.last == bytes("again"))
    #expect(try second.send(Array(frames[..<3]) + [bytes("ok")]) == .sent)
    #expect(try request.next()?.frames == [bytes("ok")])
  }

  @Test("of a peer that is gone or never was: unreachable", arguments: Transport.allCases)
  func unreachable(transport: Transport) throws {
    let scratch = try Scratch()
    var router = try router()
    try router.bind(scratch.endpoint(transport))
    #expect(try router.send([[0, 1, 2, 3, 4], [], bytes("x")]) == .unreachable)

    let dealer = try Socket(.dealer, in: context)
    try dealer.connect(router.lastEndpoint)
    #expect(try dealer.send([[], bytes("hello")]) == .sent)
    let route = try #require(try router.next(with: [dealer.core])).frames[0]
    dealer.close()
    #expect(
      try eventually([router.core]) { try router.send([route, [], bytes("x")]) == .unreachable })
    // The socket is in order for the next message.
    let other = try Socket(.dealer, in: context)
    try other.connect(router.lastEndpoint)
    #expect(try other.send([[], bytes("hello")]) == .sent)
    #expect(try router.next(with: [other.core])?.frames.last == bytes("hello"))
  }

  @Test("of a peer that does not read: would block, and the others are served")
  func wouldBlock() throws {
    let scratch = try Scratch()
    var router = try router { $0.sendHighWater = 10 }
    try router.bind(scratch.ipc("s"))
    // One that says hello and never reads: it fills the kernel's buffers, then the ten.
    let stopped = try RawPeer(scratch.ipc("s"))
    try stopped.shakeHands(as: "DEALER")
    stopped.write(RawPeer.frame([], more: true) + RawPeer.frame(bytes("hello")))
    let route = try #require(try router.next()).frames[0]
    let payload = [UInt8](repeating: 7, count: 100_000)
    var sent = 0
    #expect(
      try eventually([router.core]) {
        while try router.send(to: [route], [], payload) == .sent { sent += 1 }
        // Full once and still full when the I/O thread has had its turn.
        return try router.send(to: [route], [], payload) == .wouldBlock && sent >= 10
      })
    #expect(sent < 1000)

    var dealer = try Socket(.dealer, in: context)
    try dealer.connect(scratch.ipc("s"))
    for _ in 0..<20 {
      #expect(try dealer.send([[], bytes("ping")]) == .sent)
      let frames = try #require(try router.next(with: [dealer.core])).frames
      #expect(try router.send(frames) == .sent)
      #expect(try dealer.next()?.frames == [[], bytes("ping")])
    }
    #expect(try router.send(to: [route], [], payload) == .wouldBlock)
  }

  @Test(
    "without an empty frame, or with nothing after it, arrive as they are: the reader must look")
  func malformed() throws {
    let scratch = try Scratch()
    var router = try router()
    try router.bind(scratch.ipc("s"))
    let dealer = try Socket(.dealer, in: context)
    try dealer.connect(scratch.ipc("s"))
    #expect(try dealer.send([bytes("no"), bytes("delimiter")]) == .sent)
    #expect(try dealer.send([[]]) == .sent)
    #expect(
      try router.next(with: [dealer.core])?.frames.dropFirst() == [bytes("no"), bytes("delimiter")])
    #expect(try router.next(with: [dealer.core])?.frames.dropFirst() == [[]])
  }
}
