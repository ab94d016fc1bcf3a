import Testing

@testable import ZeroMQ

@Suite("A context")
struct ContextTests {
  @Test("ends at once with finite linger although a message to nobody waits")
  func linger() throws {
    let context = try Context()
    let scratch = try Scratch()
    let dealer = try Socket(.dealer, in: context, options: .with { $0.linger = .milliseconds(1) })
    try dealer.connect(scratch.ipc("nobody"))
    #expect(try dealer.send([[], bytes("never read")]) == .sent)
    dealer.close()
    context.terminate()
  }

  @Test("gives what was sent its linger time")
  func lingerDelivers() throws {
    let scratch = try Scratch()
    let here = try Context()
    var router = try Socket(.router, in: here)
    try router.bind(scratch.ipc("s"))
    let there = try Context()
    let dealer = try Socket(.dealer, in: there, options: .with { $0.linger = .seconds(20) })
    try dealer.connect(scratch.ipc("s"))
    for number in 0..<100 { #expect(try dealer.send([[], [UInt8(number)]]) == .sent) }
    dealer.close()
    there.terminate()
    for number in 0..<100 { #expect(try router.next()?.frames.last == [UInt8(number)]) }
  }

  @Test("that was shut down makes its sockets say nothing, not fail")
  func shutdown() throws {
    let context = try Context()
    let scratch = try Scratch()
    var router = try Socket(.router, in: context)
    try router.bind(scratch.ipc("s"))
    context.shutdown()
    context.shutdown()
    #expect(try router.receive() == nil)
    #expect(try router.send(bytes("x")) == .unreachable)
    #expect(router.events.isEmpty)
    let failure = #expect(throws: ZeroMQError.self) { try router.bind(scratch.ipc("t")) }
    #expect(failure?.isContextEnded == true)
    router.close()
    context.terminate()
    context.terminate()
    context.shutdown()
  }

  @Test("ends by itself after its last socket")
  func dropping() throws {
    weak var gone: Context?
    do {
      let context = try Context()
      let socket = try Socket(.router, in: context)
      gone = context
      try socket.bind("tcp://127.0.0.1:*")
      #expect(gone != nil)
    }
    #expect(gone == nil)
  }

  @Test("traps when it is ended before its sockets, and names them")
  func survivors() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Context()
      let socket = try Socket(.router, in: context, file: "Engine.swift", line: 12)
      context.terminate()
      socket.close()
    }
    expectOutput(
      of: result,
      "Context.terminate would hang: 1 sockets live (router made at Engine.swift:12)."
        + " Close every socket first.")
  }

  @Test("traps when it is asked for a socket after its end")
  func socketAfterEnd() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Context()
      context.terminate()
      _ = try Socket(.router, in: context)
    }
    expectOutput(of: result, "a router socket was asked of a terminated Context")
  }

  @Test("has sockets that trap on an empty message and on a request out of turn")
  func misuse() async {
    let empty = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let socket = try Socket(.dealer, in: try Context())
      _ = try socket.send([[UInt8]]())
    }
    expectOutput(of: empty, "a message without frames was sent on a dealer socket")
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Context()
      let reply = try Socket(.reply, in: context)
      try reply.bind("tcp://127.0.0.1:*")
      let socket = try Socket(.request, in: context)
      try socket.connect(reply.lastEndpoint)
      while try socket.send(bytes("1")) != .sent {}
      _ = try socket.send(bytes("2"))
    }
    expectOutput(
      of: twice,
      "send on a request socket: not in this state (a request must be followed by its reply;"
        + " set requestRelaxed to send again before)")
  }
}
