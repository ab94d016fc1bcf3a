/// Keeps an observer attached to its store; ends with `cancel()` or with its last reference.
public final class Observation {
  private var onCancel: (() -> Void)?

  /// An observation that runs `onCancel` once.
  public init(onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  deinit { onCancel?() }

  /// Detaches the observer.
  public func cancel() {
    onCancel?()
    onCancel = nil
  }
}
