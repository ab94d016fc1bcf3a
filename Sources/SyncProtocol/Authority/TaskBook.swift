/// What actions of clients have started and is not known to have ended, by commit: who may cancel it,
/// and who waits for its end.
struct TaskBook {
  struct Entry {
    /// Whose action it was.
    var origin: PublicNumber
    var waiting: [PublicNumber] = []
  }

  private(set) var tasks: [CommitNumber: Entry] = [:]

  mutating func begin(_ commit: CommitNumber, origin: PublicNumber) {
    if tasks[commit] == nil { tasks[commit] = Entry(origin: origin) }
  }

  /// Adds a waiter: true if it is a new one, nil when nothing of the commit is under way.
  mutating func wait(for commit: CommitNumber, _ client: PublicNumber) -> Bool? {
    guard let entry = tasks[commit] else { return nil }
    if entry.waiting.contains(client) { return false }
    tasks[commit]?.waiting.append(client)
    return true
  }

  /// Everything of the commit has ended; who waited for it.
  mutating func end(_ commit: CommitNumber) -> [PublicNumber] {
    tasks.removeValue(forKey: commit)?.waiting ?? []
  }

  /// A client waits no more.
  mutating func forget(_ client: PublicNumber) {
    for (commit, entry) in tasks where entry.waiting.contains(client) {
      tasks[commit]?.waiting.removeAll { $0 == client }
    }
  }
}
