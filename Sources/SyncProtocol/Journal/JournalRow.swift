package import StateModel

/// One batch, as the journal keeps it.
package struct JournalRow: Equatable, Sendable {
  /// Dense, from 1 on; a gap is damage.
  package var id: UInt64
  package var lineage: Lineage
  package var epoch: Epoch
  /// The commit before the first of this row.
  package var base: CommitNumber
  /// The last commit of this row; equal to `base` when only rejections are in it.
  package var last: CommitNumber
  package var entries: [JournalEntry]
  /// Of the root state after the row.
  package var rootDigest: Digest
  /// Of the state's schema.
  package var schemaHash: UInt64
  /// Sessions dropped by retention in this row, and the floor after it.
  package var droppedSessions: [SessionID]
  package var floor: CommitNumber

  package init(
    id: UInt64, lineage: Lineage, epoch: Epoch, base: CommitNumber, last: CommitNumber,
    entries: [JournalEntry], rootDigest: Digest, schemaHash: UInt64,
    droppedSessions: [SessionID] = [], floor: CommitNumber
  ) {
    self.id = id
    self.lineage = lineage
    self.epoch = epoch
    self.base = base
    self.last = last
    self.entries = entries
    self.rootDigest = rootDigest
    self.schemaHash = schemaHash
    self.droppedSessions = droppedSessions
    self.floor = floor
  }
}

/// One action in a row, rejections included.
package struct JournalEntry: Equatable, Sendable {
  /// Nil for the daemon's own (`started`, actions of effects).
  package var session: SessionID?
  package var sessionBase: CommitNumber
  /// Who the session belongs to (uid or key).
  package var owner: String
  package var number: ActionNumber
  /// XXH3-128 of the payload.
  package var payloadHash: Bytes16
  package var origin: PublicNumber?
  package var kind: CommitEntry.Kind
  package var outcome: Outcome
  /// Seconds since 2001-01-01, and the seed, that the dependencies used.
  package var date: Double
  package var seed: UInt64
  package var rootDelta: Delta

  package init(
    session: SessionID?, sessionBase: CommitNumber, owner: String, number: ActionNumber,
    payloadHash: Bytes16, origin: PublicNumber?, kind: CommitEntry.Kind, outcome: Outcome,
    date: Double, seed: UInt64, rootDelta: Delta
  ) {
    self.session = session
    self.sessionBase = sessionBase
    self.owner = owner
    self.number = number
    self.payloadHash = payloadHash
    self.origin = origin
    self.kind = kind
    self.outcome = outcome
    self.date = date
    self.seed = seed
    self.rootDelta = rootDelta
  }
}

/// The sessions whose outcomes the daemon still knows: what a snapshot keeps beside the state.
package struct SessionTable: Equatable, Sendable {
  package struct Record: Equatable, Sendable {
    package var base: CommitNumber
    package var owner: String
    package var publicNumber: PublicNumber
    /// The highest number that was consumed.
    package var last: ActionNumber
    /// Outcomes up to this number have been received by the client.
    package var acked: ActionNumber
    /// The outcomes above `acked`, at most a window of them, in order.
    package var outcomes: [Kept]

    package init(
      base: CommitNumber, owner: String, publicNumber: PublicNumber, last: ActionNumber,
      acked: ActionNumber, outcomes: [Kept]
    ) {
      self.base = base
      self.owner = owner
      self.publicNumber = publicNumber
      self.last = last
      self.acked = acked
      self.outcomes = outcomes
    }
  }

  package struct Kept: Equatable, Sendable {
    package var outcome: Outcome
    package var payloadHash: Bytes16
    package init(outcome: Outcome, payloadHash: Bytes16) {
      self.outcome = outcome
      self.payloadHash = payloadHash
    }
  }

  package var records: [SessionID: Record]
  /// Unknown sessions with a base below this are `expired`.
  package var floor: CommitNumber
  package var nextPublicNumber: PublicNumber

  package init(
    records: [SessionID: Record] = [:], floor: CommitNumber = .zero,
    nextPublicNumber: PublicNumber = 1
  ) {
    self.records = records
    self.floor = floor
    self.nextPublicNumber = nextPublicNumber
  }
}

/// When each epoch began: a position is on our history if its epoch is here and its number in that
/// epoch's range.
package struct EpochRecord: Equatable, Sendable {
  package var epoch: Epoch
  /// The last commit before the epoch.
  package var after: CommitNumber
  package init(epoch: Epoch, after: CommitNumber) {
    self.epoch = epoch
    self.after = after
  }
}

/// What a daemon's machine starts from.
package struct RecoveredHistory: Equatable, Sendable {
  package var lineage: Lineage
  /// All epochs, this daemon's own last.
  package var epochs: [EpochRecord]
  package var lastRow: UInt64
  package var commit: CommitNumber
  package var oldest: CommitNumber
  package var sessions: SessionTable

  package init(
    lineage: Lineage, epochs: [EpochRecord], lastRow: UInt64, commit: CommitNumber,
    oldest: CommitNumber, sessions: SessionTable
  ) {
    self.lineage = lineage
    self.epochs = epochs
    self.lastRow = lastRow
    self.commit = commit
    self.oldest = oldest
    self.sessions = sessions
  }
}
