import Glibc
import StateModel
import StatecastClient
import SyncProtocol
import ZeroMQ

/// Clients that only look, many in one process: each mirrors the same views, and once it is told how
/// many actions there were, all must be what those make.
actor Viewers: LoopActor {
  nonisolated let loop: EventLoop

  /// What is mirrored: the small view, the whole state, or so many parts.
  enum Kind {
    case bench
    case whole(megabytes: Double)
    case parts(Int)

    init?(_ words: [String]) {
      switch (words.first, words.last.flatMap { Double($0) }) {
      case ("bench", _): self = .bench
      case ("whole", let megabytes?): self = .whole(megabytes: megabytes)
      case ("parts", let count?): self = .parts(Int(count))
      default: return nil
      }
    }
  }

  /// What a mirror holds; nil before the first value.
  private struct Shown {
    var counter: Int?
    var digest = Digest(rawValue: 0)
  }

  private let kind: Kind
  private let context: Context
  private let clients: [ClientEngine]
  private var shown: [Shown] = []
  private var missing = 0
  private var wanted: Int?
  private var wake: CheckedContinuation<Void, Never>?

  /// How long all may take until they are there, or have caught up.
  private static let patience: Int64 = 60_000_000_000

  init(folder: String, kind: Kind, clients count: Int) throws {
    let loop = try EventLoop(name: "bench-viewers")
    let context = try Context()
    var generator = SystemRandomNumberGenerator()
    let sessions = (0..<count).map { _ in SessionID(.random(using: &generator)) }
    clients = try sessions.map {
      try ClientEngine(
        endpoints: DaemonEndpoints(folder: folder), session: $0, context: context, loop: loop)
    }
    self.loop = loop
    self.context = context
    self.kind = kind
    loop.start()
  }

  /// Connects all; then from when to when they joined their views.
  func join() async -> (from: Int64, to: Int64) {
    for client in clients {
      await client.open { _ in }
      await withCheckedContinuation { answered in client.assumeAsk(answered) }
    }
    let from = EventLoop.monotonicNow()
    for client in clients {
      switch kind {
      case .bench: await mirror("bench", .null, Bench.State.self, by: client) { $0.counter }
      case .whole: await mirror("whole", .null, Load.State.self, by: client) { $0.bench.counter }
      case .parts(let count):
        for number in 0..<count {
          await mirror("part", Value(of: number), Load.Part.self, by: client) { $0.counter }
        }
      }
    }
    await wait { $0.counter == nil }
    return (from, EventLoop.monotonicNow())
  }

  /// Waits until every mirror shows so many actions: how many are not exact then.
  func inexact(after count: Int) async -> Int {
    wanted = count
    await wait { $0.counter != count }
    let expected = expected(after: count)
    return shown.enumerated().count { index, shown in
      shown.digest != expected[index % expected.count]
    }
  }

  private func expected(after count: Int) -> [Digest] {
    switch kind {
    case .bench: [Bench.State.after(count).digest]
    case .whole(let megabytes): [Load.State.ofSize(megabytes).after(count).digest]
    case .parts(let parts): (0..<parts).map { Load.Part(number: $0, counter: count).digest }
    }
  }

  private func mirror<View: Mirrored>(
    _ name: String, _ parameters: Value, _ type: View.Type, by client: ClientEngine,
    _ counter: @escaping @Sendable (View) -> Int
  ) async {
    let index = shown.count
    shown.append(Shown())
    _ = await client.addView(
      name: name, parameters: parameters.encoded(), replica: TypedReplica(type)
    ) { [unowned self] signal in
      guard case .changed(let update) = signal,
        let value = (update.replica as? TypedReplica<View>)?.value
      else { return }
      onLoop { $0.saw(counter(value), update.replica.digest, at: index) }
    }
  }

  private func saw(_ counter: Int, _ digest: Digest, at index: Int) {
    let before = shown[index]
    shown[index] = Shown(counter: counter, digest: digest)
    if isMissing(before), !isMissing(shown[index]) {
      missing -= 1
      if missing == 0 { resume() }
    } else if !isMissing(before), isMissing(shown[index]) {
      missing += 1
    }
  }

  private func isMissing(_ shown: Shown) -> Bool {
    wanted.map { $0 != shown.counter } ?? (shown.counter == nil)
  }

  private func wait(_ isMissing: (Shown) -> Bool) async {
    missing = shown.count { isMissing($0) }
    if missing == 0 { return }
    let token = loop.schedule(at: EventLoop.monotonicNow() + Self.patience) { [weak self] in
      self?.onLoop { $0.resume() }
    }
    await withCheckedContinuation { wake = $0 }
    loop.cancel(token)
  }

  private func resume() {
    wake?.resume()
    wake = nil
  }
}

extension ClientEngine {
  /// Resumes once the daemon has answered anything.
  fileprivate nonisolated func assumeAsk(_ answered: CheckedContinuation<Void, Never>) {
    loop.perform { [self] in
      onLoop { $0.ask(.stats) { _ in answered.resume() } }
    }
  }
}

/// The process that viewers are in: `joined FROM TO`, then for each `expect COUNT` the number of
/// mirrors that are not exact.
enum ViewersDriver {
  static func run(folder: String, clients: Int, kind words: [String]) async throws {
    guard let kind = Viewers.Kind(words) else { throw BenchFailure("no such view: \(words)") }
    let viewers = try Viewers(folder: folder, kind: kind, clients: clients)
    let (from, to) = await viewers.join()
    Parent.tell("joined \(from) \(to)")
    for await words in Parent.commands() {
      guard words.count == 2, words[0] == "expect", let count = Int(words[1]) else {
        throw BenchFailure("the viewers were told \(words)")
      }
      Parent.tell("inexact \(await viewers.inexact(after: count))")
    }
    exit(0)
  }
}
