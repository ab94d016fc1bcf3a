/// What waits for one client: numbered, bounded, kept until the client says that it has it.
struct Mailbox {
  private(set) var items: [Mail] = []
  /// The highest number given.
  private(set) var last: UInt64 = 0

  /// Adds an item; the oldest goes when the box is full, for what is added last matters most (an
  /// eviction, the daemon going away).
  mutating func add(_ content: Mail.Content, limit: Int) {
    last += 1
    items.append(Mail(number: last, content: content))
    if items.count > limit { items.removeFirst(items.count - limit) }
  }

  /// The client has everything up to `number`.
  mutating func acknowledge(through number: UInt64) {
    items.removeAll { $0.number <= number }
  }
}
