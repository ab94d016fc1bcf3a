package import StateModel

/// Where a reply goes: the envelope of the request, opaque to the machine.
package struct Route: Hashable, Sendable {
  package var envelope: [[UInt8]]
  package init(envelope: [[UInt8]]) { self.envelope = envelope }
}

/// Who is at the other end, as the transport proved it.
package struct Peer: Hashable, Sendable {
  package enum Role: Int, Comparable, Sendable {
    case read
    case act
    case admin
    package static func < (lesser: Role, greater: Role) -> Bool {
      lesser.rawValue < greater.rawValue
    }
  }
  /// The uid of an ipc peer, or a key; sessions are bound to it.
  package var identity: String
  package var role: Role
  package init(identity: String, role: Role) {
    self.identity = identity
    self.role = role
  }
}

/// What happens to the daemon's machine.
package enum AuthorityEvent: Equatable, Sendable {
  case request(Request, route: Route, peer: Peer)
  /// Frames that are no request, where the header could still be read that far (`WireFailure`).
  case malformed(request: UInt64, code: Code = .malformed, text: String, route: Route)
  /// XPUB reported a subscription.
  case subscribed(topic: [UInt8])
  /// XPUB reported that a topic's last subscriber left.
  case unsubscribed(topic: [UInt8])
  /// An effect sent an action.
  case effect(action: [UInt8], cause: CommitNumber)
  /// Everything that a commit started has ended.
  case effectsEnded(CommitNumber)
  /// The sockets are drained: close the open batch if the journal is free.
  case drained
  /// The row is in the journal, synced.
  case journaled(row: UInt64)
  /// The row was rolled back cleanly (a full disk): the state returns to the last durable batch.
  case journalRefused(row: UInt64, text: String)
  /// Whether the row is in the journal is unknown: nothing more is answered or published.
  case journalFailed(row: UInt64, text: String)
  /// Somebody else has written: step down.
  case journalFenced(row: UInt64)
  /// The journal was pruned: replays reach back to this commit.
  case pruned(oldest: CommitNumber)
  /// A pinned value is encoded (`BackgroundWork`); nil where it is too long.
  case encoded(answer: UInt64, EncodedPieces?)
  /// What leads on from a pinned value; nil where that is too much.
  case compared(answer: UInt64, Delta?)
  /// Time has passed.
  case tick
  /// SIGTERM: take nothing new, finish what is under way, say so, stop.
  case stop(text: String)
}

/// What the daemon's shell is to do, in order.
package enum AuthorityOutput<Work> {
  /// Append to the journal; at most one row is under way.
  case append(JournalRow)
  case reply(Reply, Route)
  case broadcast(Broadcast)
  /// Start effects of a commit that is now durable. `sentBy` is the commit whose effect sent its
  /// action: that one is handled now, also where there is nothing to start.
  case start(Work?, cause: CommitNumber, sentBy: CommitNumber?)
  /// An action that an effect of this commit sent was refused, or dropped: it is handled.
  case handled(CommitNumber)
  /// End whatever this commit started.
  case cancelEffects(CommitNumber)
  /// A line for the log.
  case report(String)
  /// Write a snapshot of state and sessions as of this commit.
  case saveSnapshot(SessionTable, at: CommitNumber)
  /// Do it, not on the loop; what comes of it is an event.
  case background(BackgroundWork)
  /// Let go of a large value, not on the loop: so does giving its memory back.
  case discard(DiscardedValue)
  /// Everything is said: close.
  case stopped(StopReason)
}

package enum StopReason: Equatable, Sendable {
  case asked(String)
  case journalFailed(String)
  case fenced
}
