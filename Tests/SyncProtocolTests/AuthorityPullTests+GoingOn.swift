import StateModel
import Testing

@testable import SyncProtocol

/// Going on from a large value that was pulled: what leads to the present one is found out elsewhere.
extension AuthorityPullTests {
  /// A blob that was pulled at 1, since when more was published than is kept.
  static func behind(_ limits: Limits = Limits()) -> AuthorityBench {
    var limits = limits
    limits.keptPerView = 500
    var bench = AuthorityBench(limits: limits)
    bench.subscribe("blob")
    bench.act(1, "grow", "300000")
    bench.drain()
    bench.hello(["blob"])
    bench.drain()
    bench.encodesAtOnce = false
    for number in UInt64(2)...9 {
      bench.act(number, "grow", String(100 + number))
      bench.drain()
    }
    bench.take()
    return bench
  }

  static let blob = Topic(view: "blob") ?? Topic(bytes: [])

  @Test("what leads on from a pinned value is found out elsewhere, and the replay waits for it")
  func replayWaits() throws {
    var bench = Self.behind()
    bench.request(.replay(Self.blob, from: 1))
    bench.request(.replay(Self.blob, from: 1), session: 2)
    // A repetition takes the place of what it repeats.
    bench.request(.replay(Self.blob, from: 1))
    #expect(bench.replies.isEmpty)
    #expect(bench.encodings.count == 1)
    #expect(bench.machine.pins.waitingCount == 2)
    // What is published meanwhile comes after it.
    bench.act(10, "grow", "50")
    bench.drain()
    bench.take()
    bench.encode()
    #expect(bench.replies.count == 2)
    #expect(bench.machine.pins.waitingCount == 0)
    let view = try #require(bench.views.first)
    #expect(view.number == 9)
    guard case .resume(let deltas) = view.content, let delta = deltas.first else {
      Issue.record("no delta")
      return
    }
    #expect(deltas.count == 1)
    #expect(Digest(leaf: Array(delta.bytes.dropFirst(4))) == view.digest)
  }

  @Test("where what leads on is too much, or cannot be found out, another snapshot is pulled")
  func replayTooFar() {
    var limits = Limits()
    limits.answer = 90
    for fails in [false, true] {
      var bench = Self.behind(fails ? Limits() : limits)
      bench.request(.replay(Self.blob, from: 1))
      if fails { bench.failToEncode() } else { bench.encode() }
      switch bench.views.first?.content {
      case .pull(2, _, "too far") where !fails: break
      case .snapshot(_, "too far") where fails: break
      case let other: Issue.record("\(String(describing: other))")
      }
    }
  }

  @Test("a pin lives while it is compared, and a daemon that stops answers those who wait for that")
  func replayStops() {
    var bench = Self.behind()
    bench.request(.replay(Self.blob, from: 1))
    bench.wait(.seconds(30))
    #expect(bench.machine.pins.pins.count == 1)
    bench.take()
    bench.send(.stop(text: "SIGTERM"))
    #expect(bench.replies.first?.header.code == .retry)
    bench.encode()
    #expect(bench.replies.count == 1)
  }
}
