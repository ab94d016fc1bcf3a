/// The published number of every view, by slot: what every reply to an action looks up.
///
/// Apart from the views themselves because it is not generic: the hot path neither copies a view nor
/// asks the runtime for its layout.
struct PublishedNumbers {
  private struct Entry {
    var generation: UInt32
    var topic: Topic
    var number: CommitNumber
    /// The batch that published it last; 0 before it is published at all.
    var batch: UInt64
  }

  private var entries: [Entry?] = []

  /// A view has a new number.
  mutating func set(_ ref: ViewRef, topic: Topic, number: CommitNumber, batch: UInt64) {
    while entries.count <= ref.slot { entries.append(nil) }
    entries[ref.slot] = Entry(
      generation: ref.generation, topic: topic, number: number, batch: batch)
  }

  /// A view has ended.
  mutating func remove(_ slot: Int) {
    if slot < entries.count { entries[slot] = nil }
  }

  /// The numbers of all views.
  var all: [Topic: CommitNumber] {
    var numbers: [Topic: CommitNumber] = [:]
    for case let entry? in entries { numbers[entry.topic] = entry.number }
    return numbers
  }

  /// The numbers of those of a session's views that a batch published; without a batch, of all.
  func numbers(_ refs: [ViewRef], batch: UInt64?) -> [Topic: CommitNumber] {
    var numbers: [Topic: CommitNumber] = [:]
    for ref in refs where ref.slot < entries.count {
      guard let entry = entries[ref.slot], entry.generation == ref.generation else { continue }
      if batch == nil || entry.batch == batch { numbers[entry.topic] = entry.number }
    }
    return numbers
  }
}
