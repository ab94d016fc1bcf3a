package import StateModel

/// A mirror's value: typed in a store, a `Value` in generic clients.
package protocol Replica: Sendable {
  /// Replaces the value by an encoded one, whose digest is said to be this.
  mutating func reset(to encoded: ArraySlice<UInt8>, digest: Digest) throws(DecodingFailure)
  /// Applies all of a delta, or nothing.
  mutating func apply(_ delta: Delta) throws(DeltaFailure)
  /// Of the value; unspecified before the first reset.
  var digest: Digest { get }
  /// The schema it was built for; nil for generic ones.
  var schemaHash: UInt64? { get }
}

/// A view of one client, for its whole life.
package struct ViewToken: Hashable, Sendable {
  package var rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// An action of one client, until it is resolved.
package struct ActionToken: Hashable, Sendable {
  package var rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// A question of one client that is neither about a view nor an action, until it is answered.
package struct AskToken: Hashable, Sendable {
  package var rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// The two ways a client asks: a large pull never delays an action.
package enum Channel: Hashable, Sendable {
  case actions
  case data
}

/// What happens to a client's machine.
package enum ClientEvent: Sendable {
  /// Begin; also after `close`.
  case open
  case addView(ViewToken, name: String, parameters: [UInt8], replica: any Replica)
  /// Gets the value once, without a subscription: `changed` and `fresh`, then nothing more.
  case fetchView(ViewToken, name: String, parameters: [UInt8], replica: any Replica)
  case removeView(ViewToken)
  case submit(ActionToken, Entry)
  /// All of them are one commit, or none is applied.
  case submitTogether([(ActionToken, Entry)])
  /// Anything else that is asked of a daemon (`views`, `schema`, `sessions`, `stats`, `log`, `stop`,
  /// a dry run): sent again until it is answered, but for `stop`.
  case ask(AskToken, Request.Body)
  /// Offers a handle of this name, in this and every later run of the daemon.
  case offer(String)
  case withdraw(String)
  /// Calls a handle that stands in the state.
  case call(CallToken, HandleName, argument: [UInt8], deadline: Duration)
  /// The app does not want the result any more.
  case cancelCall(CallToken)
  /// What a call that was given to the app came to.
  case giveBack(CallKey, CallEnd)
  /// Follows what an action that is submitted starts in the daemon, until it ends.
  case follow(ActionToken)
  /// Follows what an action of this run has started, by its commit.
  case watch(ActionToken, CommitNumber)
  /// What the action started is to end.
  case cancelTask(ActionToken)
  /// The app waits no longer: find out what became of it, and burn it if it is not done.
  case giveUp(ActionToken)
  case broadcast(Broadcast)
  case reply(Reply, Channel)
  case tick
  /// Say goodbye.
  case close
}

/// What became of an action.
public enum Resolution: Equatable, Sendable {
  /// The daemon's outcome; `commit` is the one it became. `views` are the numbers that the client's
  /// mirrors have to reach to show it.
  case done(code: Code, commit: CommitNumber?, text: String)
  /// The daemon's history was replaced after the action was sent: it may or may not be in it.
  case unknown(text: String)
  /// It was never sent, or was burnt: it is not applied and never will be.
  case notDone(code: Code, text: String)

  /// Whether the action was applied.
  package var isDone: Bool {
    if case .done(let code, _, _) = self { return code == .ok || code == .noChange }
    return false
  }
}

/// What a client's shell is to do, in order.
package enum ClientOutput: Equatable, Sendable {
  case send(Request, Channel)
  case subscribe(topic: [UInt8])
  case unsubscribe(topic: [UInt8])
  /// The mirror holds a new value (or the same one, after a resync that found no difference).
  case changed(ViewToken, Update)
  /// The mirror is not known to be exact any more.
  case stale(ViewToken, reason: String)
  /// It is exact again, at this number.
  case fresh(ViewToken, CommitNumber)
  /// The view cannot be had.
  case refused(ViewToken, code: Code, text: String)
  case resolved(ActionToken, Resolution)
  /// Every mirror that this action touched has reached it.
  case reached(ActionToken)
  /// Every mirror has at least what was published at this commit: what they show belongs together.
  case together(CommitNumber)
  indirect case answered(AskToken, Reply)
  /// It was sent and not answered, and sending it again could do it twice.
  case unanswered(AskToken)
  /// A handle is in the daemon's state (`ok`), or the daemon does not want it.
  case offer(String, code: Code, text: String)
  /// A call has ended.
  case called(CallToken, CallEnd)
  /// Everything that a followed action started has ended, or is not known any more (`gone`).
  case ended(ActionToken, CallEnd)
  /// A handle of this client is called: to be done once, and given back.
  case invoke(CallKey, name: String, argument: [UInt8], deadline: Duration)
  /// Nobody waits for it any more.
  case cancelInvoked(CallKey)
  case notice(Notice)

  package struct Update: Equatable, Sendable {
    /// The mirror as it was then: the machine's own may have gone on by the time this is delivered.
    package var replica: any Replica
    package var number: CommitNumber
    package var commit: CommitNumber
    package var origin: PublicNumber?
    /// The delta that brought it there; nil after a snapshot.
    package var delta: Delta?
    package init(
      replica: any Replica, number: CommitNumber, commit: CommitNumber, origin: PublicNumber?,
      delta: Delta?
    ) {
      self.replica = replica
      self.number = number
      self.commit = commit
      self.origin = origin
      self.delta = delta
    }

    package static func == (a: Update, b: Update) -> Bool {
      a.number == b.number && a.commit == b.commit && a.origin == b.origin && a.delta == b.delta
        && a.replica.digest == b.replica.digest
    }
  }

  package enum Notice: Equatable, Sendable {
    case connected(publicNumber: PublicNumber)
    case linkLost
    /// Requests are answered, and what is published does not arrive: why, as far as it can be told.
    case unheard(String)
    case goingAway(String)
    case evicted(String)
    /// Acknowledged actions were undone by a restored history.
    case rewritten(undone: [ActionToken])
    /// A mirror differed from the authority; it resynchronises. Before, delta, both digests.
    case diverged(
      ViewToken, before: Digest, delta: Delta?, expected: Digest, found: Digest)
    case refused(code: Code, text: String)
  }
}
