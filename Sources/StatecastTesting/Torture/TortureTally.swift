internal import SyncProtocol
internal import Synchronization

/// How many actions were acknowledged, and when the next kill is due.
final class TortureTally: Sendable {
  private struct State {
    var acknowledged: [Int]
    var lastCommit = CommitNumber.zero
    var untilKill = 0
    var isOver = false
    var killer: CheckedContinuation<Void, Never>?
  }
  private let state: Mutex<State>

  init(writers: Int) {
    state = Mutex(State(acknowledged: Array(repeating: 0, count: writers)))
  }

  var acknowledged: [Int] { state.withLock(\.acknowledged) }
  var lastCommit: CommitNumber { state.withLock(\.lastCommit) }
  var isOver: Bool { state.withLock(\.isOver) }

  func begin(killAfter count: Int) {
    state.withLock {
      $0.untilKill = count
      $0.isOver = false
    }
  }

  /// The round ends: the writers finish what is open. Whoever waits for the kill is woken too.
  func end() {
    let killer = state.withLock { state in
      state.isOver = true
      state.untilKill = 0
      return state.killer.take()
    }
    killer?.resume()
  }

  func acknowledge(_ writer: Int, _ commit: CommitNumber) {
    let killer = state.withLock { state in
      state.acknowledged[writer] += 1
      state.lastCommit = max(state.lastCommit, commit)
      state.untilKill -= 1
      return state.untilKill <= 0 ? state.killer.take() : nil
    }
    killer?.resume()
  }

  func waitForKill() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isDue = state.withLock { state in
          if state.untilKill > 0, !state.isOver { state.killer = continuation }
          return state.untilKill <= 0 || state.isOver
        }
        if isDue { continuation.resume() }
      }
    } onCancel: {
      end()
    }
  }
}
