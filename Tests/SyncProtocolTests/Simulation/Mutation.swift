import SyncProtocol

/// A rule of the protocol read otherwise, by one or several switches in the machines.
struct Mutation: Sendable, CustomStringConvertible {
  /// The rule, as the article has it.
  var rule: String
  var faults: World.Faults
  /// Within how many histories it has to be found.
  var within: Int

  var description: String { rule }

  init(
    _ rule: String, _ authority: AuthorityFaults = [], client: ClientFaults = [],
    flashes: Bool = false, within: Int = 2_000
  ) {
    self.rule = rule
    faults = World.Faults(authority: authority, client: client, flashes: flashes)
    self.within = within
  }

  /// Whether it shows only where there are calls and tasks: no other histories are tried.
  var isOfCalls: Bool { Self.calls.contains { $0.rule == rule } }

  static let all: [Mutation] = acting + durability + refusals + sessions + following + views + calls

  private static let acting: [Mutation] = [
    Mutation("each of the last outcomes is kept", .lastReplyOnly),
    Mutation("rejections are in the journal", .rejectNotJournaled),
    Mutation("a rejected action takes no commit", .rejectTakesCommit),
    Mutation("a number above the next one is refused", .gapsTaken, within: 20_000),
    Mutation("`if-commit` holds, or it is a conflict", .conditionUnread),
    Mutation("an atomic request is one commit, or none", .atomicByHalves),
    Mutation("what was never seen is burnt before it is called so", .outcomeNotFenced),
    Mutation("a number once sent keeps its bytes", client: .retryIsNew),
    Mutation("what is given up is burnt", client: .noGiveUp),
    Mutation("`acked` names what was answered", client: .ackedAhead),
    Mutation("replies are matched by their number", client: .anyReplyTaken),
  ]

  private static let durability: [Mutation] = [
    Mutation("a repeated action waits for the journal too", .dupFromMemory),
    Mutation("snapshots are of what is published", .snapshotFromMemory),
    Mutation("replies leave after the fsync", .replyAtClose),
    Mutation("publications leave after the fsync", .publishAtClose),
    Mutation("effects start after the commit", .effectsEarly),
  ]

  private static let refusals: [Mutation] = [
    Mutation("a full disk consumes no number", .noSpaceConsumes),
    Mutation("after a full disk the state is the last durable one", .noSpaceNoRollback),
    Mutation("what a full disk undid is answered so", .undoneAnswered),
    Mutation("after a failed fsync nothing is said to be undone", .failedIsRefused),
    Mutation("a daemon that is fenced steps down", .fenceIsFull),
  ]

  private static let sessions: [Mutation] = [
    Mutation("a session that was dropped is never taken for a new one", .unknownSessionAccepted),
    Mutation("dropping a session raises the floor", .floorUnraised),
    Mutation("a session keeps its base", client: .baseForgotten),
    Mutation("a rewritten session starts over", client: .noRebaseAfterRestore),
    Mutation("a new session sends only what was never sent", client: .sentMoves),
  ]

  private static let following: [Mutation] = [
    Mutation("what comes after a gap is held", client: .gapsFollowed),
    Mutation("what is old is dropped", client: .oldTakenAgain),
    Mutation("chunks are put together in order", client: .chunksAsTheyCome, within: 20_000),
    Mutation("another epoch is not followed", client: .anyRunFollowed, within: 20_000),
    Mutation("silence makes stale", client: .silenceIgnored),
    Mutation("only what was sent after the silence ends it", client: .aliveProvesAnything),
    Mutation("an action is shown when the mirrors have its numbers", client: .reachedAtOnce),
    Mutation(
      "a binding shows what it has set until the mirror does", flashes: true, within: 20_000),
  ]

  private static let views: [Mutation] = [
    Mutation("the numbers in an answer are those of publications", .replyViewIsLastChange),
    Mutation("a repeated action is answered with all numbers", .repeatsShowNothing, within: 20_000),
    Mutation("who acts is told of all views", .idleViewsForgotten),
    Mutation("a position is resumed by its digest", .resumeWithoutDigest),
    Mutation("deltas begin where the mirror stands", .chainBroken),
    Mutation("what was pulled may be older than the view", .pullIsCurrent),
    Mutation("what is encoded is what was pinned", .encodedIsCurrent),
    Mutation(
      "what leads on from a pinned value leads to what it was compared with", .comparedIsCurrent,
      within: 20_000),
    Mutation("a publication without payload says *pull*", .pullUnflagged),
  ]

  private static let calls: [Mutation] = [
    Mutation("a repeated call gets the answer it had", .callsForgotten, within: 20_000),
    Mutation("mail is kept until it is acknowledged", .mailUnkept),
    Mutation("a call ends with its owner", .deadOwnerForgotten, within: 20_000),
    Mutation("a handle is of one epoch", .handleOfAnyEpoch),
    Mutation("`no-change` to a wait means that nothing is under way", .taskUnseen, within: 20_000),
    Mutation("a task has ended when the mirrors show it", client: .endedAtOnce),
    Mutation("who was silent for too long is told so", .lapseUntold, within: 100_000),
    Mutation("what is cancelled before it comes is not done", .cancelUnburnt, within: 100_000),
  ]

  /// Rules that others cover for: they are found when all of a group are broken.
  static let together: [Mutation] = [
    Mutation(
      "actions are of one epoch, positions on one history, and what is given up is burnt",
      [.lineagePlusNumber, .resumeWithoutDigest, .actAnyEpoch], client: .noGiveUp)
  ]
}
