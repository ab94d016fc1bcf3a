import StateModel
import StatecastClient
import StatecastTesting
import SyncProtocol
import ZeroMQ

/// What the integration tests share: the built daemon, and the workspace's actions.
enum Workshop {
  static let daemon = Products.path("statecastd")
  static let tool = Products.path("statecast")

  /// Puts a value at a path of the workspace.
  static func set(_ path: String, _ value: Value) -> Entry {
    act("set", ["path": .text(path), "value": value])
  }

  /// Adds to the number at a path.
  static func increment(_ path: String, by value: Value = .unsigned(1)) -> Entry {
    act("increment", ["path": .text(path), "by": value])
  }

  /// Loads a whole document.
  static func load(_ name: String, _ document: Value) -> Entry {
    act("load", ["name": .text(name), "document": document])
  }

  private static func act(_ name: String, _ payload: [String: Value]) -> Entry {
    let action: Value = .map(["workspace": .map([name: .map(payload)])])
    return Entry(.perform(action: action.encoded()))
  }
}

/// A mirror of the workspace that a test waits on: it wakes for every signal, never for time.
actor WorkspaceMirror {
  private(set) var value: Value = .null
  private(set) var number = CommitNumber.zero
  private(set) var digest = Digest(rawValue: 0)
  private(set) var staleReasons: [String] = []
  private(set) var isFresh = false
  private(set) var updates = 0
  private var waiting: [(isMet: (WorkspaceMirror) -> Bool, wake: CheckedContinuation<Void, Never>)] =
    []
  private var listening: Task<Void, Never>?

  /// Mirrors a part of the workspace until the test ends.
  static func of(
    _ connection: DaemonConnection, path: String = ""
  ) async -> WorkspaceMirror {
    let mirror = WorkspaceMirror()
    let signals = await connection.signals(of: "workspace", parameters: .text(path))
    await mirror.listen(signals)
    return mirror
  }

  private func listen(_ signals: AsyncStream<MirrorSignal>) {
    listening = Task { for await signal in signals { take(signal) } }
  }

  private func take(_ signal: MirrorSignal) {
    switch signal {
    case .value(let value, let update, let digest):
      self.value = value
      number = update.number
      self.digest = digest
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
    waiting.removeAll { $0.isMet(self) }
    for entry in ready { entry.wake.resume() }
  }

  /// Waits until the mirror is so.
  func wait(_ isMet: @escaping @Sendable (isolated WorkspaceMirror) -> Bool) async {
    if isMet(self) { return }
    await withCheckedContinuation { wake in
      waiting.append(({ mirror in mirror.assumeIsolated { isMet($0) } }, wake))
    }
  }

  /// Waits until it has reached a commit's publication.
  func wait(for commit: CommitNumber) async { await wait { $0.number >= commit } }
}
