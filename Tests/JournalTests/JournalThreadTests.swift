import StateModel
import SyncProtocol
import Synchronization
import Testing

@testable import Journal

@Suite("The journal's thread")
struct JournalThreadTests {
  /// What the thread calls back, as a sequence that a test can wait for.
  static func answers() -> (
    stream: AsyncStream<Answer>, continuation: AsyncStream<Answer>.Continuation
  ) {
    AsyncStream.makeStream(of: Answer.self)
  }

  enum Answer: Equatable {
    case appended(UInt64, AppendResult)
    case reported(String)
    case stopped
  }

  func thread(
    _ journal: sending any Journal, idleAfter: Duration = .seconds(1)
  ) throws -> (JournalThread, AsyncStream<Answer>, AsyncStream<Answer>.Continuation) {
    let (stream, continuation) = Self.answers()
    let thread = try JournalThread(journal, background: BackgroundThread(), idleAfter: idleAfter) {
      row, result in
      continuation.yield(.appended(row, result))
    } reported: { error in
      continuation.yield(.reported(error.message))
    }
    return (thread, stream, continuation)
  }

  @Test("answers rows in their order, refusals and failures included")
  func order() async throws {
    var random = SeededGenerator(seed: 1)
    let (journal, recovery) = MemoryJournal.open(using: &random)
    journal.answers = [.durable, .refused("full"), .durable, .failed("gone")]
    let (thread, stream, continuation) = try thread(journal)
    var answers = stream.makeAsyncIterator()
    var history = History(recovery)
    let first = history.next()
    let second = history.next()
    let third = history.next()
    thread.submit(first, after: 0)
    thread.submit(second, after: 1)
    thread.submit(second, after: 1)
    thread.submit(third, after: 2)
    thread.submit(third, after: 2)
    thread.stop { continuation.yield(.stopped) }
    let expected: [Answer] = [
      .appended(1, .durable), .appended(2, .refused("full")), .appended(2, .durable),
      .appended(3, .failed("gone")), .appended(3, .failed("gone")), .stopped,
    ]
    for answer in expected { #expect(await answers.next() == answer) }
  }

  @Test("steps down when somebody else has written")
  func fenced() async throws {
    var random = SeededGenerator(seed: 1)
    let (journal, recovery) = MemoryJournal.open(using: &random)
    journal.answers = [.fenced]
    let (thread, stream, continuation) = try thread(journal)
    var answers = stream.makeAsyncIterator()
    var history = History(recovery)
    thread.submit(history.next(), after: 0)
    #expect(await answers.next() == .appended(1, .fenced))
    thread.stop { continuation.yield(.stopped) }
    #expect(await answers.next() == .stopped)
  }

  @Test("a row is durable when it says so, and a snapshot handed over is whole when it has stopped")
  func durable() async throws {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    var options = JournalOptions.small
    options.snapshotPieceBytes = 50
    var random = SeededGenerator(seed: 1)
    let (journal, recovery) = try SQLiteJournal.open(
      scratch.journal, options: options, using: &random)
    var history = History(recovery)
    try journal.save(history.snapshot)
    let (thread, stream, continuation) = try thread(journal)
    var answers = stream.makeAsyncIterator()
    for _ in 0..<40 {
      let row = history.next()
      thread.submit(row, after: row.id - 1)
      #expect(await answers.next() == .appended(row.id, .durable))
    }
    thread.save { [snapshot = history.snapshot] in snapshot }
    let rows = try await withCheckedThrowingContinuation { continuation in
      thread.rows(from: 39, limit: 5) { continuation.resume(with: $0) }
    }
    #expect(rows.map(\.id) == [39, 40])
    thread.stop { continuation.yield(.stopped) }
    #expect(await answers.next() == .stopped)
    let (again, found) = try SQLiteJournal.open(scratch.journal, options: options, using: &random)
    defer { again.close() }
    #expect(found.state == history.state)
    #expect(again.snapshot?.row == 40)
  }

  @Test(
    "rows are durable while a snapshot is encoded; of those that wait only the newest is encoded, and it is whole when the thread has stopped"
  )
  func encoding() async throws {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    var random = SeededGenerator(seed: 1)
    let (journal, recovery) = try SQLiteJournal.open(
      scratch.journal, options: .small, using: &random)
    var history = History(recovery)
    try journal.save(history.snapshot)
    let (thread, stream, continuation) = try thread(journal)
    var answers = stream.makeAsyncIterator()
    let (begun, gate) = (try Doorbell(), try Doorbell())
    let encoded = Mutex<[UInt64]>([])
    for round in 0..<4 {
      let row = history.next()
      thread.submit(row, after: row.id - 1)
      #expect(await answers.next() == .appended(row.id, .durable))
      thread.save { [snapshot = history.snapshot] in
        // The first is not done before all others are there.
        if round == 0 {
          begun.ring()
          gate.wait()
        }
        encoded.withLock { $0.append(snapshot.row) }
        return snapshot
      }
      // Before the encoder has begun, the first would be replaced by the second.
      if round == 0 { begun.wait() }
    }
    thread.stop { continuation.yield(.stopped) }
    gate.ring()
    #expect(await answers.next() == .stopped)
    #expect(encoded.withLock { $0 } == [1, 4])
    let (again, found) = try SQLiteJournal.open(scratch.journal, options: .small, using: &random)
    defer { again.close() }
    #expect(found.state == history.state)
    #expect(again.snapshot?.row == 4)
  }

  @Test(
    "housekeeping comes once when there has been nothing to do, and again after work",
    arguments: [false, true])
  func idle(isElsewhere: Bool) async throws {
    let journal = IdleJournal()
    let idled = journal.idled
    let (thread, stream, continuation) = try thread(journal, idleAfter: .milliseconds(1))
    var answers = stream.makeAsyncIterator()
    var random = SeededGenerator(seed: 1)
    var history = History(MemoryJournal.open(using: &random).recovery)
    var idles = idled.stream.makeAsyncIterator()
    for _ in 0..<3 {
      let row = history.next()
      if isElsewhere {
        thread.appendHere(row, after: row.id - 1)
      } else {
        thread.submit(row, after: row.id - 1)
      }
      #expect(await answers.next() == .appended(row.id, .durable))
      #expect(await idles.next() == row.id)
    }
    thread.stop { continuation.yield(.stopped) }
    #expect(await answers.next() == .stopped)
  }

  @Test("rows keep their order, whoever appends them, and what is due is done between them")
  func appendedHere() async throws {
    let scratch = Scratch()
    defer { withExtendedLifetime(scratch) {} }
    var options = JournalOptions.small
    (options.keptRows, options.prunedAtOnce) = (20, 4)
    var random = SeededGenerator(seed: 1)
    let (journal, recovery) = try SQLiteJournal.open(
      scratch.journal, options: options, using: &random)
    var history = History(recovery)
    try journal.save(history.snapshot)
    let (thread, stream, continuation) = try thread(journal)
    var answers = stream.makeAsyncIterator()
    for index in 0..<200 {
      let row = history.next()
      if index % 7 == 3 {
        thread.submit(row, after: row.id - 1)
        // Not ahead of one that waits.
        let next = history.next()
        thread.appendHere(next, after: row.id)
        #expect(await answers.next() == .appended(row.id, .durable))
        #expect(await answers.next() == .appended(next.id, .durable))
      } else {
        thread.appendHere(row, after: row.id - 1)
        #expect(await answers.next() == .appended(row.id, .durable))
      }
      if index % 50 == 0 { thread.save { [snapshot = history.snapshot] in snapshot } }
    }
    thread.stop { continuation.yield(.stopped) }
    #expect(await answers.next() == .stopped)
    // Rows that a snapshot covers were dropped meanwhile.
    #expect(thread.oldest > .zero)
    let (again, found) = try SQLiteJournal.open(scratch.journal, options: options, using: &random)
    defer { again.close() }
    #expect(found.state == history.state)
  }

  /// Tells when it is idle, and after which row.
  private final class IdleJournal: Journal {
    let idled = AsyncStream.makeStream(of: UInt64.self)
    private var last: UInt64 = 0
    func append(_ row: JournalRow, after head: UInt64) -> AppendResult {
      last = row.id
      return .durable
    }
    func stage(_ snapshot: JournalSnapshot) {}
    func work() -> Bool { false }
    var isWorkDue: Bool { false }
    var oldest: CommitNumber { .zero }
    func rows(from first: UInt64, limit: Int) -> [JournalRow] { [] }
    var failure: String? { nil }
    func idle() { idled.continuation.yield(last) }
    func close() {}
  }
}

@Suite("The journal in memory")
struct MemoryJournalTests {
  @Test("keeps the last rows for the log, and no more")
  func kept() {
    var random = SeededGenerator(seed: 1)
    let (journal, recovery) = MemoryJournal.open(keptRows: 10, using: &random)
    var history = History(recovery)
    for _ in 0..<45 { #expect(journal.append(history.next(), after: history.row - 1) == .durable) }
    let rows = journal.rows(from: 0, limit: 100)
    #expect(rows.map(\.id) == Array(36...45))
    #expect(journal.oldest == rows.first?.base)
    #expect(journal.rows(from: 40, limit: 2).map(\.id) == [40, 41])
  }

  @Test("each is another lineage")
  func lineage() {
    var random = SeededGenerator(seed: 1)
    let one = MemoryJournal.open(using: &random).recovery.history
    let other = MemoryJournal.open(using: &random).recovery.history
    #expect(one.lineage != other.lineage)
    #expect(one.epochs.map(\.epoch) != other.epochs.map(\.epoch))
  }

  @Test("expects the head that it has")
  func head() {
    var random = SeededGenerator(seed: 1)
    let (journal, recovery) = MemoryJournal.open(using: &random)
    var history = History(recovery)
    let row = history.next()
    #expect(journal.append(row, after: 5) == .fenced)
    #expect(journal.append(row, after: 0) == .durable)
    #expect(journal.append(row, after: 0) == .fenced)
  }
}
