package import Journal
package import SyncProtocol

/// Everything that can be set about a daemon, with its defaults. `OptionTable` says how each member
/// is called and written; `ConfigurationLoader` reads it from flags, environment and file.
package struct Configuration: Equatable, Sendable {
  /// Where the order of commits is kept.
  package enum Mode: String, CaseIterable, Sendable {
    /// In a journal on disk: everything is there again after a restart.
    case journal
    /// In memory alone: a restart is a new history.
    case memory
  }

  /// The folder of the sockets and the instance's lock; empty is the user's own (`Places`).
  package var folder = ""
  /// The endpoint of requests; empty is a socket in `folder`.
  package var requests = ""
  /// The endpoint of publications; empty is a socket in `folder`.
  package var publications = ""
  package var mode = Mode.journal
  /// The folder of the journal; empty is the user's own.
  package var stateDirectory = ""
  /// Users whose processes may send actions, beside the daemon's own.
  package var allowedUIDs: [UInt32] = []
  /// Messages kept for a subscriber before the newest are dropped. libzmq's default of 1,000 loses
  /// updates of subscribers that keep up; 50,000 is 50 ms at a million updates a second.
  package var publicationHighWater = 100_000
  package var logLevel = Log.Level.info
  /// The file that lines are added to; empty is standard error.
  package var logFile = ""
  /// The descriptor that the ready line is written to, where no service manager listens.
  package var readyDescriptor = 1
  package var limits = Limits()
  package var timing = Timing()
  package var journal = JournalOptions()

  package init() {}
}
