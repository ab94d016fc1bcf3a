/// Which questions are answered by themselves, and when: each at most once.
struct QuestionDeadlines {
  private var due: [DueAnswer]
  /// The questions that were answered here, newest last.
  private var taken: [[UInt8]] = []

  /// How many are remembered; more are hardly up at the same time.
  private static var remembered: Int { 256 }

  init(_ due: [DueAnswer]) { self.due = due }

  /// The date of the earliest, in seconds since 2001-01-01.
  var next: Double? { due.first?.date }

  /// Whether one's time has come.
  func isDue(at date: Double) -> Bool { due.first.map { $0.date <= date } ?? false }

  /// The state is another one.
  mutating func update(_ due: [DueAnswer]) {
    if due.isEmpty, self.due.isEmpty { return }
    self.due = due.filter { !taken.contains($0.alert) }
  }

  /// Those whose time has come; they are not given again.
  mutating func take(at date: Double) -> [DueAnswer] {
    let ready = due.prefix { $0.date <= date }
    due.removeFirst(ready.count)
    taken += ready.map(\.alert)
    taken.removeFirst(max(0, taken.count - Self.remembered))
    return Array(ready)
  }
}
