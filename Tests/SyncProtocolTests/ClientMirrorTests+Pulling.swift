import StateModel
import SyncProtocol
import Testing

/// Large values, which a mirror pulls in chunks.
extension ClientMirrorTests {
  @Test("Three chunks are under way at a time, and are put together in order")
  func chunksUnderWay() throws {
    let value: [UInt64] = Array(1...20)
    let bytes = ToyValue.encode(value)
    var bench = ClientBench.welcomed()
    bench.answerHello(views: [
      ViewAnswer(
        topic: ClientBench.topic, number: 4, digest: ToyValue.digest(value),
        content: .pull(answer: 1, size: 0, reason: "fresh"))
    ])
    var asked: [UInt64: UInt64] = [:]
    func look() {
      for request in bench.sent {
        if case .chunk(1, let offset) = request.body { asked[offset] = request.id }
      }
    }
    func answer(_ offset: Int, _ count: Int = 4) {
      let body = Reply.Body.chunk(
        Chunk(
          answer: 1, offset: UInt64(offset), size: UInt64(bytes.count),
          bytes: bytes[offset..<min(bytes.count, offset + count)]))
      if let id = asked[UInt64(offset)] { bench.reply(id, body, on: .data) }
      look()
    }
    look()
    // How long a chunk is, and the value, the first one tells.
    #expect(asked.keys.sorted() == [0])
    answer(0)
    #expect(asked.keys.sorted() == [0, 4, 8, 12])
    // Two overtake the one in front of them.
    answer(12)
    answer(8)
    #expect(asked.keys.sorted() == [0, 4, 8, 12, 16, 20])
    #expect(bench.value == [])
    answer(4)
    // One comes short: what it lacks is asked for when nothing else is under way.
    answer(16, 2)
    #expect(asked[18] == nil)
    answer(20)
    #expect(asked[18] != nil)
    answer(18)
    #expect(bench.value == value)
  }

  @Test("Signs of life and questions do not wait for a large value")
  func chunksGiveWay() throws {
    let bytes = [UInt8](repeating: 0, count: 100)
    var bench = ClientBench.welcomed()
    bench.answerHello(views: [
      ViewAnswer(
        topic: ClientBench.topic, number: 4, digest: Digest(rawValue: 1),
        content: .pull(answer: 1, size: 100, reason: "fresh"))
    ])
    func answerAll() {
      for request in bench.sent {
        guard case .chunk(1, let offset) = request.body else { continue }
        let start = Int(offset)
        bench.reply(
          request.id,
          .chunk(
            Chunk(answer: 1, offset: offset, size: 100, bytes: bytes[start..<start + 4])),
          on: .data)
      }
    }
    answerAll()
    bench.tell(.ask(AskToken(rawValue: 1), .views))
    for _ in 0..<3 {
      answerAll()
      if bench.sent.contains(where: { $0.body == .views }) { return }
    }
    Issue.record("the question waits")
  }

  @Test(
    "A large value comes in chunks, which tell its size if need be; one that does not fit begins it anew",
    arguments: [true, false])
  func chunks(sizeIsTold: Bool) throws {
    let value: [UInt64] = Array(1...20)
    let bytes = ToyValue.encode(value)
    var bench = ClientBench.welcomed()
    func pull(_ answer: UInt64) -> ViewAnswer {
      ViewAnswer(
        topic: ClientBench.topic, number: 4, digest: ToyValue.digest(value),
        content: .pull(
          answer: answer, size: sizeIsTold ? UInt64(bytes.count) : 0, reason: "fresh"))
    }
    bench.answerHello(views: [pull(1)])
    #expect(bench.isStale)
    func chunk(_ answer: UInt64, _ range: Range<Int>, of size: Int? = nil) -> Reply.Body {
      .chunk(
        Chunk(
          answer: answer, offset: UInt64(range.lowerBound), size: UInt64(size ?? bytes.count),
          bytes: bytes[range]))
    }
    func answer(_ offset: UInt64, _ body: Reply.Body) throws {
      bench.reply(try bench.chunkRequest(at: offset), body, on: .data)
    }
    try answer(0, chunk(1, 0..<8))
    // One of another answer; what else is under way is of no use then.
    try answer(8, chunk(7, 8..<16))
    try answer(16, chunk(1, 16..<21))
    bench.reply(try bench.snapshotRequest().id, .snapshot(pull(2)), on: .data)
    try answer(0, chunk(2, 0..<8))
    // No two chunks tell two sizes, and none is larger than what it is of.
    try answer(8, chunk(2, 8..<16, of: 1000))
    try answer(16, chunk(2, 16..<21))
    bench.reply(try bench.snapshotRequest().id, .snapshot(pull(3)), on: .data)
    try answer(0, chunk(3, 0..<8, of: 7))
    bench.reply(try bench.snapshotRequest().id, .snapshot(pull(4)), on: .data)
    try answer(0, chunk(4, 0..<8))
    // Nor does one come that nobody asked for.
    try answer(8, chunk(4, 20..<21))
    try answer(16, chunk(4, 16..<21))
    try answer(8, chunk(4, 8..<16))
    #expect(bench.value == value)
    #expect(try bench.replay().body == 4)
    bench.reply(try bench.replay().id, .replay(bench.resume([value], at: 4)), on: .data)
    #expect(!bench.isStale)
  }

  @Test("A pinned value that was released is asked for again")
  func released() throws {
    var bench = ClientBench.welcomed()
    bench.answerHello(views: [
      ViewAnswer(
        topic: ClientBench.topic, number: 4, digest: ToyValue.digest([]),
        content: .pull(answer: 1, size: 30, reason: "fresh"))
    ])
    bench.reply(try bench.chunkRequest().id, .text("Released."), code: .unknown, on: .data)
    bench.pass(.seconds(1))
    bench.reply(
      try bench.snapshotRequest().id, .snapshot(bench.snapshot([3], at: 5)), on: .data)
    #expect(bench.value == [3])
  }
}
