internal import Journal
internal import SyncProtocol

/// Every option of the daemon, in the order of the file and of `--help`: the one table that both,
/// and the reading of files, environment and flags, are made from.
enum OptionTable {
  static let options: [ConfigurationOption] = daemon + limits + timing + journal

  /// What each part of the file is about.
  static let sections: [(name: String, help: String)] = [
    (ConfigurationOption.generalSection, "Where the daemon is, who may use it, what it tells."),
    ("limits", "What clients may use. Told to them when they say hello."),
    ("timing", "How long things take and wait."),
    ("journal", "The journal on disk."),
  ]

  private static let daemon: [ConfigurationOption] = [
    .text(
      "daemon", "folder", \.folder, "PATH",
      "Folder of the sockets and the lock; empty: $XDG_RUNTIME_DIR/statecast, or /tmp/statecast-UID."
    ) { text throws(OptionValue.Fault) in try OptionValue.path(text) },
    .text(
      "daemon", "requests", \.requests, "ENDPOINT",
      "Where requests are taken, ipc:///path or tcp://127.0.0.1:port; empty: in the folder."
    ) { text throws(OptionValue.Fault) in try OptionValue.endpoint(text) },
    .text(
      "daemon", "publications", \.publications, "ENDPOINT",
      "Where publications leave, ipc:///path or tcp://127.0.0.1:port; empty: in the folder."
    ) { text throws(OptionValue.Fault) in try OptionValue.endpoint(text) },
    .choice(
      "daemon", "mode", \.mode,
      "journal: everything is there again after a restart. memory: a restart begins anew."),
    .text(
      "daemon", "state-directory", \.stateDirectory, "PATH",
      "Folder of the journal; empty: $XDG_STATE_HOME/statecast, or ~/.local/state/statecast."
    ) { text throws(OptionValue.Fault) in try OptionValue.path(text) },
    .users(
      "daemon", "allowed-uids", \.allowedUIDs,
      "Users who may send actions over ipc, beside the daemon's own."),
    .count(
      "daemon", "publication-high-water", \.publicationHighWater, within: 1000...100_000_000,
      "Messages kept for a subscriber that is behind before it loses the newest and resynchronises."
    ),
    .choice("daemon", "log-level", \.logLevel, "What is worth a line."),
    .text(
      "daemon", "log-file", \.logFile, "PATH",
      "File that lines are added to; empty: standard error."
    ) { text throws(OptionValue.Fault) in try OptionValue.path(text) },
    .count(
      "daemon", "ready-descriptor", \.readyDescriptor, within: 1...1_000_000,
      "Descriptor that the ready line is written to, where systemd does not listen."),
  ]

  private static let limits: [ConfigurationOption] = [
    .bytes(
      "limits", "frame", \.limits.frame, atLeast: 64 << 10,
      "A frame; a longer one ends its sender's connection."),
    .bytes(
      "limits", "request", \.limits.request, atLeast: 4 << 10,
      "A request; a longer one is answered with too-large."),
    .count("limits", "entries", \.limits.entries, within: 1...65_536, "Entries of a request."),
    .count(
      "limits", "window", \.limits.window, within: 1...65_536,
      "Unanswered actions of a session, and outcomes kept for it."),
    .bytes("limits", "topic", \.limits.topic, atLeast: 255, "A topic that may be subscribed."),
    .count("limits", "views-per-session", \.limits.viewsPerSession, "Views of a session."),
    .count("limits", "views", \.limits.views, "Views in all."),
    .bytes(
      "limits", "held-deltas", \.limits.heldDeltas,
      "Deltas that a client holds while it joins."),
    .bytes(
      "limits", "kept-per-view", \.limits.keptPerView, "Deltas kept of each view, for replays."),
    .bytes("limits", "kept", \.limits.kept, "Deltas kept in all."),
    .count("limits", "sessions", \.limits.sessions, "Sessions whose outcomes are kept."),
    .bytes(
      "limits", "in-flight", \.limits.inFlight, atLeast: 4 << 10,
      "A session's actions that are not yet durable."),
    .bytes(
      "limits", "publication", \.limits.publication,
      "A publication; a larger one is fetched by its clients."),
    .bytes("limits", "chunk", \.limits.chunk, atLeast: 4 << 10, "A chunk of what is fetched."),
    .bytes(
      "limits", "answer", \.limits.answer, atLeast: 4 << 10,
      "An answer; a larger one is fetched in chunks."),
    .count("limits", "pinned", \.limits.pinned, "Large snapshots held for fetching at one time."),
    .bytes(
      "limits", "pinned-bytes", \.limits.pinnedBytes,
      "All of them together; one is held whatever its size."),
    .count(
      "limits", "waiting-pullers", \.limits.waitingPullers,
      "Requests that wait until a large snapshot is encoded or compared."),
    .bytes(
      "limits", "published-burst", \.limits.publishedBurst,
      "Published within a heartbeat time-out before clients fetch instead."),
    .count(
      "limits", "outcome-text", \.limits.outcomeText,
      "Bytes of an outcome's text that are kept and journalled."),
    .count(
      "limits", "outcome-path", \.limits.outcomePath,
      "Bytes of an outcome's path that are kept and journalled."),
    .count(
      "limits", "name-bytes", \.limits.nameBytes,
      "Bytes of the name that a client has itself listed by."),
    .count("limits", "handles", \.limits.handles, "Handles that a session offers at a time."),
    .count("limits", "calls", \.limits.calls, "Calls of a session whose answer is remembered."),
    .count(
      "limits", "inbox", \.limits.inbox, "Actions of effects that wait until there is room."),
    .count("limits", "mail-items", \.limits.mailItems, "Mail kept for a session."),
    .bytes("limits", "mail-bytes", \.limits.mailBytes, "Mail kept for a session."),
    .count("limits", "batch-entries", \.limits.batchEntries, "Entries of a batch."),
    .bytes(
      "limits", "batch-bytes", \.limits.batchBytes, atLeast: 64 << 10, "Payloads of a batch."),
    .count(
      "limits", "subscriptions", \.limits.subscriptions,
      "Topics and doorbells whose subscriptions are remembered."),
    .count("limits", "log-entries", \.limits.logEntries, "Entries kept in memory for the log."),
    .count(
      "limits", "snapshot-rows", \.limits.snapshotRows, "Rows after which a snapshot is saved."),
    .bytes(
      "limits", "snapshot-bytes", \.limits.snapshotBytes,
      "Entries of rows after which a snapshot is saved."),
  ]

  private static let timing: [ConfigurationOption] = [
    .duration("timing", "busy-beat", \.timing.busyBeat, "Between beats while there is work."),
    .duration("timing", "idle-beat", \.timing.idleBeat, "Between beats while there is none."),
    .duration(
      "timing", "view-beat-first", \.timing.viewBeatFirst,
      "The first beat of a view after its last delta; then twice as long each time."),
    .duration(
      "timing", "view-beat-longest", \.timing.viewBeatLongest, "The longest between a view's beats."
    ),
    .duration("timing", "link-lost", \.timing.linkLost, "Silence after which a link is lost."),
    .duration("timing", "alive", \.timing.alive, "Between signs of life of a client."),
    .duration(
      "timing", "retry", \.timing.retry,
      "How long a reply may take before the request is sent again; then twice as long each time."),
    .duration(
      "timing", "longest-retry", \.timing.longestRetry, "The longest between attempts of a client."),
    .duration(
      "timing", "refusal-retry", \.timing.refusalRetry,
      "How long a client waits after busy before it sends again."),
    .duration(
      "timing", "welcome", \.timing.welcome,
      "How long a welcome may take before a client asks again."),
    .count(
      "timing", "missed-alive", \.timing.missedAlive, within: 1...1000,
      "Signs of life missed before a session is away."),
    .count(
      "timing", "missed-gone", \.timing.missedGone, within: 1...1000,
      "Signs of life missed before a session that is listed as present is gone."),
    .duration(
      "timing", "cut-gone", \.timing.cutGone,
      "Silence after which a session whose link was cut is gone."),
    .duration(
      "timing", "call", \.timing.call, "How long a call may take where its caller does not say."),
    .duration("timing", "longest-call", \.timing.longestCall, "The longest that a call may take."),
    .duration(
      "timing", "abandoned", \.timing.abandoned,
      "Silence of a daemon after which a client waits no longer for the end of a task in it."),
    .duration(
      "timing", "view-kept", \.timing.viewKept,
      "How long a view without subscribers keeps its last value."),
    .duration(
      "timing", "pinned-kept", \.timing.pinnedKept,
      "How long a large snapshot is held after the last fetch."),
    .duration(
      "timing", "heartbeat", \.timing.heartbeat,
      "Silence of a connection after which it is given up."),
    .duration(
      "timing", "welcome-gap", \.timing.welcomeGap, "The least between welcomes to one doorbell."),
    .duration(
      "timing", "refused-retry", \.timing.refusedRetry,
      "How long the daemon's own actions wait after the journal refused them."),
    .duration(
      "timing", "farewell", \.timing.farewell,
      "How long a daemon that is stopping waits for its clients to have read so."),
  ]

  private static let journal: [ConfigurationOption] = [
    .flag(
      "journal", "accept-loss", \.journal.acceptLoss, scope: .oneStart,
      "Start although acknowledged commits are lost, from the last one that can be proved."),
    .bytes(
      "journal", "log-bytes", \.journal.logBytes, atLeast: 1 << 20,
      "The write-ahead log is made this long beforehand; shorter ones cost latency."),
    .count(
      "journal", "checkpoint-frames", \.journal.checkpointFrames,
      "Pages in the log at which they begin to be copied to the main file."),
    .count(
      "journal", "second-phase-frames", \.journal.secondPhaseFrames,
      "Pages left by that which are copied at once, so that the log starts anew."),
    .count(
      "journal", "longest-log-frames", \.journal.longestLogFrames,
      "Pages in the log at which all are copied at once."),
    .bytes(
      "journal", "reserve-bytes", \.journal.reserveBytes,
      "Free on the disk; with less, actions are refused with no-space."),
    .count("journal", "kept-rows", \.journal.keptRows, "Rows kept for the log."),
    .bytes("journal", "kept-bytes", \.journal.keptBytes, "Rows kept for the log."),
    .count(
      "journal", "kept-epochs", \.journal.keptEpochs,
      "Runs of the daemon whose positions clients can resume from."),
    .count(
      "journal", "kept-failure-copies", \.journal.keptFailureCopies,
      "Copies kept of a journal that failed, before it is opened again."),
    .bytes(
      "journal", "snapshot-piece-bytes", \.journal.snapshotPieceBytes, atLeast: 4 << 10,
      "Written of a snapshot at a time, between batches."),
    .count(
      "journal", "pruned-at-once", \.journal.prunedAtOnce, "Old rows taken away at a time."),
    .duration(
      "journal", "mark-sync", \.journal.markSync, "What a power failure can hide from the check."),
    .duration(
      "journal", "busy", \.journal.busy, "How long another program may lock the journal."),
  ]
}
