internal import Synchronization

/// Whether one effect under way was cancelled, or has ended; shared by its task, by what it sends
/// with and by the registry.
final class RunToken: Sendable {
  let unit: UInt64
  /// The commit that started it.
  let cause: UInt64
  private let cancelled = Atomic(false)
  private let ended = Atomic(false)

  init(unit: UInt64, cause: UInt64) {
    self.unit = unit
    self.cause = cause
  }

  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }
  /// Whether the body has returned without having been cancelled.
  var isEnded: Bool { ended.load(ordering: .acquiring) && !isCancelled }

  func cancel() { cancelled.store(true, ordering: .releasing) }
  func end() { ended.store(true, ordering: .releasing) }
}
