import Glibc
import Testing

@testable import ZeroMQ

@Suite("What was sent is handed over")
struct HandOverTests {
  @Test(
    "to a peer that has not read yet, without closing the socket", arguments: Transport.allCases)
  func delivers(transport: Transport) throws {
    let scratch = try Scratch()
    let here = try Context()
    var router = try Socket(.router, in: here, options: .with { $0.routerMandatory = true })
    try router.bind(scratch.endpoint(transport))
    let there = try Context()
    var dealer = try Socket(.dealer, in: there)
    try dealer.connect(router.lastEndpoint)
    #expect(try dealer.send([[], bytes("ask")]) == .sent)
    let asked = try #require(try router.next(with: [dealer.core]))
    for number in 0..<1000 {
      let sent = try router.send(
        to: Array(asked.frames.dropLast()), [UInt8(number & 0xFF)], bytes("\(number)"))
      #expect(sent == .sent)
    }
    #expect(try here.handOver())
    // What the kernel has is there when the process is not: the I/O thread here does nothing more.
    var received = 0
    while received < 1000, let message = try dealer.next() {
      #expect(message.frames.last == bytes("\(received)"))
      received += 1
    }
    #expect(received == 1000)
    router.close()
    dealer.close()
    here.terminate()
    there.terminate()
  }

  @Test("by a process that leaves with its sockets open: its peer has everything")
  func lastMoment() async throws {
    let scratch = try Scratch()
    let endpoint = scratch.ipc("s")
    let context = try Context()
    var dealer = try Socket(.dealer, in: context)
    try dealer.connect(endpoint)
    #expect(try dealer.send([[], bytes("ask")]) == .sent)
    await #expect(processExitsWith: .exitCode(9)) { [endpoint = endpoint as String] in
      let context = try Context()
      var router = try Socket(.router, in: context, options: .with { $0.routerMandatory = true })
      try router.bind(endpoint)
      let asked = try #require(try router.next())
      for number in 0..<500 {
        _ = try router.send(to: Array(asked.frames.dropLast()), [], bytes("\(number)"))
      }
      _ = try context.handOver()
      _exit(9)
    }
    for number in 0..<500 { #expect(try dealer.next()?.frames.last == bytes("\(number)")) }
    dealer.close()
    context.terminate()
  }
}
