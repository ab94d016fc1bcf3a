public import StateModel

/// What a daemon tells its app of handles, for an action of the app's own to keep them in the state.
@Mirrored public enum HandleChange {
  /// A client offers it. Offered again, it is the same.
  case offered(Handle)
  /// Its owner takes it back.
  case withdrawn(Handle)
  /// A client has left: whatever it offered is gone.
  case ownerLeft(UInt64)
  /// The daemon has started anew: nothing that was offered before lives.
  case allGone
}

extension HandleChange {
  /// Brings a list of handles up to date.
  public func apply(to handles: inout [Handle]) {
    switch self {
    case .offered(let handle): if !handles.contains(handle) { handles.append(handle) }
    case .withdrawn(let handle): handles.removeAll { $0 == handle }
    case .ownerLeft(let owner): handles.removeAll { $0.owner == owner }
    case .allGone: handles = []
    }
  }

  /// Whether this origin may tell it: the daemon itself, or a client of handles of its own. An app
  /// whose action carries a change rejects others, since any client can send any action.
  public func isCredible(from origin: UInt64?) -> Bool {
    guard let origin else { return true }
    switch self {
    case .offered(let handle), .withdrawn(let handle): return handle.owner == origin
    case .ownerLeft, .allGone: return false
    }
  }
}
