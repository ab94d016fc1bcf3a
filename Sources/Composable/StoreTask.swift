/// What a sent action started.
public struct StoreTask: Sendable {
  private let task: Task<Void, Never>?

  /// Follows `task`; nil when nothing was started.
  public init(_ task: Task<Void, Never>?) { self.task = task }

  /// Waits until everything that the action started has ended.
  public func finish() async { await task?.value }

  /// Cancels everything that the action started, and waits for its end.
  public func cancel() async {
    task?.cancel()
    await task?.value
  }

  /// Cancels everything that the action started, without waiting; for cancellation handlers.
  package func requestCancellation() { task?.cancel() }

  /// Whether it was cancelled.
  public var isCancelled: Bool { task?.isCancelled ?? true }
}
