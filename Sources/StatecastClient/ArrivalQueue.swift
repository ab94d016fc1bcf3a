internal import StateModel
internal import SyncProtocol
internal import Synchronization

/// What goes from the loop to a store, in order.
///
/// A store that does not look for a while keeps the newest values only: the mirror itself is exact.
/// Everything else is kept.
final class ArrivalQueue<ViewState: Sendable>: Sendable {
  /// A value of the mirror.
  struct Shown: Sendable {
    var state: ViewState
    var number: CommitNumber
    var omissions: Omissions
  }

  /// One thing that arrived.
  enum Arrival: Sendable {
    case value(Shown)
    case stale(String)
    case fresh(CommitNumber)
    case refused(String)
    /// What became of a binding's set.
    case set(PendingSets.Setting, ClientEngine.ActionSignal)
    /// Nothing: whoever put it there waits until all before it has been taken.
    case marker(CheckedContinuation<Void, Never>)
  }

  private struct Contents {
    var arrivals: [Arrival] = []
    var values = 0
    var isClosed = false

    mutating func dropOldest(keeping kept: Int) {
      arrivals.removeAll { arrival in
        guard case .value = arrival, values > kept else { return false }
        values -= 1
        return true
      }
    }
  }

  /// How many of the newest values are kept for a store that does not look.
  static var valuesKept: Int { 1024 }

  private let contents = Mutex(Contents())
  /// Rings when something has arrived.
  let doorbell: AsyncStream<Void>
  private let bell: AsyncStream<Void>.Continuation

  init() {
    (doorbell, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Hands something over. A marker behind which nobody looks any more waits no longer.
  func post(_ arrival: Arrival) {
    let isClosed = contents.withLock { contents in
      if contents.isClosed { return true }
      contents.arrivals.append(arrival)
      if case .value = arrival { contents.values += 1 }
      // Half of them at once: dropping one by one would move the rest for each.
      if contents.values > 2 * Self.valuesKept { contents.dropOldest(keeping: Self.valuesKept) }
      return false
    }
    if isClosed {
      if case .marker(let waiting) = arrival { waiting.resume() }
    } else {
      bell.yield()
    }
  }

  /// Everything that has arrived, in order.
  func takeAll() -> [Arrival] {
    contents.withLock { contents in
      defer {
        contents.arrivals = []
        contents.values = 0
      }
      return contents.arrivals
    }
  }

  /// Nobody looks any more.
  func close() {
    bell.finish()
    let left = contents.withLock { contents in
      contents.isClosed = true
      defer { contents.arrivals = [] }
      return contents.arrivals
    }
    for case .marker(let waiting) in left { waiting.resume() }
  }
}
