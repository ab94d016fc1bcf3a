import StateModel
import Testing

@testable import SyncProtocol

/// Values and publications that do not fit into one answer.
extension AuthorityViewTests {
  // MARK: Large ones

  static func grow(_ bench: inout AuthorityBench, _ number: ActionNumber, _ size: Int) {
    bench.act(number, "grow", String(size))
    bench.drain()
  }

  @Test("a large snapshot is pinned, pulled in chunks, and goes on by replay")
  func pull() throws {
    var bench = Self.watching(["blob"])
    Self.grow(&bench, 1, 600_000)
    bench.hello(["blob"])
    bench.drain()
    let view = try #require(bench.views.first)
    guard case .pull(let answer, let size, let reason) = view.content else {
      Issue.record("not pulled")
      return
    }
    #expect(reason == "fresh")
    // It is encoded when the answer has left, and its chunks tell the size.
    #expect(size == 0)
    // The value goes on while it is pulled.
    Self.grow(&bench, 2, 10)
    var bytes: [UInt8] = []
    while bytes.count < 600_005 {
      bench.request(.chunk(answer: answer, offset: UInt64(bytes.count)))
      guard case .chunk(let chunk) = bench.replies.last?.body, !chunk.bytes.isEmpty else { break }
      #expect(chunk.bytes.count <= 262_144)
      #expect(chunk.size == 600_005)
      bytes += chunk.bytes
    }
    #expect(Digest(leaf: bytes) == view.digest)
    bench.request(.replay(Self.blob, from: view.number))
    #expect(bench.views.first?.number == 2)
    guard case .resume(let deltas) = bench.views.first?.content else {
      Issue.record("no replay")
      return
    }
    #expect(deltas.count == 1)
  }

  @Test("a replay from a pinned value works when its deltas are gone: one delta from the pin")
  func replayFromPin() throws {
    var limits = Limits()
    limits.keptPerView = 500
    var bench = Self.watching(["blob"], limits: limits)
    Self.grow(&bench, 1, 600_000)
    bench.hello(["blob"])
    bench.drain()
    let number = try #require(bench.views.first).number
    for action in UInt64(2)...9 { Self.grow(&bench, action, 100 + Int(action)) }
    bench.request(.replay(Self.blob, from: number))
    guard case .resume(let deltas) = bench.views.first?.content else {
      Issue.record("no replay")
      return
    }
    #expect(deltas.count == 1)
    #expect(bench.views.first?.number == 9)
  }

  @Test("pins are shared, bounded, and released after the last pull")
  func pins() {
    var limits = Limits()
    limits.pinned = 1
    limits.publication = 3
    var bench = Self.watching(["blob", "all"], limits: limits)
    Self.grow(&bench, 1, 100)
    Self.flip(&bench, 2)
    bench.hello(["blob"])
    bench.hello(["blob"], session: 2)
    bench.drain()
    #expect(bench.machine.pins.pins.count == 1)
    bench.hello(["all"], session: 3)
    bench.drain()
    #expect(
      bench.views.first?.content
        == .refused(
          code: .busy,
          text:
            "1 large snapshots of 0 MiB are being pulled, and 1 of 256 MiB are the limit: ask for "
            + "the view again in a moment"))
    bench.wait(.seconds(9))
    bench.request(.chunk(answer: 1, offset: 0))
    bench.wait(.seconds(9))
    #expect(bench.machine.pins.pins.count == 1)
    bench.wait(.seconds(3))
    #expect(bench.machine.pins.pins.isEmpty)
    bench.request(.chunk(answer: 1, offset: 0))
    #expect(bench.refusal?.code == .unknown)
    #expect(
      bench.refusal?.text
        == "answer 1 has no byte 0 or is not kept any more: ask for the view again")
  }

  @Test("pins are bounded in bytes, and one has room whatever its size")
  func pinnedBytes() {
    var limits = Limits()
    limits.publication = 3
    limits.pinnedBytes = 50
    var bench = Self.watching(["blob", "all"], limits: limits)
    Self.grow(&bench, 1, 100)
    Self.flip(&bench, 2)
    bench.hello(["blob"])
    bench.drain()
    #expect(bench.machine.pins.bytes > 50)
    bench.hello(["all"], session: 2)
    bench.drain()
    guard case .refused(.busy, _)? = bench.views.first?.content else {
      Issue.record("another one was pinned")
      return
    }
    // Nothing large is kept but in pins, and what is known to be too large is not encoded again.
    for slot in 0..<bench.machine.views.count {
      #expect(bench.machine.views[slot]?.encoded == nil)
      #expect(bench.machine.views.leastSize(slot) > 3)
    }
    bench.hello(["all"], session: 2)
    bench.drain()
    #expect(bench.machine.pins.pins.count == 1)
    bench.wait(.seconds(12))
    #expect(bench.machine.pins.bytes == 0)
    bench.hello(["all"], session: 2)
    bench.drain()
    guard case .pull? = bench.views.first?.content else {
      Issue.record("nothing was pinned")
      return
    }
  }

  @Test("what does not fit into one answer is pulled")
  func budget() {
    var limits = Limits()
    limits.answer = 150
    var bench = AuthorityBench(limits: limits)
    Self.grow(&bench, 1, 100)
    bench.hello(["blob", "bit"])
    bench.hello(["all"])
    bench.drain()
    limits.answer = 3
    bench = AuthorityBench(limits: limits)
    bench.hello(["bit", "all"])
    bench.drain()
    guard case .snapshot = bench.views.first?.content, case .pull = bench.views.last?.content else {
      Issue.record("the second one does not fit beside the first")
      return
    }
  }

  @Test("a large publication goes out without its payload, and so does any after a burst")
  func withoutPayload() throws {
    var bench = Self.watching(["blob"])
    Self.grow(&bench, 1, 300_000)
    #expect(bench.publications.last?.flags == .pull)
    #expect(bench.publications.last?.delta == Delta(bytes: []))
    bench.request(.replay(Self.blob, from: 0))
    guard case .resume = bench.views.first?.content else {
      Issue.record("no replay")
      return
    }

    var limits = Limits()
    limits.publishedBurst = 4_000
    bench = Self.watching(["blob"], limits: limits)
    Self.grow(&bench, 1, 2_000)
    Self.grow(&bench, 2, 2_001)
    #expect(bench.publications.map(\.flags) == [.whole, .pull])
    bench.wait(.seconds(12))
    Self.grow(&bench, 3, 2_000)
    #expect(bench.publications.last?.flags == .whole)
  }
}
