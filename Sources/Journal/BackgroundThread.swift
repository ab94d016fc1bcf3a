internal import Glibc
internal import Synchronization

/// Does what takes longer than a batch may wait, on the loop and on the journal's thread alike:
/// encoding a large state, giving its memory back. One thing at a time, so that large states are not
/// in memory several times over.
///
/// Its thread lives while there is something to do. It comes after all others where there are more of
/// them than processors: whoever waits for an action waits for milliseconds, whoever joins does not.
package final class BackgroundThread: Sendable {
  package typealias Job = @Sendable () -> Void

  private struct Shared {
    var waiting: [Job] = []
    var isAtWork = false
  }

  private let shared = Mutex(Shared())

  /// A thread that is started when there is something to do.
  package init() {}

  /// Does it when all that was asked for before is done.
  package func run(_ job: @escaping Job) throws(JournalError) {
    let starts = shared.withLock { shared in
      shared.waiting.append(job)
      defer { shared.isAtWork = true }
      return !shared.isAtWork
    }
    guard starts else { return }
    do throws(JournalError) {
      // Once in thousands of rows: a thread that waits for that would cost more than it saves.
      try WorkerThread(name: "background", stackBytes: Self.stackBytes) { [self] in work() }
        .detach()
    } catch {
      shared.withLock { $0 = Shared() }
      throw error
    }
  }

  private func work() {
    // Of this thread alone: on Linux a thread has a niceness of its own.
    setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, Self.niceness)
    while let job = next() { job() }
  }

  private func next() -> Job? {
    shared.withLock { shared in
      if shared.waiting.isEmpty {
        shared.isAtWork = false
        return nil
      }
      return shared.waiting.removeFirst()
    }
  }

  /// As the loop has: what could be reduced there can be encoded here, however deep it is.
  private static let stackBytes = 256 << 20
  private static let niceness: Int32 = 10
}
