import StateModel
import Testing

@testable import SyncProtocol

/// What the simulation found in the daemon's machine, each as the shortest story.
@Suite("Found by the simulation")
struct AuthorityFindingsTests {
  @Test("a mirror that deltas cannot help is not led back to the pinned value that it has")
  func pinnedCircle() throws {
    var limits = Limits()
    limits.publication = 16
    limits.answer = 32
    var bench = AuthorityBench(limits: limits)
    bench.act(1, "grow", "100")
    bench.drain()
    bench.subscribe("blob")
    bench.hello(["blob"])
    bench.drain()
    let first = try #require(bench.views.first)
    guard case .pull(let pinned, _, _) = first.content else {
      Issue.record("\(first.content)")
      return
    }
    bench.act(2, "grow", "200")
    bench.drain()
    bench.request(.replay(first.topic, from: first.number))
    let second = try #require(bench.views.first)
    guard case .pull(let other, _, _) = second.content else {
      Issue.record("\(second.content)")
      return
    }
    #expect(other != pinned)
    #expect(second.number > first.number)
  }

  @Test("a view whose link was cut unnoticed is projected with what its client does")
  func cutLink() throws {
    var bench = AuthorityBench(durable: true)
    bench.subscribe("bit")
    bench.hello(["bit"], doorbell: Nonce(Bytes16(high: 1, low: 2)))
    bench.drain()
    bench.send(.unsubscribed(topic: Topic(view: "bit")?.bytes ?? []))
    bench.act(1, "flip", "a")
    bench.drain()
    bench.journaled()
    guard case .act(let answer) = bench.replies.last?.body else {
      Issue.record("\(bench.replies)")
      return
    }
    #expect(answer.views == [try #require(Topic(view: "bit")): 1])
  }

  @Test("a session that fell silent, and acts before it says hello again, is told of its views")
  func lapsedActor() throws {
    var bench = AuthorityBench(durable: true)
    bench.subscribe("bit")
    bench.hello(["bit"], doorbell: Nonce(Bytes16(high: 1, low: 2)))
    bench.drain()
    for _ in 0..<10 { bench.wait(.seconds(1)) }
    bench.act(1, "flip", "a")
    bench.drain()
    bench.journaled()
    guard case .act(let answer) = bench.replies.last?.body else {
      Issue.record("\(bench.replies)")
      return
    }
    #expect(answer.views == [try #require(Topic(view: "bit")): 1])
  }

  @Test("a session that was forgotten, and acts before it says hello, is told of all views")
  func forgottenActor() throws {
    var bench = AuthorityBench(durable: true)
    bench.subscribe("bit")
    bench.hello(["bit"], session: 2)
    bench.drain()
    bench.act(1, "flip", "a", session: 1)
    bench.drain()
    bench.journaled()
    guard case .act(let answer) = bench.replies.last?.body else {
      Issue.record("\(bench.replies)")
      return
    }
    #expect(answer.views == [try #require(Topic(view: "bit")): 1])
  }

  @Test("a late copy of a first hello does not keep the session from its base")
  func lateFirstHello() {
    var bench = AuthorityBench(durable: true, history: AuthoritySessionTests.old())
    bench.hello(session: 2)
    bench.drain()
    #expect(bench.helloAnswer?.base == 30)
    bench.hello(session: 2, base: 20)
    bench.drain()
    #expect(bench.code == .ok)
    #expect(bench.helloAnswer?.base == 20)
    bench.act([(1, "inc", "a")], session: 2, base: 20)
    bench.drain()
    bench.journaled()
    #expect(bench.codes == [.ok])
    bench.hello(session: 2, base: 21)
    bench.drain()
    #expect(bench.refusal?.code == .malformed)
  }

  @Test("an older hello that comes late does not take away the views of a newer one")
  func lateHello() throws {
    var bench = AuthorityBench()
    bench.subscribe("bit")
    bench.subscribe("all")
    bench.hello(["bit"])
    bench.hello(["bit", "all"])
    bench.drain()
    bench.repeatRequest(1)
    bench.act(1, "flip", "a")
    bench.drain()
    guard case .act(let answer) = bench.replies.last?.body else {
      Issue.record("\(bench.replies)")
      return
    }
    #expect(
      answer.views == [
        try #require(Topic(view: "bit")): 1, try #require(Topic(view: "all")): 1,
      ])
  }
}
