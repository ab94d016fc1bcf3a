import Testing

@testable import ZeroMQ

@Suite("Peer credentials")
struct PeerCredentialsTests {
  @Test("are the last three fields of an ipc peer's address")
  func parsing() {
    #expect(
      PeerCredentials(peerAddress: "localhost:0:65534:123456")
        == PeerCredentials(uid: 0, gid: 65534, pid: 123456))
    #expect(
      PeerCredentials(peerAddress: "localhost:4294967295:4294967295:2147483647")
        == PeerCredentials(uid: .max, gid: .max, pid: .max))
  }

  @Test(
    "are not in any other address",
    arguments: [
      "", "localhost", "localhost:", "localhost:1", "localhost:1:2", "localhost:1:2:",
      "localhost:1:2:3:", "localhost:1:2:3:4", "localhost::2:3", "localhost:a:2:3",
      "localhost:-1:2:3", "localhost:1:2: 3", "localhost:4294967296:2:3",
      "localhost:1:2:2147483648", "localhost:99999999999999999999:2:3", "127.0.0.1",
      "otherhost:1:2:3", "fe80::1:2:3", "a:1:2:3", "Localhost:1:2:3",
    ])
  func refusing(address: String) { #expect(PeerCredentials(peerAddress: address) == nil) }
}
