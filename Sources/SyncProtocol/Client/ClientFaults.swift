/// Mistakes that the simulation's tests put into a client, to prove that it would find them.
package struct ClientFaults: FaultSet {
  package var rawValue: UInt64
  package init(rawValue: UInt64) { self.rawValue = rawValue }

  // MARK: Acting

  /// A session whose history was rewritten goes on as if nothing had happened.
  package static let noRebaseAfterRestore = ClientFaults(0)
  /// An action that is given up is dropped without burning its number.
  package static let noGiveUp = ClientFaults(1)
  /// What was not answered is sent again under a new number.
  package static let retryIsNew = ClientFaults(4)
  /// What was sent is acknowledged, not what was answered.
  package static let ackedAhead = ClientFaults(5)
  /// A new session sends again what an old one had sent.
  package static let sentMoves = ClientFaults(6)
  /// The base that a session was given first is not kept.
  package static let baseForgotten = ClientFaults(7)
  /// Any reply answers the request that is out.
  package static let anyReplyTaken = ClientFaults(8)
  /// An action is shown as soon as it is done.
  package static let reachedAtOnce = ClientFaults(9)

  // MARK: Following

  /// A publication is applied though something between it and the mirror is missing.
  package static let gapsFollowed = ClientFaults(10)
  /// A publication that was applied is applied again.
  package static let oldTakenAgain = ClientFaults(11)
  /// Publications of another run of the daemon are followed.
  package static let anyRunFollowed = ClientFaults(13)
  /// Silence means nothing.
  package static let silenceIgnored = ClientFaults(14)
  /// Any `alive` proves that a mirror is exact, also one that was sent before the silence.
  package static let aliveProvesAnything = ClientFaults(15)

  /// Chunks are put together as they come.
  package static let chunksAsTheyCome = ClientFaults(18)

  // MARK: Calls and tasks

  /// A task has ended as soon as the daemon says so, whatever the mirrors show.
  package static let endedAtOnce = ClientFaults(16)
}
