package import StateModel
package import StatecastClient
package import SyncProtocol

/// A mirror that a test waits on: it wakes for every signal, never for time.
package actor MirrorProbe {
  /// What the mirror holds.
  package private(set) var value: Value = .null
  package private(set) var number = CommitNumber.zero
  package private(set) var digest = Digest(rawValue: 0)
  package private(set) var staleReasons: [String] = []
  package private(set) var isFresh = false
  package private(set) var updates = 0
  /// Values that came as a whole, after the first: the mirror had to be fetched anew.
  package private(set) var resyncs = 0
  /// Every value that it held, for `History`.
  package private(set) var sightings: [History.Sighting] = []
  private var waiting: [Waiting] = []
  private var lastWait = 0

  private struct Waiting {
    var id: Int
    var isMet: (MirrorProbe) -> Bool
    var wake: CheckedContinuation<Bool, Never>
  }
  private var listening: Task<Void, Never>?

  /// Mirrors a view until `end`, or as long as the connection lives.
  package static func of(
    _ view: String, parameters: Value = .null, on connection: DaemonConnection
  ) async -> MirrorProbe {
    let mirror = MirrorProbe()
    await mirror.listen(await connection.signals(of: view, parameters: parameters))
    return mirror
  }

  /// Stops mirroring.
  package func end() { listening?.cancel() }

  private func listen(_ signals: AsyncStream<MirrorSignal>) {
    listening = Task { for await signal in signals { take(signal) } }
  }

  private func take(_ signal: MirrorSignal) {
    switch signal {
    case .value(let value, let update, let digest):
      self.value = value
      number = update.number
      self.digest = digest
      sightings.append(History.Sighting(number: number.rawValue, digest: digest))
      if updates > 0, update.delta == nil { resyncs += 1 }
      updates += 1
    case .stale(let reason):
      isFresh = false
      staleReasons.append(reason)
    case .fresh(let number):
      isFresh = true
      self.number = number
    case .refused: break
    }
    let ready = waiting.filter { $0.isMet(self) }
    waiting.removeAll { entry in ready.contains { $0.id == entry.id } }
    for entry in ready { entry.wake.resume(returning: true) }
  }

  /// Waits until the mirror is so; throws when the task is cancelled, as by a test's time limit.
  package func wait(
    _ isMet: @escaping @Sendable (isolated MirrorProbe) -> Bool
  ) async throws(CancellationError) {
    if isMet(self) { return }
    lastWait += 1
    let id = lastWait
    let isMet = await withTaskCancellationHandler {
      await withCheckedContinuation { wake in
        if Task.isCancelled { return wake.resume(returning: false) }
        waiting.append(
          Waiting(id: id, isMet: { mirror in mirror.assumeIsolated { isMet($0) } }, wake: wake))
      }
    } onCancel: {
      Task { await giveUp(id) }
    }
    if !isMet { throw CancellationError() }
  }

  private func giveUp(_ id: Int) {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: index).wake.resume(returning: false)
  }

  /// Waits until it has reached a commit's publication.
  package func wait(for commit: CommitNumber) async throws(CancellationError) {
    try await wait { $0.number >= commit }
  }
}
