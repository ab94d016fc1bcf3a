internal import CProcesses
internal import Synchronization

/// Whether a program has ended, and who waits for that.
final class ProgramLife: Sendable {
  private struct State {
    var ending: StartedProgram.Ending?
    var waiting: [@Sendable (StartedProgram.Ending) -> Void] = []
    /// Whether its number is nobody else's: it runs, or what is left of it is there still.
    var isNumberKept = true
    /// Whether that is to stay so after its end.
    var keepsGroup = false
    var pid: Int32 = -1
  }

  private let state = Mutex(State())

  var ending: StartedProgram.Ending? { state.withLock(\.ending) }

  /// Waits for the end, on the caller's thread, and tells everybody.
  func watch(_ pid: Int32, keepsGroup: Bool) {
    state.withLock { state in
      state.pid = pid
      state.keepsGroup = keepsGroup
    }
    let code = cprocesses_wait(pid)
    let ending: StartedProgram.Ending = code < 0 ? .signalled(-code) : .exited(code)
    let waiting = state.withLock { state in
      // Together: a signal never goes to another process that got its number.
      if !state.keepsGroup {
        cprocesses_reap(pid)
        state.isNumberKept = false
      }
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

  func ifNumberIsKept(_ body: () -> Void) {
    state.withLock { state in
      if state.isNumberKept { body() }
    }
  }

  /// Lets go of what is left of it, at its end.
  func forgetGroup() {
    state.withLock { state in
      state.keepsGroup = false
      guard state.ending != nil, state.isNumberKept else { return }
      cprocesses_reap(state.pid)
      state.isNumberKept = false
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
