internal import StateModel

/// Large snapshots that clients are pulling in chunks.
///
/// A pin holds the view's value, a pointer, and its encoding, made once however many pull it: a
/// storm of joiners costs one encoding. It also lets a puller go on from there by one delta when
/// the deltas since have been dropped.
///
/// Encoding a large value takes longer than a batch may wait, so the shell does it on another
/// thread, one value at a time: what is asked for until then waits here.
struct PinBook<View: AuthorityView> {
  struct Pin {
    var answer: UInt64
    var view: ViewRef
    var value: View
    var number: CommitNumber
    var digest: Digest
    /// Nil until it is encoded.
    var bytes: EncodedPieces?
    /// Who waits for a chunk of it.
    var waiting: [WaitingChunk] = []
    /// What leads on from it is being found out.
    var comparison: Comparison?
    var made: Moment
    var lastPull: Moment

    /// A piece of it; nil where it is not encoded, or the offset lies behind its end.
    func chunk(at offset: UInt64, atMost count: Int) -> Chunk? {
      guard let bytes, let start = Int(exactly: offset),
        let piece = bytes.bytes(at: start, atMost: count)
      else { return nil }
      return Chunk(answer: answer, offset: offset, size: UInt64(bytes.count), bytes: piece)
    }
  }

  /// A request for a chunk of a value that is not encoded yet.
  struct WaitingChunk {
    var request: UInt64
    var session: SessionID
    var route: Route
    var offset: UInt64
  }

  /// The delta from a pinned value to one that was published later, for those who have pulled the
  /// first and missed too much since. Comparing two large values takes long, too.
  struct Comparison {
    /// Where the delta leads.
    var number: CommitNumber
    var digest: Digest
    var waiting: [WaitingReplay]
  }

  /// A request for what follows a pinned value.
  struct WaitingReplay {
    var request: UInt64
    var session: SessionID
    var route: Route
  }

  private(set) var pins: [Pin] = []
  /// Of all encodings that are held.
  private(set) var bytes = 0
  /// The answer whose value is being encoded.
  private(set) var encoding: UInt64?
  /// How many requests wait.
  private(set) var waitingCount = 0
  private var lastAnswer: UInt64 = 0

  /// The pin of a view that a joiner may share: a young one, so that its deltas stay few, and one
  /// that brings the joiner further than where it stands.
  func shared(
    _ view: ViewRef, beyond number: CommitNumber?, at now: Moment, young: Duration
  ) -> Pin? {
    pins.last { pin in
      pin.view == view && now < pin.made + young && number.map { pin.number > $0 } ?? true
    }
  }

  /// The pin of a view's value at `number`.
  func find(_ view: ViewRef, at number: CommitNumber) -> Pin? {
    pins.first { $0.view == view && $0.number == number }
  }

  /// Whether another one may be pinned that takes `least` bytes or more. One has room whatever its
  /// size.
  func hasRoom(for least: Int, limit: Int, byteLimit: Int) -> Bool {
    pins.count < limit && least <= room(byteLimit)
  }

  /// How long the next encoding may be.
  func room(_ byteLimit: Int) -> Int { bytes == 0 ? .max : max(0, byteLimit - bytes) }

  /// Pins a value, which may be encoded already. There is room for it.
  mutating func pin(
    _ view: ViewRef, value: View, number: CommitNumber, digest: Digest, bytes: EncodedPieces?,
    at now: Moment
  ) -> Pin {
    self.bytes += bytes?.count ?? 0
    lastAnswer += 1
    let pin = Pin(
      answer: lastAnswer, view: view, value: value, number: number, digest: digest, bytes: bytes,
      made: now, lastPull: now)
    pins.append(pin)
    return pin
  }

  // MARK: Encoding

  /// The pin to encode now: the first one that is not, while no other one is being encoded.
  mutating func beginEncoding() -> Pin? {
    guard encoding == nil, let next = pins.first(where: { $0.bytes == nil }) else { return nil }
    encoding = next.answer
    return next
  }

  /// What was being encoded is encoded. Gives its pin; nil for an answer that was not.
  mutating func encoded(_ answer: UInt64, _ bytes: EncodedPieces, at now: Moment) -> Pin? {
    guard let place = endEncoding(answer) else { return nil }
    pins[place].bytes = bytes
    pins[place].lastPull = now
    self.bytes += bytes.count
    return pins[place]
  }

  /// What was being encoded cannot be had: its pin goes, and is given with those that wait for it.
  mutating func dropUnencoded(_ answer: UInt64) -> Pin? {
    guard let place = endEncoding(answer) else { return nil }
    waitingCount -= pins[place].waiting.count
    return pins.remove(at: place)
  }

  private mutating func endEncoding(_ answer: UInt64) -> Int? {
    guard encoding == answer else { return nil }
    encoding = nil
    return pins.firstIndex { $0.answer == answer }
  }

  // MARK: Pulling

  /// What becomes of a request for a chunk.
  enum Pulled {
    case chunk(Chunk)
    case waits
    /// So many wait that this one cannot.
    case crowded
    /// There is no such answer any more, or no such byte in it.
    case gone
  }

  mutating func pull(
    _ wanted: WaitingChunk, from answer: UInt64, size: Int, mostWaiting: Int, at now: Moment
  ) -> Pulled {
    guard let place = pins.firstIndex(where: { $0.answer == answer }) else { return .gone }
    pins[place].lastPull = now
    if pins[place].bytes != nil {
      return pins[place].chunk(at: wanted.offset, atMost: size).map { .chunk($0) } ?? .gone
    }
    // Who asks again does not wait for what it asked before.
    if let asked = pins[place].waiting.firstIndex(where: {
      $0.session == wanted.session && $0.offset == wanted.offset
    }) {
      pins[place].waiting[asked] = wanted
      return .waits
    }
    guard waitingCount < mostWaiting else { return .crowded }
    pins[place].waiting.append(wanted)
    waitingCount += 1
    return .waits
  }

  /// Whether there is something to be had that is waited for.
  var isReady: Bool {
    waitingCount > 0 && pins.contains { $0.bytes != nil && !$0.waiting.isEmpty }
  }

  /// A request that waited for what is encoded now, and the chunk it gets; nil where there is no such
  /// byte.
  mutating func takeReady(size: Int, at now: Moment) -> (WaitingChunk, answer: UInt64, Chunk?)? {
    guard waitingCount > 0,
      let place = pins.firstIndex(where: { $0.bytes != nil && !$0.waiting.isEmpty })
    else { return nil }
    let wanted = pins[place].waiting.removeFirst()
    waitingCount -= 1
    pins[place].lastPull = now
    return (wanted, pins[place].answer, pins[place].chunk(at: wanted.offset, atMost: size))
  }

  /// Everybody who waits; nobody does any more.
  mutating func takeWaiting() -> [(request: UInt64, route: Route)] {
    guard waitingCount > 0 else { return [] }
    var waiting: [(request: UInt64, route: Route)] = []
    for place in pins.indices {
      waiting += pins[place].waiting.map { ($0.request, $0.route) }
      waiting += (pins[place].comparison?.waiting ?? []).map { ($0.request, $0.route) }
      pins[place].waiting = []
      pins[place].comparison?.waiting = []
    }
    waitingCount = 0
    return waiting
  }

  // MARK: Going on from a pinned value

  /// What becomes of a request for what follows a pinned value.
  enum Compared {
    /// Nobody asked before: the comparison is to be made.
    case begins
    case waits
    case crowded
  }

  /// Somebody wants to go on from a pin, to what is published at `number`; or, where another
  /// comparison is under way, to where that one leads.
  mutating func compare(
    _ wanted: WaitingReplay, from answer: UInt64, to number: CommitNumber, _ digest: Digest,
    mostWaiting: Int
  ) -> Compared {
    guard let place = pins.firstIndex(where: { $0.answer == answer }) else { return .crowded }
    if let asked = pins[place].comparison?.waiting.firstIndex(where: {
      $0.session == wanted.session
    }) {
      pins[place].comparison?.waiting[asked] = wanted
      return .waits
    }
    guard waitingCount < mostWaiting else { return .crowded }
    waitingCount += 1
    if pins[place].comparison != nil {
      pins[place].comparison?.waiting.append(wanted)
      return .waits
    }
    pins[place].comparison = Comparison(number: number, digest: digest, waiting: [wanted])
    return .begins
  }

  /// The comparison is made; nil where none was under way.
  mutating func compared(_ answer: UInt64, at now: Moment) -> (Pin, Comparison)? {
    guard let place = pins.firstIndex(where: { $0.answer == answer }),
      let comparison = pins[place].comparison
    else { return nil }
    pins[place].comparison = nil
    pins[place].lastPull = now
    waitingCount -= comparison.waiting.count
    return (pins[place], comparison)
  }

  // MARK: Time

  /// Releases what nobody has pulled for `kept`, and gives it. What is still to be encoded, or waited
  /// for, stays.
  mutating func expire(at now: Moment, kept: Duration) -> [Pin] {
    let isOver = { (pin: Pin) in
      pin.bytes != nil && pin.waiting.isEmpty && pin.comparison == nil && pin.lastPull + kept <= now
    }
    let gone = pins.filter(isOver)
    guard !gone.isEmpty else { return [] }
    pins.removeAll(where: isOver)
    bytes = pins.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
    return gone
  }

  mutating func shift(by pause: Duration) {
    for index in pins.indices {
      pins[index].lastPull = pins[index].lastPull + pause
      pins[index].made = pins[index].made + pause
    }
  }
}
