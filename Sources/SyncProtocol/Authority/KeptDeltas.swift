internal import StateModel

/// The deltas of one view's newest publications, so that a mirror that missed some can catch up.
///
/// Contiguous: each begins where the one before it ended. An array with a dead front, as
/// `OutcomeWindow`.
struct KeptDeltas {
  struct Item {
    var from: CommitNumber
    var to: CommitNumber
    /// Of the value at `from`.
    var before: Digest
    var delta: Delta
    /// When it was published.
    var at: Moment
  }

  private var items: [Item] = []
  private var dead = 0
  /// What they take, with a flat share for each.
  private(set) var bytes = 0

  static let share = 96

  var all: ArraySlice<Item> { items[dead...] }

  mutating func append(_ item: Item, limit: Int) {
    items.append(item)
    bytes += item.delta.bytes.count + Self.share
    while bytes > limit, dead < items.count { dropFirst() }
    compact()
  }

  /// Drops the oldest ones until `bytes` is at most `limit`.
  mutating func cut(to limit: Int) {
    while bytes > limit, dead < items.count { dropFirst() }
    compact()
  }

  private mutating func dropFirst() {
    bytes -= items[dead].delta.bytes.count + Self.share
    items[dead].delta = .empty
    dead += 1
  }

  private mutating func compact() {
    guard dead >= 64, dead * 2 >= items.count else { return }
    items.removeFirst(dead)
    dead = 0
  }

  /// The deltas from `number` on; nil when the chain does not begin there any more.
  func from(_ number: CommitNumber) -> ArraySlice<Item>? {
    var low = dead
    var high = items.count
    while low < high {
      let middle = (low + high) / 2
      if items[middle].from < number { low = middle + 1 } else { high = middle }
    }
    return low < items.count && items[low].from == number ? items[low...] : nil
  }

  /// The number as it was published at `moment`, as far back as the deltas reach.
  func number(at moment: Moment, now number: CommitNumber) -> CommitNumber {
    var number = number
    for item in all.reversed() {
      if item.at <= moment { break }
      number = item.from
    }
    return number
  }
}
