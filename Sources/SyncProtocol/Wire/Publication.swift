package import StateModel

/// A message on a view's topic: header
/// `[1, lineage, epoch, from, to, commit, digest, origin|null, flags]` and a delta.
package struct Publication: Equatable, Sendable {
  /// Bits of `flags`.
  package struct Flags: OptionSet, Sendable {
    package var rawValue: UInt64
    package init(rawValue: UInt64) { self.rawValue = rawValue }
    /// Too large to be published: fetched by `replay`.
    package static let pull = Flags(rawValue: 1)
    /// Nothing changed (`from` = `to`): the digest of what is published.
    package static let beat = Flags(rawValue: 2)
    /// The delta sets the value as a whole.
    package static let whole = Flags(rawValue: 4)
  }

  package var topic: Topic
  package var lineage: Lineage
  package var epoch: Epoch
  package var from: CommitNumber
  package var to: CommitNumber
  /// The published commit.
  package var commit: CommitNumber
  /// Of the value after the delta.
  package var digest: Digest
  /// Who caused it; nil for a publication of several commits.
  package var origin: PublicNumber?
  package var flags: Flags
  package var delta: Delta

  package init(
    topic: Topic, lineage: Lineage, epoch: Epoch, from: CommitNumber, to: CommitNumber,
    commit: CommitNumber, digest: Digest, origin: PublicNumber?, flags: Flags, delta: Delta
  ) {
    self.topic = topic
    self.lineage = lineage
    self.epoch = epoch
    self.from = from
    self.to = to
    self.commit = commit
    self.digest = digest
    self.origin = origin
    self.flags = flags
    self.delta = delta
  }
}

/// The daemon's beat, on topic `H`: `[1, lineage, epoch, commit, durable, oldest, ms to the next]`.
package struct DaemonBeat: Equatable, Sendable {
  package var lineage: Lineage
  package var epoch: Epoch
  package var commit: CommitNumber
  package var durable: CommitNumber
  package var oldest: CommitNumber
  package var next: Duration

  package init(
    lineage: Lineage, epoch: Epoch, commit: CommitNumber, durable: CommitNumber,
    oldest: CommitNumber, next: Duration
  ) {
    self.lineage = lineage
    self.epoch = epoch
    self.commit = commit
    self.durable = durable
    self.oldest = oldest
    self.next = next
  }
}

/// A message on a client's doorbell: a welcome (`mail` 0 and no mail) or a new mail number.
package struct Ring: Equatable, Sendable {
  package var nonce: Nonce
  package var lineage: Lineage
  package var epoch: Epoch
  /// Whether it answers a subscription.
  package var isWelcome: Bool
  /// The highest mail number there is for the session.
  package var mail: UInt64

  package init(nonce: Nonce, lineage: Lineage, epoch: Epoch, isWelcome: Bool, mail: UInt64) {
    self.nonce = nonce
    self.lineage = lineage
    self.epoch = epoch
    self.isWelcome = isWelcome
    self.mail = mail
  }
}

/// Whatever a SUB socket may deliver.
package enum Broadcast: Equatable, Sendable {
  case publication(Publication)
  case beat(DaemonBeat)
  case ring(Ring)
}
