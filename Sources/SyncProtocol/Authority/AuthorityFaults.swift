/// Mistakes that the daemon's machine can be told to make, for tests only.
///
/// Each stands for one rule of the protocol, read otherwise, at the exact place where the rule is
/// decided: the simulation must find every one of them, else it would not find a real one either.
package struct AuthorityFaults: OptionSet, Sendable {
  package var rawValue: UInt32
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// A repeated action is answered from memory, before its commit is durable.
  package static let dupFromMemory = AuthorityFaults(rawValue: 1 << 0)
  /// A snapshot shows the state in memory, ahead of the journal.
  package static let snapshotFromMemory = AuthorityFaults(rawValue: 1 << 1)
  /// A session keeps only its last outcome, and gives it to every lower number.
  package static let lastReplyOnly = AuthorityFaults(rawValue: 1 << 2)
  /// Rejections consume their number but are not in the journal.
  package static let rejectNotJournaled = AuthorityFaults(rawValue: 1 << 3)
  /// A session that was dropped is taken for a new one.
  package static let unknownSessionAccepted = AuthorityFaults(rawValue: 1 << 4)
  /// A reply names the action's commit as the number that the client's views have to reach.
  package static let replyViewIsLastChange = AuthorityFaults(rawValue: 1 << 5)
  /// A number that was never seen is called so without being burnt.
  package static let outcomeNotFenced = AuthorityFaults(rawValue: 1 << 6)
  /// A full disk consumes the numbers that it refuses.
  package static let noSpaceConsumes = AuthorityFaults(rawValue: 1 << 7)
  /// After a full disk the state stays what it was in memory.
  package static let noSpaceNoRollback = AuthorityFaults(rawValue: 1 << 8)
  /// A position is on the history if lineage and number look right.
  package static let lineagePlusNumber = AuthorityFaults(rawValue: 1 << 9)
  /// A position is resumed without comparing digests.
  package static let resumeWithoutDigest = AuthorityFaults(rawValue: 1 << 10)
  /// Actions of another epoch are executed.
  package static let actAnyEpoch = AuthorityFaults(rawValue: 1 << 11)
  /// A repeated call is taken for a new one.
  package static let callsForgotten = AuthorityFaults(rawValue: 1 << 12)
  /// Mail is forgotten once it was sent, before it is acknowledged.
  package static let mailUnkept = AuthorityFaults(rawValue: 1 << 13)
  /// Calls to an owner that has left go on.
  package static let deadOwnerForgotten = AuthorityFaults(rawValue: 1 << 14)
  /// A session that was silent for too long is not told that nobody keeps its calls any more.
  package static let lapseUntold = AuthorityFaults(rawValue: 1 << 15)
  /// A call that was cancelled before it came is done when it comes.
  package static let cancelUnburnt = AuthorityFaults(rawValue: 1 << 16)
}
