public import StateModel

/// What a daemon tells its app of clients that asked to be listed, for an action of the app's own
/// to keep them in the state.
///
/// Coming and going only: how far behind a client is never becomes a commit, for it would feed on
/// itself.
@Mirrored public enum PresenceChange {
  /// A client is there, under this name (which may be empty). Of one that is there already: it has
  /// another name now.
  case joined(client: UInt64, name: String)
  /// It has not been heard for a while.
  case away(client: UInt64)
  /// It was away, and is heard again.
  case back(client: UInt64)
  /// It said goodbye, or was away for too long.
  case left(client: UInt64)
  /// The daemon has started anew: nobody of before is there.
  case allLeft
}

extension PresenceChange {
  /// Whether this origin may tell it: the daemon alone. An app whose action carries a change rejects
  /// others, since any client can send any action.
  public func isCredible(from origin: UInt64?) -> Bool { origin == nil }
}
