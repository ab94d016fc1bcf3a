internal import StateModel

/// Large snapshots that clients are pulling in chunks.
///
/// A pin holds the view's value, a pointer, and its encoding, made once however many pull it: a
/// storm of joiners costs one encoding. It also lets a puller go on from there by one delta when
/// the deltas since have been dropped.
struct PinBook<View: AuthorityView> {
  struct Pin {
    var answer: UInt64
    var view: ViewRef
    var value: View
    var number: CommitNumber
    var digest: Digest
    var bytes: [UInt8]
    var made: Moment
    var lastPull: Moment
  }

  private(set) var pins: [Pin] = []
  /// Of all encodings that are held.
  private(set) var bytes = 0
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

  /// Whether another one may be pinned. One has room whatever its size.
  func hasRoom(for count: Int, limit: Int, byteLimit: Int) -> Bool {
    pins.count < limit && (pins.isEmpty || bytes + count <= byteLimit)
  }

  /// Pins a value. There is room for it.
  mutating func pin(
    _ view: ViewRef, value: View, number: CommitNumber, digest: Digest, bytes: [UInt8],
    at now: Moment
  ) -> Pin {
    self.bytes += bytes.count
    lastAnswer += 1
    let pin = Pin(
      answer: lastAnswer, view: view, value: value, number: number, digest: digest, bytes: bytes,
      made: now, lastPull: now)
    pins.append(pin)
    return pin
  }

  /// A piece of an answer; nil when it is gone or the offset lies behind its end.
  mutating func chunk(_ answer: UInt64, offset: UInt64, size: Int, at now: Moment) -> Chunk? {
    guard let found = pins.firstIndex(where: { $0.answer == answer }) else { return nil }
    pins[found].lastPull = now
    let bytes = pins[found].bytes
    guard offset <= UInt64(bytes.count) else { return nil }
    let start = Int(offset)
    return Chunk(
      answer: answer, offset: offset, size: UInt64(bytes.count),
      bytes: Array(bytes[start..<min(bytes.count, start + size)]))
  }

  /// Releases what nobody has pulled for `kept`.
  mutating func expire(at now: Moment, kept: Duration) {
    pins.removeAll { $0.lastPull + kept <= now }
    bytes = pins.reduce(0) { $0 + $1.bytes.count }
  }

  mutating func shift(by pause: Duration) {
    for index in pins.indices {
      pins[index].lastPull = pins[index].lastPull + pause
      pins[index].made = pins[index].made + pause
    }
  }
}
