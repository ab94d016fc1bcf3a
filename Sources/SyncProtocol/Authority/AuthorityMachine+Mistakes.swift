/// Mistakes that take more than a condition where the rule is decided; for tests only.
extension AuthorityMachine {
  /// What `replyAtClose` does: replies do not wait for the journal.
  mutating func releaseReplies(_ batch: inout Batch<App.Work>) {
    for reply in batch.replies { release(reply, batch: batch.serial) }
    batch.replies = []
  }

  /// What `publishAtClose` does: publications do not wait for the journal.
  mutating func publishEarly(_ batch: inout Batch<App.Work>) {
    for slot in batch.publishing { publish(slot, batch.serial) }
    batch.publishing = []
  }
}
