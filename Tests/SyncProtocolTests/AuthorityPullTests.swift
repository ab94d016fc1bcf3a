import StateModel
import Testing

@testable import SyncProtocol

/// Large values are encoded by somebody else, and their chunks wait for it.
@Suite("Large snapshots that are being encoded")
struct AuthorityPullTests {
  /// A blob that takes more than a publication, pinned for session 1 and not encoded yet.
  static func pinned(
    limits: Limits = Limits(), timing: Timing = Timing(), durable: Bool = false
  ) -> AuthorityBench {
    var bench = AuthorityBench(durable: durable, limits: limits, timing: timing)
    bench.encodesAtOnce = false
    bench.act(1, "grow", "300000")
    bench.drain()
    bench.journaled()
    bench.hello(["blob"])
    bench.drain()
    bench.journaled()
    return bench
  }

  /// Small enough that the toy's views are large.
  static var small: Limits {
    var limits = Limits()
    limits.publication = 3
    return limits
  }

  static func pulled(_ answer: ViewAnswer?) -> (answer: UInt64, size: UInt64)? {
    if case .pull(let answer, let size, _) = answer?.content { (answer, size) } else { nil }
  }

  static func chunks(_ bench: AuthorityBench) -> [Chunk] {
    bench.replies.compactMap { if case .chunk(let chunk) = $0.body { chunk } else { nil } }
  }

  @Test("the answer leaves at once, and a chunk waits until the value is encoded")
  func chunkWaits() throws {
    var bench = Self.pinned()
    let pull = try #require(Self.pulled(bench.views.first))
    #expect(pull == (1, 0))
    #expect(bench.encodings.map(\.answer) == [1])
    bench.take()
    bench.request(.chunk(answer: 1, offset: 0))
    #expect(bench.replies.isEmpty)
    // Actions go on.
    bench.act(2, "flip", "a")
    bench.drain()
    #expect(bench.codes == [.ok])
    bench.take()
    bench.encode()
    let chunk = try #require(Self.chunks(bench).first)
    #expect((chunk.offset, chunk.size, chunk.bytes.count) == (0, 300_005, 262_144))
    bench.request(.chunk(answer: 1, offset: 262_144))
    #expect(Self.chunks(bench).last?.bytes.count == 37_861)
  }

  @Test("what is encoded is the value that was pinned, whatever is published meanwhile")
  func pinnedValue() throws {
    var bench = Self.pinned()
    let view = try #require(bench.views.first)
    bench.act(2, "grow", "400000")
    bench.drain()
    bench.encode()
    var bytes: [UInt8] = []
    for offset in [UInt64(0), 262_144] {
      bench.request(.chunk(answer: 1, offset: offset))
      bytes += Self.chunks(bench).last?.bytes ?? []
    }
    #expect(Digest(leaf: bytes) == view.digest)
  }

  @Test("a second joiner shares the encoding, and each is answered")
  func shared() {
    var bench = Self.pinned()
    bench.hello(["blob"], session: 2)
    bench.drain()
    #expect(Self.pulled(bench.views.first)?.answer == 1)
    #expect(bench.encodings.count == 1)
    bench.take()
    bench.request(.chunk(answer: 1, offset: 0))
    bench.request(.chunk(answer: 1, offset: 0), session: 2)
    bench.encode()
    #expect(Self.chunks(bench).count == 2)
    // Who comes now is told how large it is.
    bench.hello(["blob"], session: 3)
    bench.drain()
    #expect(Self.pulled(bench.views.first)?.size == 300_005)
    #expect(bench.encodings.isEmpty)
  }

  @Test("a request that is repeated is answered once, with its newest number")
  func repeated() {
    var bench = Self.pinned()
    bench.take()
    bench.request(.chunk(answer: 1, offset: 0))
    bench.request(.chunk(answer: 1, offset: 0))
    bench.request(.chunk(answer: 1, offset: 262_144))
    #expect(bench.machine.pins.waitingCount == 2)
    bench.encode()
    #expect(Self.chunks(bench).map(\.offset) == [0, 262_144])
    let numbers = bench.replies.map(\.header.request)
    bench.request(.chunk(answer: 1, offset: 0))
    #expect(numbers == [bench.replies[2].header.request - 2, bench.replies[2].header.request - 1])
  }

  @Test("a waiting request for a byte that turns out not to be there is refused")
  func behindTheEnd() {
    var bench = Self.pinned()
    bench.request(.chunk(answer: 1, offset: 1_000_000))
    bench.encode()
    #expect(bench.refusal?.code == .unknown)
    #expect(
      bench.refusal?.text
        == "answer 1 has no byte 1000000 or is not kept any more: ask for the view again")
  }

  @Test("only so many chunks may wait")
  func crowd() {
    var limits = Limits()
    limits.waitingPullers = 1
    var bench = Self.pinned(limits: limits)
    bench.take()
    bench.request(.chunk(answer: 1, offset: 0))
    #expect(bench.replies.isEmpty)
    bench.request(.chunk(answer: 1, offset: 0), session: 2)
    #expect(bench.refusal?.code == .busy)
    #expect(
      bench.refusal?.text
        == "1 requests wait for large snapshots to be encoded or compared, and no more may: ask again in "
        + "a moment")
    bench.encode()
    bench.request(.chunk(answer: 1, offset: 0), session: 2)
    #expect(Self.chunks(bench).count == 2)
  }

  @Test("a crowd of waiting joiners is answered piece by piece, not in one go")
  func piecemeal() {
    var bench = Self.pinned()
    bench.take()
    for session in UInt64(1)...10 { bench.request(.chunk(answer: 1, offset: 0), session: session) }
    bench.encode()
    #expect(Self.chunks(bench).count == 4)
    #expect(bench.machine.nextDeadline == bench.now)
    bench.send(.tick)
    #expect(Self.chunks(bench).count == 8)
    bench.wait(.zero)
    #expect(Self.chunks(bench).count == 10)
    #expect(bench.machine.nextDeadline.map { $0 > bench.now } == true)
  }

  @Test("one value is encoded at a time")
  func oneAtATime() {
    var bench = AuthorityBench(limits: Self.small)
    bench.encodesAtOnce = false
    bench.act(1, "grow", "100")
    bench.act(2, "flip", "a")
    bench.drain()
    bench.hello(["blob", "all"])
    bench.drain()
    #expect(bench.machine.pins.pins.count == 2)
    #expect(bench.encodings.map(\.answer) == [1])
    bench.take()
    bench.request(.chunk(answer: 2, offset: 0))
    bench.encode()
    #expect(Self.chunks(bench).map(\.answer) == [2])
  }

  @Test("a value that turns out too long is refused to those who wait for it")
  func noRoom() {
    var limits = Self.small
    limits.pinnedBytes = 50
    var bench = AuthorityBench(limits: limits)
    bench.encodesAtOnce = false
    bench.act(1, "grow", "100")
    bench.act(2, "flip", "a")
    bench.drain()
    bench.hello(["blob", "all"])
    bench.drain()
    bench.take()
    bench.request(.chunk(answer: 2, offset: 0))
    bench.encode()
    #expect(bench.refusal?.code == .busy)
    #expect(
      bench.refusal?.text
        == "1 large snapshots of 0 MiB are being pulled, and 64 of 0 MiB are the limit: ask for the "
        + "view again in a moment")
    #expect(bench.machine.pins.pins.map(\.answer) == [1])
    #expect(bench.machine.pins.waitingCount == 0)
    // It is known to be too long now, and is not tried again.
    bench.hello(["all"], session: 2)
    bench.drain()
    guard case .refused(.busy, _)? = bench.views.first?.content else {
      Issue.record("it was pinned again")
      return
    }
    bench.request(.chunk(answer: 2, offset: 0))
    #expect(bench.refusal?.code == .unknown)
    // Without the other one there is room, whatever its size.
    bench.wait(.seconds(12))
    bench.hello(["all"], session: 2)
    bench.drain()
    bench.encode()
    bench.request(.chunk(answer: 3, offset: 0))
    #expect(Self.chunks(bench).count == 1)
  }

  @Test("where nothing can be encoded whoever waits is told to try again")
  func encoderFails() {
    var bench = Self.pinned()
    bench.request(.chunk(answer: 1, offset: 0))
    bench.failToEncode()
    #expect(bench.refusal?.code == .busy)
    #expect(bench.machine.pins.pins.isEmpty)
    bench.hello(["blob"])
    bench.drain()
    bench.encode()
    bench.request(.chunk(answer: 2, offset: 0))
    #expect(Self.chunks(bench).count == 1)
  }

  @Test("a pin lives while it is encoded or waited for, and for its time after that")
  func expiry() {
    var bench = Self.pinned()
    bench.request(.chunk(answer: 1, offset: 0))
    bench.wait(.seconds(60))
    #expect(bench.machine.pins.pins.count == 1)
    bench.encode()
    bench.wait(.seconds(9))
    #expect(bench.machine.pins.pins.count == 1)
    #expect(bench.discarded == 0)
    bench.wait(.seconds(3))
    #expect(bench.machine.pins.pins.isEmpty)
    #expect(bench.machine.pins.bytes == 0)
    #expect(bench.discarded == 1)
  }

  @Test("a daemon that stops answers those who wait")
  func stops() {
    var bench = Self.pinned()
    bench.request(.chunk(answer: 1, offset: 0))
    bench.send(.stop(text: "SIGTERM"))
    #expect(
      bench.replies.contains {
        $0.body == .text("the daemon is going away (SIGTERM): try again")
          && $0.header.code == .retry
      })
    bench.take()
    bench.request(.chunk(answer: 1, offset: 0))
    #expect(bench.refusal?.code == .retry)
    // It comes all the same, and does no harm.
    bench.encode()
    bench.wait(.seconds(1))
    #expect(bench.stopped == .asked("SIGTERM"))
    #expect(Self.chunks(bench).isEmpty)
  }

  @Test("a daemon whose journal fails answers those who wait")
  func journalFails() {
    var bench = Self.pinned(durable: true)
    bench.request(.chunk(answer: 1, offset: 0))
    bench.act(2, "flip", "a")
    bench.drain()
    bench.take()
    bench.send(.journalFailed(row: 2, text: "input/output error"))
    #expect(bench.replies.map(\.header.code) == [.retry, .retry])
    bench.encode()
    #expect(Self.chunks(bench).isEmpty)
  }

  @Test("a batch that is undone leaves what is pinned as it is")
  func undone() throws {
    var bench = Self.pinned(durable: true)
    let view = try #require(bench.views.first)
    bench.act(2, "grow", "400000")
    bench.drain()
    bench.hello(["blob"], session: 2)
    bench.refuse()
    bench.encode()
    bench.request(.chunk(answer: 1, offset: 0))
    bench.request(.chunk(answer: 1, offset: 262_144))
    #expect(Digest(leaf: Self.chunks(bench).flatMap(\.bytes)) == view.digest)
  }

  @Test("a view that nobody wants any more is encoded to its end for those who pull it")
  func dropped() {
    var bench = Self.pinned()
    bench.request(.chunk(answer: 1, offset: 0))
    bench.wait(.seconds(70))
    #expect(bench.machine.views.count == 0)
    bench.encode()
    #expect(Self.chunks(bench).count == 1)
  }

  @Test("a small value is in the answer, and nothing is encoded elsewhere")
  func inline() {
    var bench = AuthorityBench()
    bench.encodesAtOnce = false
    bench.act(1, "grow", "262139")
    bench.drain()
    bench.hello(["blob"])
    bench.drain()
    guard case .snapshot(let value, _)? = bench.views.first?.content else {
      Issue.record("not in the answer")
      return
    }
    #expect(value.count == 262_144)
    #expect(bench.encodings.isEmpty)
    bench.act(2, "grow", "262140")
    bench.drain()
    bench.hello(["blob"], session: 2)
    bench.drain()
    #expect(Self.pulled(bench.views.first)?.size == 0)
    #expect(bench.encodings.count == 1)
  }

  @Test("an answer of the encoder that nobody waits for is dropped")
  func unasked() {
    var bench = Self.pinned()
    bench.send(.encoded(answer: 7, EncodedPieces([1, 2, 3])))
    bench.send(.encoded(answer: 7, nil))
    #expect(bench.machine.pins.bytes == 0)
    bench.request(.chunk(answer: 1, offset: 0))
    bench.encode()
    bench.send(.encoded(answer: 1, EncodedPieces([1])))
    #expect(Self.chunks(bench).count == 1)
    #expect(bench.machine.pins.bytes == 300_005)
  }
}
