import SyncProtocol

/// A rule of the protocol read otherwise: the mistakes of the project's model, by its names.
struct Mutation: Sendable, CustomStringConvertible {
  var name: String
  var faults: World.Faults

  var description: String { name }

  /// Those that show alone.
  static let alone: [Mutation] = [
    Mutation("dup_from_memory", .dupFromMemory),
    Mutation("snapshot_from_memory", .snapshotFromMemory),
    Mutation("last_reply_only", .lastReplyOnly),
    Mutation("reject_not_journaled", .rejectNotJournaled),
    Mutation("unknown_session_accepted", .unknownSessionAccepted),
    Mutation("reply_view_is_last_change", .replyViewIsLastChange),
    Mutation("outcome_not_fenced", .outcomeNotFenced),
    Mutation("nospace_consumes_or_skips", .noSpaceConsumes),
    Mutation("nospace_no_rollback", .noSpaceNoRollback),
    Mutation("no_rebase_after_restore", [], .noRebaseAfterRestore),
    Mutation("calls_forgotten", .callsForgotten),
    Mutation("mail_unkept", .mailUnkept),
    Mutation("dead_owner_forgotten", .deadOwnerForgotten),
  ]

  /// Those that the other rules cover for: a second one has to be broken too.
  static let others: [Mutation] = [
    Mutation("lineage_plus_number", .lineagePlusNumber),
    Mutation("resume_without_digest", .resumeWithoutDigest),
    Mutation("no_giveup", [], .noGiveUp),
    Mutation("act_any_epoch", .actAnyEpoch),
  ]

  /// All of those at once.
  static let together = Mutation(
    "lineage_plus_number+resume_without_digest+no_giveup+act_any_epoch",
    [.lineagePlusNumber, .resumeWithoutDigest, .actAnyEpoch], .noGiveUp)

  /// Pairs of them.
  static let pairs: [Mutation] = [
    Mutation(
      "lineage_plus_number+resume_without_digest", [.lineagePlusNumber, .resumeWithoutDigest])
  ]

  init(_ name: String, _ authority: AuthorityFaults, _ client: ClientFaults = []) {
    self.name = name
    faults = World.Faults(authority: authority, client: client)
  }
}
