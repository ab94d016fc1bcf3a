/// Which process of which user is at the other end of an ipc connection, as the kernel told libzmq
/// when it was accepted. A peer cannot forge it.
package struct PeerCredentials: Hashable, Sendable {
  package var uid: UInt32
  package var gid: UInt32
  /// The process that connected; it may have ended, and its number may be another's since.
  package var pid: Int32

  package init(uid: UInt32, gid: UInt32, pid: Int32) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
  }

  /// From libzmq's `Peer-Address`: `localhost:uid:gid:pid`. Nil for anything else, tcp addresses
  /// of either family included (libzmq writes those as numbers, never as `localhost`).
  package init?(peerAddress: String) {
    var address = peerAddress
    let parsed = address.withUTF8 { Self(peerAddress: UnsafeRawBufferPointer($0)) }
    guard let parsed else { return nil }
    self = parsed
  }

  init?(peerAddress: UnsafeRawBufferPointer) {
    let host = StaticString("localhost:")
    guard peerAddress.starts(with: UnsafeRawBufferPointer(start: host.utf8Start, count: 10))
    else { return nil }
    var numbers = (UInt64(0), UInt64(0), UInt64(0))
    var field = 0
    var digits = 0
    for byte in peerAddress.dropFirst(host.utf8CodeUnitCount) {
      if byte == UInt8(ascii: ":") {
        guard digits > 0, field < 2 else { return nil }
        field += 1
        digits = 0
        continue
      }
      // Ten digits are the most that 32 bits need; more would overflow.
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte), digits < 10 else { return nil }
      digits += 1
      let digit = UInt64(byte - UInt8(ascii: "0"))
      switch field {
      case 0: numbers.0 = numbers.0 * 10 + digit
      case 1: numbers.1 = numbers.1 * 10 + digit
      default: numbers.2 = numbers.2 * 10 + digit
      }
    }
    guard field == 2, digits > 0, let uid = UInt32(exactly: numbers.0),
      let gid = UInt32(exactly: numbers.1), let pid = Int32(exactly: numbers.2)
    else { return nil }
    self.init(uid: uid, gid: gid, pid: pid)
  }
}
