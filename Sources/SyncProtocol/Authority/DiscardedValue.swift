internal import Synchronization

/// A large value that nobody needs any more, until some thread that has time lets go of it.
///
/// A reference, so that whoever merely passes it on does not hold the value, and perhaps is the last one
/// to do so: giving back the memory of 100 MB takes milliseconds.
package final class DiscardedValue: Sendable {
  private let value: Mutex<(any Sendable)?>

  init(_ value: any Sendable) { self.value = Mutex(value) }

  /// Gives back its memory, here and now.
  package func letGo() {
    // Taken out under the lock, let go of after it.
    _ = value.withLock { $0.take() }
  }
}
