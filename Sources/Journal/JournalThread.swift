package import SyncProtocol
internal import Synchronization

/// The thread of a journal: the loop hands rows over and goes on, and is told when they are durable;
/// or appends them itself while this thread has nothing to do.
///
/// Appending comes first; snapshots, retention and checkpoints are done in small pieces between
/// rows, and the rest when there has been nothing to do for a while.
package final class JournalThread: Sendable {
  /// What became of a row. Called on the thread that appended it: hand it to the loop and return.
  package typealias Appended = @Sendable (_ row: UInt64, AppendResult) -> Void
  /// What went wrong beside appending. Called on the journal's thread, or in `save`.
  package typealias Reported = @Sendable (JournalError) -> Void
  package typealias Rows = @Sendable (Result<[JournalRow], JournalError>) -> Void

  private enum Job: Sendable {
    case append(JournalRow, after: UInt64)
    case stage(JournalSnapshot)
    case rows(from: UInt64, limit: Int, Rows)
  }

  /// What waits for the thread, and how it is woken.
  private final class Inbox: Sendable {
    struct Content {
      var jobs: [Job] = []
      /// Rows that were submitted and are not answered yet.
      var rows = 0
      var isWaiting = false
      /// Whether it waits for as long as nobody rings, with its housekeeping done.
      var isResting = false
      /// Whether a row was appended elsewhere since it was looked at last.
      var wasUsed = false
      var isStopping = false
      var stopped: (@Sendable () -> Void)?
    }

    let content = Mutex(Content())
    let doorbell: Doorbell

    init() throws(JournalError) { doorbell = try Doorbell() }

    func add(_ job: Job) {
      let rings = content.withLock { content in
        content.jobs.append(job)
        if case .append = job { content.rows += 1 }
        defer { content.isWaiting = false }
        return content.isWaiting
      }
      if rings { doorbell.ring() }
    }
  }

  private let inbox: Inbox
  /// Held by whoever uses it.
  private let journal: Mutex<any Journal>
  private let oldestCommit: Mutex<CommitNumber>
  private let idleAfter: Duration
  private let appended: Appended
  private let reported: Reported
  private let encoder: SnapshotEncoder

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - background: where snapshots are encoded.
  ///   - idleAfter: how long there must be nothing to do before housekeeping.
  package init(
    _ journal: sending any Journal, background: BackgroundThread,
    idleAfter: Duration = .seconds(1),
    appended: @escaping Appended, reported: @escaping Reported
  ) throws(JournalError) {
    oldestCommit = Mutex(journal.oldest)
    self.journal = Mutex(journal)
    self.idleAfter = idleAfter
    self.appended = appended
    self.reported = reported
    let inbox = try Inbox()
    self.inbox = inbox
    encoder = SnapshotEncoder(
      on: background, made: { inbox.add(.stage($0)) }, rested: { inbox.doorbell.ring() })
    try WorkerThread(name: "journal") { [self] in run() }.detach()
  }

  /// Appends a row behind what was submitted before.
  package func submit(_ row: JournalRow, after head: UInt64) {
    inbox.add(.append(row, after: head))
  }

  /// Appends a row on the caller's thread, and returns when it is durable; where this thread is at
  /// work, submits it.
  package func appendHere(_ row: JournalRow, after head: UInt64) {
    let done = journal.withLockIfAvailable { journal -> (AppendResult, isWorkDue: Bool)? in
      // Looked at while it cannot be closed.
      guard inbox.content.withLock({ $0.rows == 0 && !$0.isStopping }) else { return nil }
      return (journal.append(row, after: head), journal.isWorkDue)
    }
    guard case (let result, let isWorkDue)?? = done else { return submit(row, after: head) }
    let rings = inbox.content.withLock { content in
      defer { content.isResting = false }
      content.wasUsed = true
      return isWorkDue || content.isResting
    }
    if rings { inbox.doorbell.ring() }
    appended(row.id, result)
  }

  /// Writes a snapshot, piece by piece, between rows. `making` encodes it, in the background.
  package func save(_ making: @escaping @Sendable () -> JournalSnapshot) {
    do throws(JournalError) { try encoder.take(making) } catch { reported(error) }
  }

  /// Reads rows that are in the journal, for `log`; `then` is called on the journal's thread.
  package func rows(from first: UInt64, limit: Int, then: @escaping Rows) {
    inbox.add(.rows(from: first, limit: limit, then))
  }

  /// The commit from which the journal can replay.
  package var oldest: CommitNumber { oldestCommit.withLock { $0 } }

  /// Finishes what was handed over, closes the journal and ends the thread; then calls `stopped`.
  /// What is handed over afterwards is never answered.
  package func stop(_ stopped: @escaping @Sendable () -> Void) {
    inbox.content.withLock { content in
      content.isStopping = true
      content.stopped = stopped
    }
    inbox.doorbell.ring()
  }

  private func run() {
    let stopped = serve()
    journal.withLock { journal in
      let known = journal.failure
      journal.close()
      // Found out only now, and nobody will append any more to hear of it.
      if known == nil, let failure = journal.failure {
        reported(JournalError(.inputOutput, failure))
      }
    }
    stopped?()
  }

  private func serve() -> (@Sendable () -> Void)? {
    var hasWork = false
    var isIdle = true
    while true {
      // Looked at first: one that is done after this look rings, and one before it is in the inbox.
      let isEncoding = encoder.isAtWork
      let (jobs, wasUsed, isStopping, stopped) = inbox.content.withLock { content in
        let jobs = content.jobs
        let wasUsed = content.wasUsed
        content.jobs.removeAll()
        content.wasUsed = false
        content.isWaiting = jobs.isEmpty && !wasUsed && !hasWork
        content.isResting = content.isWaiting && isIdle
        return (jobs, wasUsed, content.isStopping, content.stopped)
      }
      if jobs.isEmpty, !wasUsed, !hasWork {
        // A snapshot that was handed over is finished first.
        if isStopping, !isEncoding { return stopped }
        let isQuiet = !inbox.doorbell.wait(atMost: isIdle ? nil : idleAfter)
        if isQuiet, !inbox.content.withLock({ $0.wasUsed }) {
          journal.withLock { $0.idle() }
          isIdle = true
        }
        continue
      }
      isIdle = false
      hasWork = journal.withLock { journal in
        for job in jobs { perform(job, journal) }
        return work(journal)
      }
    }
  }

  private func perform(_ job: Job, _ journal: any Journal) {
    switch job {
    case .append(let row, let head):
      let result = journal.append(row, after: head)
      inbox.content.withLock { $0.rows -= 1 }
      appended(row.id, result)
    case .stage(let snapshot): journal.stage(snapshot)
    case .rows(let first, let limit, let then):
      let result: Result<[JournalRow], JournalError>
      do throws(JournalError) {
        result = .success(try journal.rows(from: first, limit: limit))
      } catch {
        result = .failure(error)
      }
      then(result)
    }
  }

  private func work(_ journal: any Journal) -> Bool {
    do throws(JournalError) {
      let more = try journal.work()
      let oldest = journal.oldest
      oldestCommit.withLock { $0 = oldest }
      return more
    } catch {
      reported(error)
      return false
    }
  }
}
