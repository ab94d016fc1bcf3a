import StateModel
import Testing

@testable import SyncProtocol

@Suite("Authority: tasks and effects (rule 6)")
struct AuthorityTaskTests {
  @Test("Rule 6: the end of what an action started is mail for whoever waits for it")
  func taskEnds() {
    var bench = AuthorityCallTests.bench()
    bench.act(1, "work", "a", session: 2)
    bench.drain()
    let commit = bench.outcomes.last?.commit ?? 0
    #expect(bench.started == ["a"])
    for _ in 0..<2 {
      bench.request(.wait(commit), session: 2)
      #expect(bench.code == .ok)
    }
    bench.send(.effectsEnded(commit))
    #expect(AuthorityCallTests.mail(&bench, of: 2) == [.ended(commit, code: .ok, text: "")])
    bench.request(.wait(commit), session: 2)
    #expect(bench.code == .noChange)
  }

  @Test("Rule 6: only whose action it was cancels what it started")
  func taskCancelled() {
    var bench = AuthorityCallTests.bench()
    bench.act(1, "work", "a", session: 2)
    bench.drain()
    let commit = bench.outcomes.last?.commit ?? 0
    bench.request(.cancel(.commit(commit)), session: 1)
    #expect(bench.refusal?.code == .forbidden)
    bench.request(.cancel(.commit(commit)), session: 2)
    #expect(bench.code == .ok)
    #expect(bench.order.contains("cancel \(commit)"))
    bench.request(.cancel(.commit(commit + 40)), session: 2)
    #expect(bench.code == .ok)
  }

  @Test("Rule 6: what a commit of an earlier run started is gone with that run")
  func taskOfEarlierRun() {
    var bench = AuthorityBench(
      history: RecoveredHistory(
        lineage: AuthorityBench.lineage,
        epochs: [
          EpochRecord(epoch: Epoch(rawValue: 8), after: .zero),
          EpochRecord(epoch: AuthorityBench.epoch, after: 5),
        ], lastRow: 0, commit: 5, oldest: .zero, sessions: SessionTable()))
    bench.hello()
    bench.drain()
    bench.request(.wait(5))
    #expect(bench.refusal?.code == .gone)
    #expect(
      bench.refusal?.text
        == "commit 5 is of an earlier run of the daemon: what it started ended with that run")
    bench.request(.wait(6))
    #expect(bench.code == .noChange)
  }

  @Test("An action of an effect is handled once it is durable, also one that is refused")
  func handled() {
    var bench = AuthorityBench(durable: true)
    bench.send(.effect(action: FlipApp.action("inc", "e"), cause: 3))
    bench.drain()
    #expect(!bench.order.contains("handled 3"))
    bench.journaled()
    #expect(bench.order.last == "handled 3")
    bench.take()
    bench.send(.effect(action: FlipApp.action("unheard of", "e"), cause: 4))
    #expect(bench.order == ["handled 4"])
  }

  @Test("Effects that send without end are ended, and the daemon's memory is bounded")
  func inbox() {
    var limits = Limits()
    limits.inbox = 2
    limits.batchEntries = 1
    var bench = AuthorityBench(durable: true, limits: limits)
    // The first fills the batch that goes to the journal, the second the open one.
    for id in 0..<6 { bench.send(.effect(action: FlipApp.action("inc", "\(id)"), cause: 9)) }
    #expect(bench.machine.inbox.count == 2)
    #expect(bench.order.filter { $0 == "cancel 9" }.count == 2)
    #expect(bench.order.filter { $0 == "handled 9" }.count == 2)
    #expect(
      bench.order.filter { $0.hasPrefix("report") } == [
        "report the effects of commit 9 send actions faster than they can be committed: 2 wait "
          + "already, the effects are ended"
      ])
  }
}

extension CommitNumber {
  fileprivate static func + (number: CommitNumber, more: UInt64) -> CommitNumber {
    CommitNumber(rawValue: number.rawValue + more)
  }
}
