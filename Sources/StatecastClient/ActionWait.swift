internal import SyncProtocol
internal import Synchronization

/// Waits for what becomes of one action.
final class ActionWait: Sendable {
  private struct State {
    var continuation: CheckedContinuation<Resolution, Never>?
    var resolution: Resolution?
    var token: ActionToken?
    var isOver = false
  }
  private let state = Mutex(State())
  private let mirrored: Bool

  init(mirrored: Bool) { self.mirrored = mirrored }

  /// Whether nobody waits any more.
  var isOver: Bool { state.withLock(\.isOver) }
  /// What the machine calls it, once it was handed over.
  var token: ActionToken? { state.withLock(\.token) }

  func isSent(as token: ActionToken) { state.withLock { $0.token = token } }

  /// Somebody waits; resumed at once if it is over already.
  func begin(_ continuation: CheckedContinuation<Resolution, Never>) {
    let resolution = state.withLock { state in
      if !state.isOver { state.continuation = continuation }
      return state.isOver ? state.resolution : nil
    }
    if let resolution { continuation.resume(returning: resolution) }
  }

  func hear(_ signal: ClientEngine.ActionSignal) {
    let (continuation, resolution) = state.withLock { state in
      if case .resolved(let resolution) = signal {
        if state.resolution == nil { state.resolution = resolution }
        if mirrored && resolution.isDone {
          return (CheckedContinuation<Resolution, Never>?.none, Resolution?.none)
        }
      }
      state.isOver = true
      return (state.continuation.take(), state.resolution)
    }
    if let continuation, let resolution { continuation.resume(returning: resolution) }
  }
}
