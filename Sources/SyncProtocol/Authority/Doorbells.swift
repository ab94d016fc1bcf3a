/// Which doorbells were answered when: each at most once a second.
///
/// A subscription within that second is answered at its end, not dropped: an unasked welcome tells a
/// client that its link was made anew.
struct Doorbells {
  private struct Bell {
    var lastWelcome: Moment
    var isWaiting = false
  }

  private var bells: [Nonce: Bell] = [:]
  /// No welcome is due before this.
  private(set) var nextWelcome = Moment.never

  /// A doorbell was subscribed: whether to answer at once.
  mutating func subscribe(_ nonce: Nonce, at now: Moment, gap: Duration, limit: Int) -> Bool {
    if let bell = bells[nonce], now < bell.lastWelcome + gap {
      bells[nonce]?.isWaiting = true
      nextWelcome = min(nextWelcome, bell.lastWelcome + gap)
      return false
    }
    if bells.count >= limit { forget(before: now, gap: gap) }
    guard bells.count < limit else { return false }
    bells[nonce] = Bell(lastWelcome: now)
    return true
  }

  mutating func unsubscribe(_ nonce: Nonce) { bells[nonce] = nil }

  /// The doorbells whose welcome is due now.
  mutating func takeWaiting(at now: Moment, gap: Duration) -> [Nonce] {
    guard now >= nextWelcome else { return [] }
    var due: [Nonce] = []
    nextWelcome = .never
    for (nonce, bell) in bells where bell.isWaiting {
      if bell.lastWelcome + gap <= now {
        due.append(nonce)
        bells[nonce] = Bell(lastWelcome: now)
      } else {
        nextWelcome = min(nextWelcome, bell.lastWelcome + gap)
      }
    }
    // In a fixed order, so that the same events give the same outputs.
    return due.sorted { ($0.bytes.high, $0.bytes.low) < ($1.bytes.high, $1.bytes.low) }
  }

  private mutating func forget(before now: Moment, gap: Duration) {
    bells = bells.filter { $0.value.isWaiting || now < $0.value.lastWelcome + gap }
  }
}
