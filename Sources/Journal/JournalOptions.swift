/// Every bound and time of a journal on disk.
package struct JournalOptions: Equatable, Sendable {
  /// An operator's word that acknowledged commits may be lost: a damaged journal is continued from
  /// the last commit that can be proved.
  package var acceptLoss = false

  /// Bytes to which the write-ahead log is extended beforehand: a commit that does not lengthen the
  /// file costs half.
  package var logBytes = 32 << 20
  /// Frames not yet in the main file at which the checkpoint thread starts to copy.
  package var checkpointFrames = 2000
  /// Frames left by it that the journal's own thread copies, so that the log starts anew.
  package var secondPhaseFrames = 600
  /// Frames at which the journal's own thread copies whatever there is.
  package var longestLogFrames = 8000

  /// Bytes that must be free on the disk; with fewer, appending is refused. More than a whole log,
  /// which has yet to be copied.
  package var reserveBytes = 64 << 20

  /// Rows kept for `log`, also when a snapshot covers them.
  package var keptRows = 65_536
  /// Bytes of rows kept for `log`.
  package var keptBytes = 256 << 20
  /// Epochs kept; positions of older ones get a snapshot.
  package var keptEpochs = 4096
  /// Bytes of a snapshot written in one transaction, between which rows are appended.
  package var snapshotPieceBytes = 256 << 10
  /// Rows pruned in one transaction.
  package var prunedAtOnce = 64

  /// Copies kept of journals that could not be written. Copies of damaged ones are never removed.
  package var keptFailureCopies = 4

  /// How long the mark may stay unsynced: what a power failure can hide.
  package var markSync: Duration = .seconds(1)
  /// How long another user of the file may hold its lock.
  package var busy: Duration = .seconds(5)

  /// The name of a file layer registered with SQLite; nil for the system's. Tests put faults there.
  package var fileLayer: String?

  package init() {}
}
