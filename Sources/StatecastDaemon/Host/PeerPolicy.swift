internal import SyncProtocol
internal import ZeroMQ

/// Who may connect, and what they may do.
///
/// On ipc the kernel proves the user: the daemon's own may everything, those allowed by the
/// configuration may act. On tcp (loopback only, until keys come) everybody may act.
struct PeerPolicy: Sendable {
  let owner: UInt32
  let allowed: [UInt32]

  /// The users whom libzmq lets in on ipc; root may connect to anything anyway.
  var filter: [UInt32] { Array(Set([owner] + allowed)).sorted() }

  func peer(_ credentials: PeerCredentials?) -> Peer? {
    guard let credentials else { return Peer(identity: "tcp", role: .act) }
    if credentials.uid == owner { return Peer(identity: "uid \(credentials.uid)", role: .admin) }
    guard allowed.contains(credentials.uid) else { return nil }
    return Peer(identity: "uid \(credentials.uid)", role: .act)
  }
}
