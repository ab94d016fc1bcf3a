import SyncProtocol
import Testing
import ZeroMQ

@testable import StatecastDaemon

@Suite("Who may do what, by whose process it is")
struct PeerPolicyTests {
  private let policy = PeerPolicy(owner: 1000, allowed: [1001])

  private func peer(_ uid: UInt32) -> Peer? {
    policy.peer(PeerCredentials(uid: uid, gid: 1000, pid: 77))
  }

  @Test("The daemon's own user is its admin, those who are allowed may act, others are nobody")
  func users() {
    #expect(peer(1000) == Peer(identity: "uid 1000", role: .admin))
    #expect(peer(1001) == Peer(identity: "uid 1001", role: .act))
    #expect(peer(1002) == nil)
    #expect(policy.filter == [1000, 1001])
  }

  @Test("Root is nobody either, unless the daemon is its own")
  func root() {
    #expect(peer(0) == nil)
    #expect(
      PeerPolicy(owner: 0, allowed: []).peer(PeerCredentials(uid: 0, gid: 0, pid: 77))
        == Peer(identity: "uid 0", role: .admin))
  }

  @Test("On tcp nobody is known, and so nobody is an admin")
  func tcp() {
    #expect(policy.peer(nil) == Peer(identity: "tcp", role: .act))
  }
}
