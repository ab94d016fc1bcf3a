internal import Synchronization

/// Makes snapshots in the background: encoding a large state takes longer than a batch may wait, on the
/// loop and on the journal's thread alike.
///
/// The state is a value, so that a copy of it stays what it was. While one is being encoded, only the
/// newest of those that come is kept: a snapshot replaces the ones before it anyway.
final class SnapshotEncoder: Sendable {
  typealias Making = @Sendable () -> JournalSnapshot

  private struct Shared {
    var waiting: Making?
    var isAtWork = false
  }

  private let shared = Mutex(Shared())
  private let thread: BackgroundThread
  private let made: @Sendable (JournalSnapshot) -> Void
  private let rested: @Sendable () -> Void

  /// - Parameters:
  ///   - made: what came of it, on the background's thread.
  ///   - rested: called there when there is nothing left to encode.
  init(
    on thread: BackgroundThread,
    made: @escaping @Sendable (JournalSnapshot) -> Void, rested: @escaping @Sendable () -> Void
  ) {
    self.thread = thread
    self.made = made
    self.rested = rested
  }

  /// Whether there is something that has not been given to `made` yet.
  var isAtWork: Bool { shared.withLock { $0.isAtWork } }

  /// Encodes one soon, in the place of one that still waits.
  func take(_ making: @escaping Making) throws(JournalError) {
    let starts = shared.withLock { shared in
      shared.waiting = making
      defer { shared.isAtWork = true }
      return !shared.isAtWork
    }
    guard starts else { return }
    do throws(JournalError) {
      try thread.run { [self] in run() }
    } catch {
      shared.withLock { $0 = Shared() }
      rested()
      throw error
    }
  }

  private func run() {
    while true {
      let making = shared.withLock { shared in
        defer { shared.waiting = nil }
        shared.isAtWork = shared.waiting != nil
        return shared.waiting
      }
      guard let making else { break }
      made(making())
    }
    rested()
  }
}
