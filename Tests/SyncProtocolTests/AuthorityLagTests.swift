import StateModel
import Testing

@testable import SyncProtocol

@Suite("Authority: how far behind a client is (rule 22)")
struct AuthorityLagTests {
  /// What the report of sessions says of the session `number` by a key.
  private func told(_ bench: inout AuthorityBench, _ key: String, of number: UInt64) -> Value? {
    bench.request(.sessions, session: 90)
    guard case .value(let report)? = bench.replies.last?.body else { return nil }
    return report.elements?.first { $0["public"]?.integer == Int(number) }?[key]
  }

  private func alive(_ bench: inout AuthorityBench, at number: CommitNumber) {
    bench.request(.alive(Alive(numbers: [AuthorityViewTests.bit: number])))
    bench.drain()
  }

  @Test("Rule 22: by what its mirror says that it shows, against what was published a beat before")
  func behind() {
    var bench = AuthorityViewTests.watching(["bit"])
    #expect(told(&bench, "behind", of: 1) == .null, "it has not told yet")
    AuthorityViewTests.flip(&bench, 1)
    AuthorityViewTests.flip(&bench, 2)
    // What was published just now is on its way.
    alive(&bench, at: 0)
    #expect(told(&bench, "behind", of: 1) == 0)
    bench.wait(bench.machine.timing.busyBeat)
    alive(&bench, at: 0)
    #expect(told(&bench, "behind", of: 1) == 2)
    alive(&bench, at: 1)
    #expect(told(&bench, "behind", of: 1) == 1)
    alive(&bench, at: 2)
    #expect(told(&bench, "behind", of: 1) == 0)
    #expect(bench.machine.published == 2, "it is never a commit")
  }

  @Test("Rule 22: who tells nothing any more does not have what was published since")
  func silent() {
    var bench = AuthorityViewTests.watching(["bit"])
    alive(&bench, at: 0)
    for number in 1...3 {
      bench.hello(session: 2)
      bench.act(ActionNumber(number), "flip", "a\(number)", session: 2)
      bench.drain()
    }
    // It may have it: it is to tell every two seconds.
    #expect(told(&bench, "behind", of: 1) == 0)
    bench.wait(bench.machine.timing.alive * bench.machine.timing.missedAlive)
    #expect(told(&bench, "behind", of: 1) == 3)
    // Back, and up to date.
    alive(&bench, at: 3)
    #expect(told(&bench, "behind", of: 1) == 0)
  }

  @Test(
    "Rule 22: one without mirrors is not behind anything; a stranger's topics count for nothing")
  func nothing() {
    var bench = AuthorityBench()
    bench.hello()
    bench.drain()
    var numbers: [Topic: CommitNumber] = [:]
    for index in 0..<200 {
      numbers[Topic(bytes: Array("Dnothing\(index)".utf8))] = 0
    }
    bench.request(.alive(Alive(numbers: numbers)))
    #expect(told(&bench, "behind", of: 1) == .null)
    #expect(told(&bench, "since", of: 1) == .null, "it is not listed")
  }

  @Test("Rule 22: since when is the date of the commit that lists it; another name changes it not")
  func since() {
    var bench = AuthorityPresenceTests.bench()
    AuthorityPresenceTests.attend(&bench, name: "one")
    #expect(told(&bench, "since", of: 1) == .float(800_000_000))
    bench.request(.bye)
    bench.drain()
    #expect(told(&bench, "since", of: 1) == .null)
  }
}
