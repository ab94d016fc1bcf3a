package import StateModel
package import SyncProtocol

/// Reads a daemon's log piece by piece: an answer holds as much as an answer may, and those that were
/// refused stand at the commit before them.
package struct LogReader: Sendable {
  /// Up to where it was read: a commit, and how many entries at it.
  private var commit: CommitNumber
  private var count = 0

  /// Entries of one answer.
  private static var most: UInt64 { 1_024 }

  /// Reads from a commit on.
  package init(from commit: CommitNumber = .zero) { self.commit = commit }

  /// What stands behind what was read before, less than everything where that is much; empty when
  /// there is nothing more.
  package mutating func next(
    on connection: DaemonConnection
  ) async throws(ConnectionFailure) -> [Value] {
    let reply = try await connection.ask(.log(from: commit, limit: Self.most))
    guard case .value(let value) = reply.body else { return [] }
    let items = value.elements.map(Array.init) ?? []
    let fresh = items.dropFirst(count)
    guard let last = fresh.last.flatMap(Self.commit) else { return [] }
    commit = last
    count = items.count { Self.commit($0) == last }
    return Array(fresh)
  }

  /// The commit of an entry.
  package static func commit(_ item: Value) -> CommitNumber? {
    if case .unsigned(let number)? = item["commit"] { CommitNumber(rawValue: number) } else { nil }
  }
}
