import StateModel
import Testing

@testable import SyncProtocol

/// Each mistake shows at the place where it is made: the simulation finds them from outside.
@Suite("Authority: mistakes for tests")
struct AuthorityFaultTests {
  @Test("without a mistake named, none is made")
  func none() {
    #expect(AuthorityBench().machine.faults.isEmpty)
  }

  @Test("dup_from_memory answers before the journal has it")
  func dupFromMemory() {
    var bench = AuthorityJournalTests.twoBatches(faults: .dupFromMemory)
    bench.act(2, "flip", "b")
    #expect(bench.outcomes.map(\.commit) == [2])
    #expect(bench.machine.published == 1)
  }

  @Test("snapshot_from_memory shows the state ahead of the journal")
  func snapshotFromMemory() {
    var bench = AuthorityJournalTests.twoBatches(faults: .snapshotFromMemory)
    bench.hello(["bit"], session: 2)
    #expect(bench.views.first?.number == 3)
    #expect(bench.views.first?.content == .snapshot(value: [1], reason: "fresh"))
  }

  @Test("last_reply_only gives another action's answer")
  func lastReplyOnly() {
    var bench = AuthorityBench(faults: .lastReplyOnly)
    bench.act([(1, "inc", "a"), (2, "inc", "b"), (1, "inc", "a")])
    bench.drain()
    #expect(bench.outcomes.map(\.commit) == [1, 2, 2])
  }

  @Test("reject_not_journaled leaves rejections out of the row")
  func rejectNotJournaled() {
    var bench = AuthorityBench(durable: true, faults: .rejectNotJournaled)
    bench.act([(1, "flip", "a"), (2, "bad", "b")])
    bench.drain()
    #expect(bench.rows.first?.entries.map(\.number) == [1])
  }

  @Test("unknown_session_accepted takes a dropped session for a new one")
  func unknownSessionAccepted() {
    var bench = AuthorityBench(
      history: AuthoritySessionTests.old(floor: 12), faults: .unknownSessionAccepted)
    bench.act([(4, "inc", "a")], session: 2, base: 3)
    bench.drain()
    #expect(bench.codes == [.ok])
  }

  @Test("reply_view_is_last_change names a number that no publication may ever have")
  func replyViewIsLastChange() {
    var bench = AuthorityBench(faults: .replyViewIsLastChange)
    bench.subscribe("bit")
    bench.hello(["bit"])
    bench.drain()
    bench.act(1, "inc", "a")
    bench.drain()
    guard case .act(let answer) = bench.replies.last?.body else { return }
    #expect(answer.views == [AuthorityViewTests.bit: 1])
    #expect(bench.publications.isEmpty)
  }

  @Test("outcome_not_fenced says never, and lets it happen")
  func outcomeNotFenced() {
    var bench = AuthorityBench(faults: .outcomeNotFenced)
    bench.request(.outcome(OutcomeQuery(base: 0, numbers: [1])))
    bench.act(1, "inc", "a")
    bench.drain()
    #expect(bench.codes == [.cancelled, .ok])
  }

  @Test("nospace_consumes keeps the numbers that a full disk refused")
  func noSpaceConsumes() {
    var bench = AuthorityJournalTests.twoBatches(faults: .noSpaceConsumes)
    bench.refuse()
    #expect(bench.codes.first == .noSpace)
    #expect(bench.machine.sessions[0].window.last == 3)
    #expect(bench.machine.app.state.applied == ["a": 1])
  }

  @Test("nospace_no_rollback keeps the state that a full disk refused")
  func noSpaceNoRollback() {
    var bench = AuthorityJournalTests.twoBatches(faults: .noSpaceNoRollback)
    bench.refuse()
    #expect(bench.codes.first == .noSpace)
    #expect(bench.machine.app.state.applied == ["a": 1, "b": 1, "c": 1])
  }

  @Test("lineage_plus_number takes an epoch that never was for ours")
  func lineagePlusNumber() {
    var bench = AuthorityBench(
      history: AuthoritySessionTests.old(), faults: .lineagePlusNumber)
    bench.hello(
      ["bit"], base: 2,
      seen: Hello.Seen(lineage: AuthorityBench.lineage, epoch: Epoch(rawValue: 77), durable: 25),
      positions: [
        Position(
          lineage: AuthorityBench.lineage, epoch: Epoch(rawValue: 77), number: 25,
          digestValue: Digest(leaf: [0]).rawValue)
      ])
    bench.drain()
    #expect(bench.views.first?.content == .resume([]))
  }

  @Test("resume_without_digest resumes a mirror that holds something else")
  func resumeWithoutDigest() {
    var bench = AuthorityBench(faults: .resumeWithoutDigest)
    bench.hello(["bit"])
    bench.drain()
    var position = bench.position("bit")
    position?.digestValue ^= 1
    bench.hello(["bit"], positions: [position])
    bench.drain()
    #expect(bench.views.first?.content == .resume([]))
  }

  @Test("act_any_epoch executes an action of another epoch")
  func actAnyEpoch() {
    var bench = AuthorityBench(faults: .actAnyEpoch)
    bench.request(
      .act(
        Act(
          base: 0,
          entries: [
            Act.Numbered(number: 1, entry: Entry(.perform(action: FlipApp.action("inc", "a"))))
          ])), epoch: Epoch(rawValue: 1))
    bench.drain()
    #expect(bench.codes == [.ok])
  }
}
