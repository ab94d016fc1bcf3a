internal import StateModel

/// All views that somebody asked for: which are live, what they hold, what is published.
struct ViewBook<App: AuthorityApp> {
  typealias View = App.View

  private(set) var slots: [LiveView<View>?] = []
  private var vacant: [Int] = []
  private var index: [Topic: Int] = [:]
  /// The slots of the live views.
  private(set) var live: [Int] = []
  private var generation: UInt32 = 0
  /// Topics of views that XPUB has reported and not withdrawn.
  private var subscribed: Set<Topic> = []
  /// More topics were subscribed than are remembered: every view counts as subscribed.
  private var isOverrun = false
  /// Bytes of all kept deltas.
  private(set) var keptBytes = 0
  private(set) var numbers = PublishedNumbers()
  /// No view's beat is due before this.
  private(set) var nextBeat = Moment.never

  /// How many views there are.
  var count: Int { index.count }

  func find(_ topic: Topic) -> Int? { index[topic] }

  subscript(slot: Int) -> LiveView<View>? {
    // Read where it stands: a view is large.
    _read { yield slots[slot] }
  }

  func ref(_ slot: Int) -> ViewRef {
    ViewRef(slot: slot, generation: slots[slot]?.generation ?? 0)
  }

  func slot(_ ref: ViewRef) -> Int? {
    slots[ref.slot]?.generation == ref.generation ? ref.slot : nil
  }

  /// Whether there are views that nobody subscribes to.
  var someAreIdle: Bool { live.count < index.count }

  /// Whether nobody subscribes to it.
  func isIdle(_ slot: Int) -> Bool { slots[slot]?.isLive == false }

  /// The slots of all views.
  var named: [Int] { slots.indices.filter { slots[$0] != nil } }

  /// Every view, for listings.
  var all: [LiveView<View>] { slots.compactMap { $0 } }

  // MARK: Naming

  /// A hello, join or pull names a view: it is made if it is new. Nil when there is no room.
  mutating func name(
    _ topic: Topic, name: String, parameters: [UInt8], at now: Moment, limit: Int
  ) -> Int? {
    if let slot = index[topic] {
      slots[slot]?.idleSince = now
      return slot
    }
    if count >= limit, !dropIdlest() { return nil }
    generation &+= 1
    var view = LiveView<View>(
      topic: topic, name: name, parameters: parameters, generation: generation)
    view.idleSince = now
    let slot = vacant.popLast() ?? slots.count
    if slot == slots.count { slots.append(view) } else { slots[slot] = view }
    index[topic] = slot
    if isOverrun || subscribed.contains(topic) { setLive(slot, at: now) }
    return slot
  }

  /// Notes that a view is wanted by a request that waits.
  mutating func touch(_ slot: Int, at now: Moment) { slots[slot]?.idleSince = now }

  private mutating func setLive(_ slot: Int, at now: Moment) {
    guard slots[slot]?.isLive == false else { return }
    slots[slot]?.isLive = true
    slots[slot]?.nextBeat = now
    nextBeat = min(nextBeat, now)
    live.append(slot)
  }

  private mutating func setIdle(_ slot: Int, at now: Moment) {
    guard slots[slot]?.isLive == true else { return }
    slots[slot]?.isLive = false
    slots[slot]?.idleSince = now
    live.removeAll { $0 == slot }
  }

  /// XPUB reported a subscription. Gives the view that was idle until now: it may be behind.
  mutating func subscribe(_ topic: Topic, at now: Moment, limit: Int) -> Int? {
    if subscribed.count >= limit, !subscribed.contains(topic) {
      // Never silently stale: a view of which nothing is known is published, not left out.
      isOverrun = true
      for slot in slots.indices where slots[slot] != nil { setLive(slot, at: now) }
    } else {
      subscribed.insert(topic)
    }
    guard let slot = index[topic], slots[slot]?.isLive == false else { return nil }
    setLive(slot, at: now)
    return slot
  }

  /// XPUB reported that the last subscriber left.
  mutating func unsubscribe(_ topic: Topic, at now: Moment) {
    subscribed.remove(topic)
    if let slot = index[topic] { setIdle(slot, at: now) }
  }

  /// Forgets the views that nobody has wanted for `kept`.
  mutating func expire(at now: Moment, kept: Duration) {
    for slot in slots.indices {
      guard let view = slots[slot], !view.isLive, view.pending == nil else { continue }
      if view.idleSince + kept <= now { drop(slot) }
    }
  }

  /// A pause of the daemon moves all deadlines.
  mutating func shift(by pause: Duration) {
    for slot in slots.indices {
      guard let view = slots[slot], !view.isLive else { continue }
      slots[slot]?.idleSince = view.idleSince + pause
    }
  }

  private mutating func dropIdlest() -> Bool {
    var idlest: Int?
    for slot in slots.indices {
      guard let view = slots[slot], !view.isLive, view.pending == nil, view.isPublished else {
        continue
      }
      if let found = idlest, let other = slots[found], other.idleSince <= view.idleSince {
        continue
      }
      idlest = slot
    }
    guard let idlest else { return false }
    drop(idlest)
    return true
  }

  /// Forgets a view: it could not be opened, or nobody wants it.
  mutating func drop(_ slot: Int) {
    guard let view = slots[slot] else { return }
    keptBytes -= view.kept.bytes
    index[view.topic] = nil
    numbers.remove(slot)
    live.removeAll { $0 == slot }
    slots[slot] = nil
    vacant.append(slot)
  }

  // MARK: Closing a batch

  /// Projects what a closing batch may have changed and what it is asked for; gives the slots that
  /// have something to publish.
  mutating func close(
    app: App, at number: CommitNumber, changed: Bool, origin: PublicNumber?,
    wanted: [Int], keepsOld: Bool
  ) -> [Int] {
    var publishing: [Int] = []
    if changed {
      for slot in live
      where slots[slot]?.refresh(from: app, to: number, origin: origin, keepsOld: keepsOld) == true
      {
        publishing.append(slot)
      }
    }
    for slot in wanted {
      guard let view = slots[slot] else { continue }
      if view.view == nil {
        open(slot, app: app, at: number)
        if slots[slot]?.pending != nil { publishing.append(slot) }
      } else if slots[slot]?.refresh(from: app, to: number, origin: nil, keepsOld: keepsOld) == true
      {
        publishing.append(slot)
      }
    }
    return publishing
  }

  private mutating func open(_ slot: Int, app: App, at number: CommitNumber) {
    guard let asked = slots[slot], asked.refusal == nil else { return }
    do throws(ViewRefusal) {
      let view = try app.openView(name: asked.name, parameters: asked.parameters)
      slots[slot]?.pending = .init(to: number, delta: nil, digest: view.digest, origin: nil)
      slots[slot]?.view = view
    } catch {
      slots[slot]?.refusal = error
    }
  }

  /// The batch is not going to be durable.
  mutating func undo(_ publishing: [Int]) {
    for slot in publishing { slots[slot]?.undo() }
  }

  // MARK: Publishing

  /// The batch is durable: what was projected for it becomes what is published. Gives what to
  /// publish; nil for a view that has only just been opened.
  mutating func publish(_ slot: Int, batch: UInt64, at now: Moment, limits: Limits, timing: Timing)
    -> LiveView<View>.Published?
  {
    let ref = ref(slot)
    let beat = now + timing.viewBeatFirst
    guard
      let published = slots[slot]?.publish(
        at: now, beat: beat, interval: timing.viewBeatFirst, keeping: limits.keptPerView)
    else { return nil }
    nextBeat = min(nextBeat, beat)
    numbers.set(ref, topic: published.topic, number: published.to, batch: batch)
    keptBytes += published.keptBytes
    if keptBytes > limits.kept { cutKept(to: limits.kept) }
    return published
  }

  /// Too much is kept in all: every view gives up half of its older deltas, until it fits.
  private mutating func cutKept(to limit: Int) {
    while keptBytes > limit {
      keptBytes = 0
      for slot in slots.indices where slots[slot] != nil {
        let half = (slots[slot]?.kept.bytes ?? 0) / 2
        slots[slot]?.kept.cut(to: half)
        keptBytes += slots[slot]?.kept.bytes ?? 0
      }
    }
  }

  /// The published value's encoding, made once, where it is not longer than `limit`; nil where it
  /// is: that one is pinned, and pins have a bound.
  mutating func encoded(_ slot: Int, atMost limit: Int) -> [UInt8]? {
    if let bytes = slots[slot]?.encoded { return bytes }
    guard leastSize(slot) <= limit, let value = slots[slot]?.published else { return nil }
    let bytes = value.encoded(atMost: limit)
    slots[slot]?.encoded = bytes
    slots[slot]?.leastSize = bytes?.count ?? limit + 1
    return bytes
  }

  /// How long the published value's encoding is known to be at least.
  func leastSize(_ slot: Int) -> Int { slots[slot]?.leastSize ?? 0 }

  /// Notes how long the encoding of a view's value is, if that is still the published one.
  mutating func noteSize(of ref: ViewRef, at number: CommitNumber, atLeast size: Int) {
    guard let slot = slot(ref), slots[slot]?.number == number else { return }
    slots[slot]?.leastSize = size
  }

  /// The live views whose beat is due; each is put off to its next one.
  mutating func takeBeats(at now: Moment, longest: Duration) -> [Int] {
    guard now >= nextBeat else { return [] }
    var due: [Int] = []
    nextBeat = .never
    for slot in live {
      guard let view = slots[slot], view.isPublished else { continue }
      var next = view.nextBeat
      if next <= now {
        due.append(slot)
        let interval = min(view.beatInterval * 2, longest)
        next = now + interval
        slots[slot]?.beatInterval = interval
        slots[slot]?.nextBeat = next
      }
      nextBeat = min(nextBeat, next)
    }
    return due
  }
}

extension Moment {
  /// Later than every deadline.
  static let never = Moment(nanoseconds: .max)
}
