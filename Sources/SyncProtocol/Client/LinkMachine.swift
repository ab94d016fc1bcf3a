/// The subscription side of a client: proves through a doorbell that its subscriptions are live,
/// and notices when nothing is heard any more.
///
/// A welcome on the doorbell shows that everything subscribed before it on that link is live. One
/// that nobody asked for means that the link was made anew, and that publications may be lost.
struct LinkMachine: Sendable {
  /// What a welcome means.
  enum Welcome: Equatable, Sendable {
    /// The link is new, or of another epoch: hello (again).
    case hello
    /// The doorbell that was rung for views that were added: they can be joined.
    case join
    case stray
  }

  private struct Ring: Sendable {
    var nonce: Nonce
    var number: UInt64
    var deadline: Moment
    var isForHello: Bool
  }

  /// The doorbell that has been answered last; kept subscribed, to learn of a link made anew.
  private(set) var doorbell: Nonce?
  /// The epoch that the last welcome named.
  private(set) var welcomed: DaemonRun?
  /// Views subscribed before this ring are proven live.
  private(set) var provenRing: UInt64 = 0
  private var ring: Ring?
  private var ringCount: UInt64 = 0
  /// When anything was last received.
  private var heard: Moment?
  /// Nothing was heard for too long.
  private(set) var isSilent = false
  private var patience: Backoff
  private let silence: Duration

  init(timing: Timing) {
    patience = Backoff(first: timing.welcome, longest: timing.longestRetry)
    silence = timing.linkLost
  }

  /// Whether anything was ever subscribed.
  var isUsed: Bool { heard != nil }
  var isRinging: Bool { ring != nil }
  var lastRing: UInt64 { ringCount }

  var nextDeadline: Moment? {
    guard !isSilent, let heard else { return ring?.deadline }
    let silenceEnds = heard + silence
    return ring.map { min($0.deadline, silenceEnds) } ?? silenceEnds
  }

  /// The first subscription is made: the silence is counted from here.
  mutating func use(at now: Moment) { if heard == nil { heard = now } }

  /// Rings with a fresh nonce. What is to be subscribed and, if a ring was unanswered, unsubscribed.
  mutating func ring(
    forHello: Bool, at now: Moment, using random: inout SeedStream
  ) -> (subscribe: Nonce, unsubscribe: Nonce?) {
    let nonce = Nonce(Bytes16.random(using: &random))
    let unanswered = ring?.nonce
    ringCount += 1
    ring = Ring(
      nonce: nonce, number: ringCount, deadline: now + patience.next(using: &random),
      isForHello: forHello || ring?.isForHello == true)
    return (nonce, unanswered)
  }

  /// Whether the doorbell has been unanswered for too long.
  func ringIsOverdue(at now: Moment) -> Bool { ring.map { $0.deadline <= now } ?? false }

  /// A welcome came. What it means, and the doorbell that is not needed any more.
  mutating func welcome(
    _ nonce: Nonce, _ run: DaemonRun
  ) -> (meaning: Welcome, unsubscribe: Nonce?) {
    if let ring, ring.nonce == nonce {
      let old = doorbell
      let meaning: Welcome = ring.isForHello || welcomed != run ? .hello : .join
      doorbell = nonce
      provenRing = ring.number
      self.ring = nil
      patience.reset()
      welcomed = run
      return (meaning, old)
    }
    guard nonce == doorbell else { return (.stray, nil) }
    welcomed = run
    return (.hello, nil)
  }

  /// The daemon's epoch is over: no welcome counts any more.
  mutating func forgetWelcome() { welcomed = nil }

  /// Something was received; true when it ends a silence.
  mutating func hear(at now: Moment) -> Bool {
    heard = now
    defer { isSilent = false }
    return isSilent
  }

  /// True once when nothing was heard for too long.
  mutating func fallsSilent(at now: Moment) -> Bool {
    guard !isSilent, let heard, heard + silence <= now else { return false }
    isSilent = true
    return true
  }

  /// All doorbells that are subscribed; the link is forgotten.
  mutating func close(timing: Timing) -> [Nonce] {
    let nonces = [doorbell, ring?.nonce].compactMap { $0 }
    self = LinkMachine(timing: timing)
    return nonces
  }
}

/// One run of a daemon on one history.
struct DaemonRun: Equatable, Sendable {
  var lineage: Lineage
  var epoch: Epoch
}
