/// The outcomes of one session's newest actions, by number and without gaps.
///
/// An array with a dead front: dropping what was acknowledged moves nothing until half of it is
/// dead, so appending and dropping cost a constant on average.
struct OutcomeWindow {
  private var kept: [SessionTable.Kept]
  private var dead = 0
  /// The highest number that was consumed.
  private(set) var last: ActionNumber

  init(last: ActionNumber = 0, kept: [SessionTable.Kept] = []) {
    self.last = last
    self.kept = kept
  }

  /// How many outcomes are kept.
  var count: Int { kept.count - dead }

  /// The kept outcomes, in the order of their numbers.
  var all: ArraySlice<SessionTable.Kept> { kept[dead...] }

  /// The outcome of `number`; nil when it is not kept (any more).
  subscript(number: ActionNumber) -> SessionTable.Kept? {
    guard number <= last, last - number < UInt64(count) else { return nil }
    return kept[kept.count - 1 - Int(last - number)]
  }

  /// Records the outcome of the next number.
  mutating func append(_ outcome: SessionTable.Kept) {
    last = outcome.outcome.number
    kept.append(outcome)
  }

  /// Forgets the outcomes up to `number`.
  mutating func drop(through number: ActionNumber) {
    let first = last &+ 1 &- UInt64(count)
    guard count > 0, number >= first else { return }
    dead += Int(min(number, last) - first) + 1
    if dead == kept.count {
      kept.removeAll(keepingCapacity: kept.capacity <= 512)
      dead = 0
    } else if dead >= 64, dead * 2 >= kept.count {
      kept.removeFirst(dead)
      dead = 0
    }
  }

  /// Forgets all but the newest `limit` outcomes.
  mutating func cut(to limit: Int) {
    if count > limit { drop(through: last - UInt64(limit)) }
  }

  /// Returns to when `number` was the last one.
  mutating func rollBack(to number: ActionNumber) {
    guard number < last else { return }
    kept.removeLast(min(count, Int(clamping: last - number)))
    last = number
  }
}
