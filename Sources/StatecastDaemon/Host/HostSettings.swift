package import Journal
package import SyncProtocol
package import ZeroMQ

/// What a hosted app needs to know of its surroundings, resolved from flags, environment and the
/// configuration file.
package struct HostSettings: Sendable {
  /// Where the order of commits is kept.
  package enum Storage: Equatable, Sendable {
    /// Nowhere: a restart is a new history.
    case memory
    /// In SQLite, in this folder.
    case journal(folder: String, options: JournalOptions)
  }

  package var endpoints: DaemonEndpoints
  package var storage: Storage
  package var limits = Limits()
  package var timing = Timing()
  /// Users whose processes may send actions, beside the daemon's own.
  package var allowedUIDs: [UInt32] = []
  /// Messages kept for a subscriber before the newest are dropped. libzmq's default of 1,000 loses
  /// updates of subscribers that keep up; 50,000 is 50 ms at a million updates a second.
  package var publicationHighWater: Int32 = 100_000
  /// Connections that each of the two sockets may have.
  package var connectionsPerSocket = 4096

  package init(endpoints: DaemonEndpoints, storage: Storage) {
    self.endpoints = endpoints
    self.storage = storage
  }
}
