internal import StateModel

/// A reply that waits for the batch whose state, session table or window it read.
///
/// What can change until then (view numbers, positions, the highest durable number) is not in it:
/// the reply is made when the batch is released.
struct PendingReply {
  enum Content {
    /// `act` and `outcome`. `repeats`: whether an outcome is an earlier one's.
    case act(SessionRef, [Outcome], repeats: Bool)
    case hello(SessionRef, [NamedView])
    case join([NamedView])
    /// A dry run: whose entry, to run it again if its batch is undone, and what it did.
    case trial(Entry, Trier, code: Code, text: String, delta: Delta)
    case snapshot(ViewRef, Topic)
    case replay(ViewRef, from: CommitNumber, isOurs: Bool, session: SessionID)
    case plain(Code, String)
    /// A hello on a history that is not this one: the highest number of the session that is here,
    /// so that the client can name what was undone.
    case rewritten(base: CommitNumber, last: ActionNumber)
  }

  /// Who asked for a dry run.
  struct Trier {
    var origin: PublicNumber
    var role: Peer.Role
  }

  var request: UInt64
  var route: Route
  var content: Content
}

/// A view as a client asked for it, and where it is.
struct NamedView {
  enum Found {
    case view(ViewRef)
    case refused(Code, String)
  }
  var request: ViewRequest
  var topic: Topic
  var found: Found
}
