internal import Synchronization

/// Runs the effects of one test store, one step after the other in the order in which they became
/// ready, and tells when none can go on: all of them wait for something.
///
/// That is how a test store knows, without waiting for any length of time, that what an action
/// started has come as far as it can. What an effect hands to others (an actor with an executor of
/// its own, an unstructured task) goes on beside it.
final class SettlingExecutor: TaskExecutor {
  private struct State {
    var ready: [UnownedJob] = []
    var isRunning = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let isFirst = state.withLock { state in
      state.ready.append(job)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    // The thread is borrowed: a job of ours runs within one of the pool's.
    if isFirst { Task.detached { self.run() } }
  }

  private func run() {
    while true {
      let (jobs, waiting) = state.withLock { state in
        defer { state.ready = [] }
        if !state.ready.isEmpty { return (state.ready, [CheckedContinuation<Void, Never>]()) }
        state.isRunning = false
        defer { state.waiting = [] }
        return ([], state.waiting)
      }
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      for continuation in waiting { continuation.resume() }
      if jobs.isEmpty { return }
    }
  }

  /// Whether no effect can go on.
  var isSettled: Bool { state.withLock { !$0.isRunning } }

  /// Waits until no effect can go on.
  func settled() async {
    await withCheckedContinuation { continuation in
      let isSettled = state.withLock { state in
        if state.isRunning { state.waiting.append(continuation) }
        return !state.isRunning
      }
      if isSettled { continuation.resume() }
    }
  }
}
