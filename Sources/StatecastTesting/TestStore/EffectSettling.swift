internal import Synchronization

/// Knows when a test store has come to rest: no effect can go on, and what effects have sent has
/// been through the reducer.
///
/// Effects carry it along, so that a `TestClock` on which one sleeps lets the store come to rest
/// between two moments.
final class EffectSettling: Sendable {
  /// The store whose effect is running.
  @TaskLocal static var current: EffectSettling?

  let executor = SettlingExecutor()
  /// Asks the store to handle what has come; gives how much that was since the last time.
  private let flush: @Sendable () async -> Int

  init(flush: @escaping @Sendable () async -> Int) { self.flush = flush }

  /// Waits until the store is at rest.
  func settle() async {
    repeat { await executor.settled() } while await flush() > 0 || !executor.isSettled
  }
}
