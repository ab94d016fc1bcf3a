import Testing

@testable import ZeroMQ

@Suite("Publications")
struct PublicationTests {
  /// How many of a burst reach one subscriber that reads only after it.
  private func arriving(of count: Int, sendHighWater: Int32) throws -> Int {
    let context = try Context()
    let scratch = try Scratch()
    var publisher = try Socket(
      .extendedPublish, in: context, options: .with { $0.sendHighWater = sendHighWater })
    try publisher.bind(scratch.ipc("s"))
    var subscriber = try Socket(.subscribe, in: context)
    try subscriber.subscribe([])
    try subscriber.connect(scratch.ipc("s"))
    _ = try #require(try publisher.next(with: [subscriber.core]))
    let payload = [UInt8](repeating: 1, count: 1000)
    // Never `wouldBlock`: a publisher drops instead.
    for _ in 0..<count { #expect(try publisher.send([0], payload) == .sent) }

    // Everything before the last word was either delivered by then or dropped.
    var arrived = 0
    var isOver = false
    while !isOver {
      _ = try publisher.send(bytes("end"))
      _ = try eventually([subscriber.core], within: .milliseconds(20)) {
        while let message = try subscriber.receive() {
          if message.frames.count == 1 { isOver = true } else { arrived += 1 }
        }
        return isOver
      }
    }
    return arrived
  }

  @Test("to a subscriber that is behind are lost above the high-water mark, silently")
  func lossAboveTheMark() throws { #expect(try arriving(of: 20_000, sendHighWater: 1000) < 20_000) }

  @Test("all arrive below a mark of 50,000")
  func noLossBelowTheMark() throws {
    #expect(try arriving(of: 20_000, sendHighWater: 50_000) == 20_000)
  }

  @Test("of three frames arrive as three frames, empty and large ones too")
  func frames() throws {
    let context = try Context()
    let scratch = try Scratch()
    var publisher = try Socket(.extendedPublish, in: context)
    try publisher.bind(scratch.ipc("s"))
    var subscriber = try Socket(.subscribe, in: context)
    try subscriber.subscribe(bytes("D"))
    try subscriber.connect(scratch.ipc("s"))
    _ = try #require(try publisher.next(with: [subscriber.core]))
    let large = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    #expect(try publisher.send(bytes("D"), [], large) == .sent)
    #expect(try publisher.send([bytes("D"), large]) == .sent)
    #expect(try publisher.send(bytes("D")) == .sent)
    var message = try #require(try subscriber.next())
    #expect(message.frames == [bytes("D"), [], large])
    // Received into the same message: no frame of the longer one is left.
    #expect(try eventually([subscriber.core]) { try subscriber.receive(into: &message) })
    #expect(message.frames == [bytes("D"), large])
    #expect(try eventually([subscriber.core]) { try subscriber.receive(into: &message) })
    #expect(message.frames == [bytes("D")])
    #expect(try !subscriber.receive(into: &message))
    #expect(message.frames == [bytes("D")])
  }
}
