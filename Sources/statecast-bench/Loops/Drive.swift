import Glibc
import StateModel
import StatecastClient
import SyncProtocol
import Synchronization
import ZeroMQ

/// The loops through Statecast: an action is done when its reply is in and every mirror has applied
/// its delta and checked the digest.
actor Drive: LoopActor {
  nonisolated let loop: EventLoop

  private let context: Context
  /// Who acts: the library, or a bare DEALER with one action a request.
  private let acting: ClientEngine
  private let dealer: DealerClient?
  private let mirrors: [ClientEngine]
  /// Actions that were sent, that are answered, and how many each mirror shows (its counter).
  private(set) var sent = 0
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
    /// One every `interval` from `begin` on, up to the number `end`.
    case arriving(begin: Int64, interval: Int64, first: Int, end: Int)
  }

  /// When an action was done, and how long it took.
  struct Sample {
    var at: Int64
    var took: Int64
  }

  /// What hears of every action: made once.
  private var heard: @Sendable (ClientEngine.ActionSignal) -> Void = { _ in }
  private var lastDone = -1
  private(set) var samples: [Sample] = []
  private var started: Int64 = 0
  /// When each action since `recordedFrom` was sent; empty where nobody asks.
  private var sendTimes: [Int64] = []
  private var recordedFrom: Int?

  init(folder: String, subscribers: Int, usesDealer: Bool = false) throws {
    let loop = try EventLoop(name: "bench-drive")
    let context = try Context()
    shown = Array(repeating: 0, count: subscribers)
    values = Array(repeating: nil, count: subscribers)
    let endpoints = DaemonEndpoints(folder: folder)
    var generator = SystemRandomNumberGenerator()
    let sessions = (0..<subscribers + 2).map { _ in SessionID(.random(using: &generator)) }
    dealer =
      usesDealer ? try DealerClient(endpoints, session: sessions[0], in: context) : nil
    let engines = try sessions.dropFirst().map {
      try ClientEngine(endpoints: endpoints, session: $0, context: context, loop: loop)
    }
    acting = engines[0]
    mirrors = Array(engines.dropFirst())
    self.loop = loop
    self.context = context
    loop.start()
  }

  /// Connects all, and waits until every mirror is there.
  func join() async {
    heard = { [unowned self] signal in
      guard case .resolved = signal else { return }
      onLoop { $0.wasAnswered(1) }
    }
    if let dealer {
      await withCheckedContinuation { opened in
        dealer.open(on: loop) {
          opened.resume()
        } answered: { [unowned self] count in
          onLoop { $0.wasAnswered(count) }
        }
      }
    } else {
      await acting.open { _ in }
    }
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
    return samples.map(\.took)
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

  /// Keeps `window` actions open until `stop`, and samples each.
  func begin(window: Int) {
    samples = []
    sendTimes = []
    recordedFrom = sent
    mode = .windowed(until: .max, window: window)
    for _ in 0..<window { bump() }
  }

  /// Ends what `begin` began, once all that was sent is done.
  func stop() async {
    guard case .windowed(_, let window) = mode else { return }
    mode = .windowed(until: 0, window: window)
    await withCheckedContinuation { wake = $0 }
    recordedFrom = nil
  }

  /// `count` actions that arrive every `interval` nanoseconds, whatever became of those before; the
  /// nanoseconds of each from when it was to be sent: what waits behind a pause counts as waiting.
  func arriving(every interval: Int64, count: Int) async -> [Int64] {
    samples = []
    lastDone = sent
    mode = .arriving(
      begin: EventLoop.monotonicNow() + interval, interval: interval, first: sent,
      end: sent + count)
    sendArrived()
    await withCheckedContinuation { wake = $0 }
    return samples.map(\.took)
  }

  /// Whether all mirrors are equal by digest, and hold every action once: their counters say how
  /// many, and each slot how often it was bumped.
  func mirrorsAreExact() -> Bool {
    let expected = Bench.State.after(sent).digest
    return answered == sent && values.allSatisfy { $0?.digest == expected }
  }

  private func bump() {
    let entry = Entry(.perform(action: Bench.Action.number(sent).encoded()))
    if recordedFrom != nil { sendTimes.append(EventLoop.monotonicNow()) }
    sent += 1
    if let dealer { return dealer.send(entry) }
    let heard = heard
    acting.onLoop { _ = $0.submit(entry, heard) }
  }

  private func sendArrived() {
    guard case .arriving(let begin, let interval, let first, let end) = mode else { return }
    let now = EventLoop.monotonicNow()
    while sent < end, begin + Int64(sent - first) * interval <= now { bump() }
    guard sent < end else { return }
    _ = loop.schedule(at: begin + Int64(sent - first) * interval) { [weak self] in
      self?.onLoop { $0.sendArrived() }
    }
  }

  private func wasAnswered(_ count: Int) {
    answered += count
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
    let before = lastDone
    lastDone = done
    switch mode {
    case .idle:
      if done == sent { resume() }
    case .oneByOne(let until):
      guard done == sent else { return }
      let now = EventLoop.monotonicNow()
      samples.append(Sample(at: now, took: now - started))
      if now >= until { return resume() }
      started = now
      bump()
    case .windowed(let until, let window):
      let now = EventLoop.monotonicNow()
      if let recordedFrom {
        for number in max(before, recordedFrom)..<max(done, recordedFrom) {
          samples.append(Sample(at: now, took: now - sendTimes[number - recordedFrom]))
        }
      }
      if now < until {
        while sent - done < window { bump() }
      } else if done == sent {
        resume()
      }
    case .arriving(let begin, let interval, let first, let end):
      let now = EventLoop.monotonicNow()
      for number in before..<done {
        samples.append(Sample(at: now, took: now - begin - Int64(number - first) * interval))
      }
      if done == end { resume() }
    }
  }

  private func resume() {
    mode = .idle
    wake?.resume()
    wake = nil
  }
}
