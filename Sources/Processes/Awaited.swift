internal import Foundation
internal import Synchronization

/// A value that one thread gives and others block for.
package final class Awaited<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let given = NSCondition()

  package init() {}

  package func give(_ new: Value) {
    given.lock()
    value.withLock { $0 = new }
    given.broadcast()
    given.unlock()
  }

  package func take() -> Value {
    given.lock()
    defer { given.unlock() }
    while true {
      if let value = value.withLock({ $0 }) { return value }
      given.wait()
    }
  }

  /// As `take`; nil if it was not given in time.
  package func take(within patience: Duration) -> Value? {
    let (seconds, attoseconds) = patience.components
    let end = Date(timeIntervalSinceNow: Double(seconds) + Double(attoseconds) / 1e18)
    given.lock()
    defer { given.unlock() }
    while true {
      if let value = value.withLock({ $0 }) { return value }
      guard given.wait(until: end) else { return value.withLock { $0 } }
    }
  }
}
