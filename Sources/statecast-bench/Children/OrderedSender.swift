import StatecastClient
import SyncProtocol

/// Sends actions in order with a bounded number of them open; the first that is not applied is an
/// error.
actor OrderedSender {
  private let engine: ClientEngine
  private let window: Int
  private var open = 0
  private var failure: BenchFailure?
  private var waiting: CheckedContinuation<Void, Never>?

  init(_ engine: ClientEngine, window: Int) {
    self.engine = engine
    self.window = window
  }

  /// Hands an action over, once there is room.
  func send(_ entry: Entry) async throws {
    while open >= window, failure == nil { await withCheckedContinuation { waiting = $0 } }
    if let failure { throw failure }
    open += 1
    await engine.submit(entry) { signal in
      guard case .resolved(let resolution) = signal else { return }
      Task { await self.resolved(resolution) }
    }
  }

  /// Waits until all are applied.
  func finish() async throws {
    while open > 0, failure == nil { await withCheckedContinuation { waiting = $0 } }
    if let failure { throw failure }
  }

  private func resolved(_ resolution: Resolution) {
    open -= 1
    do { _ = try resolution.receipt() } catch {
      failure = BenchFailure("an action was not applied: \(error)")
    }
    waiting?.resume()
    waiting = nil
  }
}
