/// Mistakes that the daemon's machine can be told to make, for tests only.
///
/// Each stands for one rule of the protocol, read otherwise, at the exact place where the rule is
/// decided: the simulation must find every one of them, else it would not find a real one either.
package struct AuthorityFaults: FaultSet {
  package var rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  // MARK: Acting

  /// A session keeps only its last outcome, and gives it to every lower number.
  package static let lastReplyOnly = AuthorityFaults(2)
  /// Rejections consume their number but are not in the journal.
  package static let rejectNotJournaled = AuthorityFaults(3)
  /// A rejected action takes a commit.
  package static let rejectTakesCommit = AuthorityFaults(17)
  /// A number above the next one is taken.
  package static let gapsTaken = AuthorityFaults(18)
  /// `if-commit` is not looked at.
  package static let conditionUnread = AuthorityFaults(19)
  /// An atomic request that fails leaves what it did before.
  package static let atomicByHalves = AuthorityFaults(20)
  /// A number that was never seen is called so without being burnt.
  package static let outcomeNotFenced = AuthorityFaults(6)
  /// Actions of another epoch are executed.
  package static let actAnyEpoch = AuthorityFaults(11)

  // MARK: Durable before visible

  /// A repeated action is answered from memory, before its commit is durable.
  package static let dupFromMemory = AuthorityFaults(0)
  /// A snapshot shows the state in memory, ahead of the journal.
  package static let snapshotFromMemory = AuthorityFaults(1)
  /// Replies leave when the batch closes.
  package static let replyAtClose = AuthorityFaults(21)
  /// Publications leave when the batch closes.
  package static let publishAtClose = AuthorityFaults(22)
  /// Effects start when the action has run.
  package static let effectsEarly = AuthorityFaults(23)

  // MARK: The journal refuses

  /// A full disk consumes the numbers that it refuses.
  package static let noSpaceConsumes = AuthorityFaults(7)
  /// After a full disk the state stays what it was in memory.
  package static let noSpaceNoRollback = AuthorityFaults(8)
  /// After a full disk the answers stay what they were.
  package static let undoneAnswered = AuthorityFaults(24)
  /// A failed fsync is taken for a full disk: as if the row were not in the journal.
  package static let failedIsRefused = AuthorityFaults(26)
  /// A daemon that was fenced goes on.
  package static let fenceIsFull = AuthorityFaults(27)

  // MARK: Sessions

  /// A session that was dropped is taken for a new one.
  package static let unknownSessionAccepted = AuthorityFaults(4)
  /// Dropping a session does not raise the floor.
  package static let floorUnraised = AuthorityFaults(28)

  // MARK: Views

  /// A reply names the action's commit as the number that the client's views have to reach.
  package static let replyViewIsLastChange = AuthorityFaults(5)
  /// The answer to a repeated action names no numbers that the client's views have to reach.
  package static let repeatsShowNothing = AuthorityFaults(29)
  /// Views that nobody seems to subscribe to are not projected for those who act.
  package static let idleViewsForgotten = AuthorityFaults(30)
  /// A position is on the history if lineage and number look right.
  package static let lineagePlusNumber = AuthorityFaults(9)
  /// A position is resumed without comparing digests.
  package static let resumeWithoutDigest = AuthorityFaults(10)
  /// Deltas are given that do not begin where the mirror stands.
  package static let chainBroken = AuthorityFaults(32)
  /// A pulled value is told to be the newest one.
  package static let pullIsCurrent = AuthorityFaults(33)
  /// A pinned value's encoding is that of the value which is published when it is made.
  package static let encodedIsCurrent = AuthorityFaults(37)
  /// What leads on from a pinned value is told to lead to what is published when it is made.
  package static let comparedIsCurrent = AuthorityFaults(38)
  /// A publication without its payload does not say so.
  package static let pullUnflagged = AuthorityFaults(34)

  // MARK: Calls and tasks

  /// A repeated call is taken for a new one.
  package static let callsForgotten = AuthorityFaults(12)
  /// Mail is forgotten once it was sent, before it is acknowledged.
  package static let mailUnkept = AuthorityFaults(13)
  /// Calls to an owner that has left go on.
  package static let deadOwnerForgotten = AuthorityFaults(14)
  /// A session that was silent for too long is not told that nobody keeps its calls any more.
  package static let lapseUntold = AuthorityFaults(15)
  /// A call that was cancelled before it came is done when it comes.
  package static let cancelUnburnt = AuthorityFaults(16)
  /// A handle of an earlier epoch is taken for one of this epoch's.
  package static let handleOfAnyEpoch = AuthorityFaults(35)
  /// Whoever waits for a task is told that there is none.
  package static let taskUnseen = AuthorityFaults(36)
}
