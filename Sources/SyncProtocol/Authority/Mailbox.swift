/// What waits for one client: numbered, bounded, kept until the client says that it has it.
///
/// Whoever begins something that will end with an item (a call, a wait) reserves the item's place
/// first, and is `busy` where there is none: an end is never dropped.
struct Mailbox {
  private(set) var items: [Mail] = []
  /// The highest number given.
  private(set) var last: UInt64 = 0
  /// About how many bytes the items take.
  private(set) var bytes = 0
  /// Items that are still to come.
  private(set) var reserved = 0

  /// An empty one, whose first item has the number after `number`.
  init(after number: UInt64 = 0) { last = number }

  /// Whether there is a place for `count` more items, of so many bytes.
  func hasRoom(for count: Int, bytes more: Int = 0, limits: Limits) -> Bool {
    items.count + reserved + count <= limits.mailItems && bytes + more <= limits.mailBytes
  }

  mutating func reserve() { reserved += 1 }
  mutating func release() { reserved = max(0, reserved - 1) }

  mutating func add(_ content: Mail.Content) {
    last += 1
    let item = Mail(number: last, content: content)
    bytes += item.weight
    items.append(item)
  }

  /// The client has everything up to `number`.
  mutating func acknowledge(through number: UInt64) {
    guard let first = items.first, first.number <= number else { return }
    items.removeAll { $0.number <= number }
    bytes = items.reduce(0) { $0 + $1.weight }
  }

  /// The items that fit into an answer: as many as do, but always one.
  func head(within limit: Int) -> [Mail] {
    if bytes <= limit { return items }
    var left = limit
    return Array(
      items.prefix { item in
        left -= item.weight
        return left >= 0 || item.number == items[0].number
      })
  }

  /// Nothing waits any more. Numbers go on: the client may come back.
  mutating func clear() {
    items = []
    bytes = 0
    reserved = 0
  }
}
