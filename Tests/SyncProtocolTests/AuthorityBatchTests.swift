import StateModel
import Testing

@testable import SyncProtocol

@Suite("Authority: batches and the one queue")
struct AuthorityBatchTests {
  @Test("in memory mode an action is answered and published when its batch closes")
  func memoryMode() throws {
    var bench = AuthorityBench()
    bench.subscribe("bit")
    bench.hello(["bit"])
    bench.drain()
    bench.take()
    bench.act(1, "flip", "a")
    #expect(bench.order.isEmpty)
    bench.drain()
    #expect(bench.order == ["publication", "reply"])
    #expect(bench.codes == [.ok])
    #expect(bench.outcomes.first?.commit == 1)
    let publication = try #require(bench.publications.first)
    #expect(publication.from == 0)
    #expect(publication.to == 1)
    #expect(publication.origin == 1)
    #expect(bench.replies.first?.header.commit == 1)
  }

  @Test("nothing of a batch leaves before its row is durable")
  func durable() {
    var bench = AuthorityBench(durable: true)
    bench.subscribe("bit")
    bench.hello(["bit"])
    bench.drain()
    bench.take()
    bench.act([(1, "flip", "a"), (2, "work", "b")])
    bench.drain()
    #expect(bench.order == ["append"])
    bench.journaled()
    #expect(bench.order == ["append", "publication", "reply", "start"])
    #expect(bench.started == ["b"])
  }
}
