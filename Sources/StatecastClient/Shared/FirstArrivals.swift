internal import Synchronization

/// Lets any number of tasks wait for the first value, or for the failure that there is none.
final class FirstArrivals: Sendable {
  private struct State {
    var hasCome = false
    var failure: ConnectionFailure?
    var waiting: [CheckedContinuation<ConnectionFailure?, Never>] = []
  }
  private let state = Mutex(State())

  /// The first value is here, or a failure; a value behind a failure counts.
  func arrive(_ failure: ConnectionFailure?) {
    let waiting = state.withLock { state in
      state.hasCome = true
      state.failure = failure
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume(returning: failure) }
  }

  /// It took too long: nothing where something has come.
  func expire(_ failure: ConnectionFailure) {
    if !state.withLock(\.hasCome) { arrive(failure) }
  }

  /// The failure, if there is one; returns once something has come.
  func wait() async -> ConnectionFailure? {
    await withCheckedContinuation { continuation in
      let result = state.withLock { state -> ConnectionFailure?? in
        if state.hasCome { return .some(state.failure) }
        state.waiting.append(continuation)
        return nil
      }
      if let result { continuation.resume(returning: result) }
    }
  }
}
