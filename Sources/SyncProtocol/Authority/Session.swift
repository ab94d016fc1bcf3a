/// Where a session is in the book: a slot may be given to another one later.
struct SessionRef: Equatable {
  var slot: Int
  var generation: UInt32
}

/// One client's actions, and what is known of it while it lives.
///
/// The upper half is what the journal knows too; the lower half dies with the daemon.
struct Session {
  var id: SessionID
  var base: CommitNumber
  var owner: String
  var publicNumber: PublicNumber
  var window: OutcomeWindow
  /// The highest number whose outcome is durable: what may be told.
  var durableLast: ActionNumber
  /// The highest number whose outcome the client has.
  var acked: ActionNumber = 0

  var generation: UInt32 = 0
  var isVacant = false
  /// Why `last + 1` was refused: the later numbers wait for it with the same code.
  var hold: Code?
  /// Bytes of actions that are not yet durable.
  var inFlight = 0
  /// The batch that touched it last, and where in that batch's list it stands.
  var touchedIn: UInt64 = 0
  var touchedAt = 0

  /// Whether it said hello in this epoch and was heard since.
  var isAttached = false
  /// The connection that its last hello came by; nil while it is not attached.
  var connection: [UInt8]?
  /// Whether it was attached and fell silent.
  var hasLapsed = false
  var lastHeard = Moment(nanoseconds: 0)
  var doorbell: Nonce?
  /// Whether it is listed as present.
  var isPresent = false
  /// Since when it is: seconds since 2001-01-01.
  var presentSince = 0.0
  /// Whether it is listed, and silent.
  var isAway = false
  /// Whether XPUB reported that nobody hears its doorbell any more.
  var isCut = false
  /// What it is listed as.
  var name = ""
  /// The handles that it offers, as far as they are published.
  var handles: [String] = []
  var views: [ViewRef] = []
  /// The highest request number that changed `views`: requests may overtake each other, and an
  /// older hello must not take away what a newer one has named.
  var listedBy: UInt64 = 0
  /// Where its mirrors were by its last `alive`; nil before that.
  var told: ToldPositions?
  var mail = Mailbox()
  /// What its newest calls were answered.
  var calls = CallLedger()
  /// The highest mail number that it was rung for and has not fetched; 0 for none.
  var awaited: UInt64 = 0

  /// Whether nothing of it is in the journal: dropping it loses nothing.
  var isBlank: Bool { window.last == 0 }
  /// Whether all of it is in the journal.
  var isSettled: Bool { window.last == durableLast }
}
