/// What a sent action started.
public struct StoreTask: Sendable {
  private let wait: (@Sendable () async throws -> Void)?
  private let show: (@Sendable () async -> Void)?
  private let end: @Sendable () -> Void
  private let isEnded: @Sendable () -> Bool

  /// Follows `task`; nil when nothing was started.
  public init(_ task: Task<Void, Never>?) {
    wait = task.map { task in { @Sendable in await task.value } }
    show = nil
    end = { task?.cancel() }
    isEnded = { task?.isCancelled ?? true }
  }

  /// Follows something elsewhere.
  ///
  /// - Parameters:
  ///   - wait: until everything has ended; throws when that cannot be known any more.
  ///   - show: waits until this process sees what the action itself did.
  ///   - cancel: asks it to end.
  package init(
    wait: @escaping @Sendable () async throws -> Void, show: @escaping @Sendable () async -> Void,
    cancel: @escaping @Sendable () -> Void, isCancelled: @escaping @Sendable () -> Bool
  ) {
    self.wait = wait
    self.show = show
    end = cancel
    isEnded = isCancelled
  }

  /// Waits until everything that the action started has ended, or is lost: of a remote store's task
  /// `value` tells the two apart.
  public func finish() async { try? await wait?() }

  /// Waits as `finish` does, and throws what cut it short: of a remote store, that the daemon's run
  /// has ended (`gone`), or why the action was not applied. In one process it never throws.
  public var value: Void { get async throws { try await wait?() } }

  /// Cancels everything that the action started, and waits for its end.
  public func cancel() async {
    end()
    await finish()
  }

  /// Cancels everything that the action started, without waiting; for cancellation handlers.
  package func requestCancellation() { end() }

  /// Waits until this process sees what the action did: at once where the reducer runs here.
  package func shown() async { await show?() }

  /// Whether it was cancelled.
  public var isCancelled: Bool { isEnded() }
}
