internal import StateModel

/// One view's mirror: an exact copy of what the authority published at a known number, or marked
/// stale.
///
/// Either it follows publications one by one, each from the number it holds, with the digest
/// compared after each; or it wants something first (`want`), holds what arrives meanwhile, and
/// goes on from there.
struct MirrorMachine: Sendable {
  /// What is needed before publications can be followed.
  enum Want: Equatable, Sendable {
    case nothing
    /// To be named in a hello or a join.
    case join
    /// What was published after its number: something is missing in between.
    case replay
    /// The published value: its own is not exact, or replays did not help.
    case snapshot
    /// The rest of a large value.
    case chunk
  }

  struct Stale: Equatable, Sendable {
    var since: Moment
    var reason: String
  }

  let token: ViewToken
  let name: String
  let parameters: [UInt8]
  let topic: Topic
  /// False for a value that is fetched once, without a subscription.
  let follows: Bool
  var replica: any Replica
  /// Where its value stands; nil when there is none, or none that is exact.
  var position: Position?
  var want = Want.join
  /// A value that was fetched once: whether the daemon was told that no more is wanted.
  var hasLeft = false
  /// Whether a request for `want` is out.
  var isAsked = false
  /// Rises whenever answers that are on their way have become useless.
  var generation: UInt64 = 0
  /// Known to be current: named by a join, or by an `alive` that was sent after the last silence.
  var isConfirmed = false
  var stale: Stale?
  /// The view cannot be had from this epoch's daemon.
  var isRefused = false
  /// Since when it is known to be behind.
  var behindSince: Moment?
  /// Not to be asked before this moment: the last attempt failed.
  var notBefore: Moment?
  /// The number of the doorbell that was rung last before its topic was subscribed; nil while it
  /// is not.
  var subscribedAfter: UInt64?

  var pull: SnapshotPull?
  var held = HeldDeltas()
  /// Replays that brought the mirror no further.
  private var vain = 0
  var attempts: Backoff
  let faults: ClientFaults

  /// How many replays may be in vain before a snapshot is asked for.
  private static let vainReplays = 2

  init(
    token: ViewToken, name: String, parameters: [UInt8], topic: Topic, replica: any Replica,
    follows: Bool, timing: Timing, at now: Moment, faults: ClientFaults = []
  ) {
    self.faults = faults
    self.token = token
    self.name = name
    self.parameters = parameters
    self.replica = replica
    self.follows = follows
    self.topic = topic
    stale = Stale(since: now, reason: "joining")
    attempts = Backoff(first: timing.refusalRetry, longest: timing.longestRetry)
  }

  var isStale: Bool { stale != nil }

  /// What to ask for it in a hello or a join.
  var request: ViewRequest {
    ViewRequest(
      name: name, parameters: parameters, schemaHash: replica.schemaHash, position: position)
  }

  mutating func markStale(_ reason: String, at now: Moment, _ outputs: inout [ClientOutput]) {
    guard stale == nil else { return }
    stale = Stale(since: now, reason: reason)
    outputs.append(.stale(token, reason: reason))
  }

  /// The same of one that may be stale already, for another reason.
  mutating func stayStale(_ reason: String, at now: Moment, _ outputs: inout [ClientOutput]) {
    guard let since = stale?.since else { return markStale(reason, at: now, &outputs) }
    stale = Stale(since: since, reason: reason)
    outputs.append(.stale(token, reason: reason))
  }

  /// A new link or a new epoch: everything that was under way is void.
  mutating func startOver() {
    generation += 1
    want = .join
    isAsked = false
    pull = nil
    held = HeldDeltas()
    behindSince = nil
    vain = 0
  }

  /// A publication of the present epoch. True where it was merely followed.
  @discardableResult
  mutating func receive(
    _ publication: Publication, limit: Int, at now: Moment, _ outputs: inout [ClientOutput]
  ) -> Bool {
    guard !isRefused else { return false }
    guard let number = position?.number, want == .nothing else {
      held.hold(publication, limit: limit)
      return false
    }
    if publication.flags.contains(.beat) {
      if publication.to > number {
        miss(at: now)
      } else if publication.to == number, publication.digest.rawValue != position?.digestValue {
        diverge(delta: nil, expected: publication.digest, at: now, &outputs)
      }
      return false
    }
    guard publication.to > number || faults.contains(.oldTakenAgain) else { return false }
    let fits =
      publication.from == number || publication.flags.contains(.whole)
      || faults.contains(.gapsFollowed)
    guard fits, !publication.flags.contains(.pull) else {
      held.hold(publication, limit: limit)
      miss(at: now)
      return false
    }
    do {
      try replica.apply(publication.delta)
    } catch {
      diverge(delta: publication.delta, expected: publication.digest, at: now, &outputs)
      return false
    }
    guard replica.digest == publication.digest else {
      diverge(delta: publication.delta, expected: publication.digest, at: now, &outputs)
      return false
    }
    position?.number = publication.to
    position?.digestValue = publication.digest.rawValue
    vain = 0
    outputs.append(
      .changed(
        token,
        ClientOutput.Update(
          replica: replica, number: publication.to, commit: publication.commit,
          origin: publication.origin, delta: publication.delta)))
    return true
  }

  /// Something between its number and what is published has not come.
  mutating func miss(at now: Moment) {
    guard want == .nothing else { return }
    want = vain < Self.vainReplays ? .replay : .snapshot
    isAsked = false
    if behindSince == nil { behindSince = now }
  }

  /// An answer brought it no further: after some of those only a whole value helps.
  mutating func countVain() {
    vain += 1
    if vain >= Self.vainReplays { want = .snapshot }
  }

  /// It has a whole value: replays may help again.
  mutating func forgetVain() { vain = 0 }

  /// Its value differs from the authority's: it is not exact, and says so until it has another.
  mutating func diverge(
    delta: Delta?, expected: Digest, at now: Moment, _ outputs: inout [ClientOutput]
  ) {
    let before = Digest(rawValue: position?.digestValue ?? 0)
    outputs.append(
      .notice(
        .diverged(
          token, before: before, delta: delta, expected: expected, found: replica.digest)))
    markStale("it differed from the daemon's view", at: now, &outputs)
    position = nil
    isConfirmed = false
    generation += 1
    want = .snapshot
    isAsked = false
    pull = nil
    held = HeldDeltas()
  }
}
