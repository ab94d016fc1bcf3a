import Glibc
import StateModel
import StatecastClient
import SyncProtocol
import Synchronization
import ZeroMQ

/// The closed loop through Statecast: an action is done when its reply is in and every mirror has
/// applied its delta and checked the digest.
actor Drive: LoopActor {
  nonisolated let loop: EventLoop

  private let context: Context
  private let acting: ClientEngine
  private var mirrors: [ClientEngine] = []
  /// Actions whose reply is in, and how many each mirror shows (its counter).
  private var sent = 0
  private var answered = 0
  private var shown: [Int]
  /// What each mirror holds.
  private var values: [Bench.State?]
  private var wake: CheckedContinuation<Void, Never>?
  private var mode = Mode.idle

  private enum Mode {
    case idle
    case oneByOne(until: Int64)
    case windowed(until: Int64, window: Int)
  }

  /// What hears of every action: made once.
  private var heard: @Sendable (ClientEngine.ActionSignal) -> Void = { _ in }
  private var lastDone = -1
  private var samples: [Int64] = []
  private var started: Int64 = 0

  init(folder: String, subscribers: Int) throws {
    loop = try EventLoop(name: "bench-drive")
    context = try Context()
    shown = Array(repeating: 0, count: subscribers)
    values = Array(repeating: nil, count: subscribers)
    let endpoints = DaemonEndpoints(folder: folder)
    var generator = SystemRandomNumberGenerator()
    acting = try ClientEngine(
      endpoints: endpoints, session: SessionID(.random(using: &generator)), context: context,
      loop: loop)
    for _ in 0..<subscribers {
      mirrors.append(
        try ClientEngine(
          endpoints: endpoints, session: SessionID(.random(using: &generator)), context: context,
          loop: loop))
    }
    loop.start()
  }

  /// Connects all, and waits until every mirror is there.
  func join() async {
    heard = { [unowned self] signal in
      guard case .resolved = signal else { return }
      onLoop { $0.wasAnswered() }
    }
    await acting.open { _ in }
    for (index, mirror) in mirrors.enumerated() {
      await mirror.open { _ in }
      _ = await mirror.addView(
        name: "bench", parameters: [0xF6], replica: TypedReplica(Bench.State.self)
      ) { [unowned self] signal in
        guard case .changed(let update) = signal,
          let value = (update.replica as? TypedReplica<Bench.State>)?.value
        else { return }
        onLoop { $0.saw(value, by: index) }
      }
    }
    bump()
    await withCheckedContinuation { wake = $0 }
  }

  /// Nanoseconds of every action, one at a time.
  func oneByOne(_ seconds: Double) async -> [Int64] {
    samples = []
    mode = .oneByOne(until: EventLoop.monotonicNow() + Int64(seconds * 1e9))
    started = EventLoop.monotonicNow()
    bump()
    await withCheckedContinuation { wake = $0 }
    return samples
  }

  /// Actions a second with `window` of them open.
  func windowed(_ seconds: Double, window: Int) async -> Double {
    let first = sent
    let start = EventLoop.monotonicNow()
    mode = .windowed(until: start + Int64(seconds * 1e9), window: window)
    for _ in 0..<window { bump() }
    await withCheckedContinuation { wake = $0 }
    return Double(sent - first) / (Double(EventLoop.monotonicNow() - start) / 1e9)
  }

  /// Whether all mirrors are equal by digest, and hold every action once: their counters say how
  /// many, and each slot how often it was bumped.
  func mirrorsAreExact() -> Bool {
    var expected = Bench.State()
    expected.counter = sent
    for slot in 0..<min(1000, sent) { expected.slots[slot] = (sent - slot + 999) / 1000 }
    return answered == sent && values.allSatisfy { $0?.digest == expected.digest }
  }

  private func bump() {
    let action = Bench.Action.bump(
      slot: sent % 1000, payload: "0123456789012345678901234567890123456789")
    sent += 1
    let entry = Entry(.perform(action: action.encoded()))
    let heard = heard
    acting.onLoop { _ = $0.submit(entry, heard) }
  }

  private func wasAnswered() {
    answered += 1
    advance()
  }

  private func saw(_ value: Bench.State, by mirror: Int) {
    shown[mirror] = value.counter
    values[mirror] = value
    advance()
  }

  private func advance() {
    let done = min(answered, shown.min() ?? answered)
    // Most signals are of actions that something else is still missing for.
    if done == lastDone { return }
    lastDone = done
    switch mode {
    case .idle:
      if done == sent { resume() }
    case .oneByOne(let until):
      guard done == sent else { return }
      let now = EventLoop.monotonicNow()
      samples.append(now - started)
      if now >= until { return resume() }
      started = now
      bump()
    case .windowed(let until, let window):
      if EventLoop.monotonicNow() < until {
        while sent - done < window { bump() }
      } else if done == sent {
        resume()
      }
    }
  }

  private func resume() {
    mode = .idle
    wake?.resume()
    wake = nil
  }
}
