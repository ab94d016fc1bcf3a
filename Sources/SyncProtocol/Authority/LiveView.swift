internal import StateModel

/// Where a view is in the book: a slot may be given to another one later.
struct ViewRef: Equatable {
  var slot: Int
  var generation: UInt32
}

/// One view (a name with its parameters): its value in memory and as published.
struct LiveView<View: AuthorityView> {
  /// What the batch under way will publish.
  struct Pending {
    var to: CommitNumber
    /// Nil for a view that has just been opened.
    var delta: Delta?
    var digest: Digest
    var origin: PublicNumber?
  }

  let topic: Topic
  let name: String
  let parameters: [UInt8]
  var generation: UInt32

  /// The value as of the last closed batch; nil before it is projected for the first time.
  var view: View?
  /// The published value, where it is another one: between a batch's closing and its fsync.
  var settled: View?
  var pending: Pending?
  /// Why it cannot be opened.
  var refusal: ViewRefusal?

  /// Whether it has a published value.
  var isPublished = false
  /// The number of the last publication, or the commit at which its projection began.
  var number = CommitNumber.zero
  /// Of the published value.
  var digest = Digest(rawValue: 0)
  /// The published value's encoding, if somebody wanted it.
  var encoded: [UInt8]?
  /// How long that encoding is at least, as far as is known.
  var leastSize = 0
  var kept = KeptDeltas()

  /// Whether somebody subscribes, as far as is known; only such a view is projected in every batch.
  var isLive = false
  /// When it was last named or lost its last subscriber.
  var idleSince = Moment(nanoseconds: 0)
  var nextBeat = Moment(nanoseconds: 0)
  var beatInterval = Duration.zero

  init(topic: Topic, name: String, parameters: [UInt8], generation: UInt32) {
    self.topic = topic
    self.name = name
    self.parameters = parameters
    self.generation = generation
  }

  /// The value that is published.
  var published: View? { settled ?? view }

  /// Projects anew; gives whether the batch that closes has something to publish.
  ///
  /// - Parameter keepsOld: whether the published value may be wanted before the batch is durable.
  mutating func refresh(
    from app: View.App, to number: CommitNumber, origin: PublicNumber?, keepsOld: Bool
  ) -> Bool {
    guard pending == nil, view != nil else { return false }
    let old = keepsOld ? view : nil
    guard let delta = view?.refresh(from: app), let digest = view?.digest else { return false }
    settled = old
    pending = Pending(to: number, delta: delta, digest: digest, origin: origin)
    return true
  }

  /// What was published, and how many more bytes are kept for those that missed some.
  struct Published {
    var topic: Topic
    var from: CommitNumber
    var to: CommitNumber
    /// Nil for a view that has only just been opened.
    var delta: Delta?
    var digest: Digest
    var origin: PublicNumber?
    var keptBytes: Int
  }

  /// What waited for its batch is what is published from now on; nil when nothing did.
  mutating func publish(
    at now: Moment, beat: Moment, interval: Duration, keeping limit: Int
  ) -> Published? {
    guard let pending else { return nil }
    self.pending = nil
    settled = nil
    encoded = nil
    leastSize = 0
    nextBeat = beat
    beatInterval = interval
    var published = Published(
      topic: topic, from: number, to: pending.to, delta: pending.delta, digest: pending.digest,
      origin: pending.origin, keptBytes: 0)
    if let delta = pending.delta {
      let before = kept.bytes
      kept.append(
        KeptDeltas.Item(
          from: number, to: pending.to, before: digest, delta: delta, at: now), limit: limit)
      published.keptBytes = kept.bytes - before
    }
    isPublished = true
    number = pending.to
    digest = pending.digest
    return published
  }

  /// The batch is not going to be durable: back to the published value.
  mutating func undo() {
    guard pending != nil else { return }
    pending = nil
    if isPublished {
      view = settled ?? view
      settled = nil
    } else {
      view = nil
    }
  }
}
