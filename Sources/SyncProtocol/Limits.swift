/// Every bound of the protocol (section 8). The daemon's are configurable and told in hello.
package struct Limits: Equatable, Sendable {
  /// Bytes of a frame.
  package var frame = 16 << 20
  /// Bytes of a request.
  package var request = 1 << 20
  /// Entries of a request.
  package var entries = 256
  /// Unanswered actions of a session, and outcomes kept for it.
  package var window = 256
  /// Bytes of the text of an outcome, and of its path's elements: outcomes are kept and journaled.
  package var outcomeText = 1024
  package var outcomePath = 1024
  /// Bytes of a topic that a client may subscribe.
  package var topic = 255
  /// Views of a session.
  package var viewsPerSession = 64
  /// Views in all.
  package var views = 4096
  /// Bytes of deltas that a client holds while it joins.
  package var heldDeltas = 8 << 20
  /// Bytes of deltas kept of each view, for replays.
  package var keptPerView = 8 << 20
  /// Bytes of deltas kept in all.
  package var kept = 256 << 20
  /// Sessions whose outcomes are kept.
  package var sessions = 4096
  /// Bytes of a session's actions that are not yet durable.
  package var inFlight = 4 << 20
  /// Bytes of a publication; a larger one is pulled.
  package var publication = 256 << 10
  /// Bytes of a chunk.
  package var chunk = 256 << 10
  /// Bytes of an answer; a larger one is pulled in chunks.
  package var answer = 1 << 20
  /// Large snapshots pinned for pulling at one time.
  package var pinned = 64
  /// Bytes of all large snapshots that are pinned; one is pinned whatever its size.
  package var pinnedBytes = 256 << 20
  /// Requests that wait until a pinned snapshot is encoded, or compared with what is published.
  package var waitingPullers = 4096
  /// Bytes published within a heartbeat time-out before payloads are left out (`pull`).
  package var publishedBurst = 64 << 20
  /// Bytes of the name that a client has itself listed by.
  package var nameBytes = 64
  /// Handles that a session offers at a time.
  package var handles = 64
  /// Calls of a session whose answer is remembered.
  package var calls = 256
  /// Actions of effects that wait until a batch has room.
  package var inbox = 65_536
  /// Mail items kept for a session, and their bytes.
  package var mailItems = 256
  package var mailBytes = 1 << 20
  /// Entries of a batch, and bytes of their payloads; a fuller one takes no more until it is closed.
  package var batchEntries = 4096
  package var batchBytes = 16 << 20
  /// Topics and doorbells whose subscriptions are remembered.
  package var subscriptions = 16_384
  /// Entries kept in memory for `log`.
  package var logEntries = 1024
  /// Rows, and bytes of their entries, after which a snapshot is saved.
  package var snapshotRows = 4096
  package var snapshotBytes = 32 << 20

  package init() {}
}

/// Every time-out of the protocol.
package struct Timing: Equatable, Sendable {
  /// Between daemon beats while there is work.
  package var busyBeat: Duration = .milliseconds(250)
  /// Between daemon beats while there is none.
  package var idleBeat: Duration = .seconds(1)
  /// The first beat of a view after its last delta; doubled up to `viewBeatLongest`.
  package var viewBeatFirst: Duration = .seconds(1)
  package var viewBeatLongest: Duration = .seconds(16)
  /// Silence on a SUB after which the link is lost.
  package var linkLost: Duration = .seconds(3)
  /// Between signs of life of a client.
  package var alive: Duration = .seconds(2)
  /// How long a reply may take before the request is sent again.
  package var retry: Duration = .seconds(1)
  /// The longest that repeated attempts wait for a reply, a welcome, or until they try again.
  package var longestRetry: Duration = .seconds(8)
  /// How long a client waits before it sends again what was refused for the moment (`busy`).
  package var refusalRetry: Duration = .milliseconds(250)
  /// How long a welcome may take before a fresh doorbell is tried.
  package var welcome: Duration = .milliseconds(500)
  /// Signs of life missed before a session is away.
  package var missedAlive = 3
  /// Signs of life missed before a session that is listed as present is gone.
  package var missedGone = 5
  /// Silence after which a session whose link was cut is gone: longer than a living client takes to
  /// connect again and to give a sign of life.
  package var cutGone: Duration = .seconds(3)
  /// How long a call may take where its caller does not say, and at the longest.
  package var call: Duration = .seconds(30)
  package var longestCall: Duration = .seconds(3600)
  /// Silence of a daemon after which a client waits no longer for the end of a task in it.
  package var abandoned: Duration = .seconds(10)
  /// How long a view without subscribers keeps its last value.
  package var viewKept: Duration = .seconds(60)
  /// How long a pinned snapshot lives after the last pull.
  package var pinnedKept: Duration = .seconds(10)
  /// The heartbeat time-out of the transport: what a stopped subscriber is sent, and the memory it
  /// costs, is what is published in this time.
  package var heartbeat: Duration = .seconds(10)
  /// The least time between two welcomes on one doorbell.
  package var welcomeGap: Duration = .seconds(1)
  /// How long the daemon's own actions wait after the journal refused them, unless a client's come.
  package var refusedRetry: Duration = .seconds(1)
  /// How long a daemon that is going away waits for its clients to have read so.
  package var farewell: Duration = .milliseconds(500)

  package init() {}
}
