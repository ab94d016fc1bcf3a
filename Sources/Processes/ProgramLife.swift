internal import CProcesses
internal import Synchronization

/// Whether a program has ended, and who waits for that.
final class ProgramLife: Sendable {
  private struct State {
    var ending: StartedProgram.Ending?
    var waiting: [@Sendable (StartedProgram.Ending) -> Void] = []
  }

  private let state = Mutex(State())

  var ending: StartedProgram.Ending? { state.withLock(\.ending) }

  /// Waits for the end, on the caller's thread, and tells everybody.
  func watch(_ pid: Int32) {
    let code = cprocesses_wait(pid)
    let ending: StartedProgram.Ending = code < 0 ? .signalled(-code) : .exited(code)
    let waiting = state.withLock { state in
      // Together: a signal never goes to another process that got its number.
      cprocesses_reap(pid)
      state.ending = ending
      defer { state.waiting = [] }
      return state.waiting
    }
    for body in waiting { body(ending) }
  }

  func ifAlive(_ body: () -> Void) {
    state.withLock { state in
      if state.ending == nil { body() }
    }
  }

  func whenEnded(_ body: @escaping @Sendable (StartedProgram.Ending) -> Void) {
    let ending = state.withLock { state in
      if state.ending == nil { state.waiting.append(body) }
      return state.ending
    }
    if let ending { body(ending) }
  }
}
