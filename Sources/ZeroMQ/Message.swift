internal import CZeroMQ
internal import Glibc

/// A received message, and what libzmq knows of who sent it.
///
/// The sender is asked for only where it is needed (each question is a search in libzmq's
/// properties), and answered only until the socket's next message. It is deliberately not kept by
/// routing id: a peer may claim an id that another one had.
package struct Message {
  /// The frames; a ROUTER's first is the route to the sender.
  package private(set) var frames: [[UInt8]] = []
  private var core: SocketCore
  private var generation: UInt64 = 0

  init(core: SocketCore) { self.core = core }

  /// The sender's address as libzmq has it: `localhost:uid:gid:pid` on ipc, the host on tcp. Nil
  /// for an unsubscription that libzmq made itself, and after the socket's next message.
  package var peerAddress: String? {
    guard isLast, let text = zmq_msg_gets(core.frame, "Peer-Address") else { return nil }
    return String(cString: text)
  }

  /// Who sent it, on ipc; nil on another transport, and when `peerAddress` is.
  package var peer: PeerCredentials? {
    guard isLast, let text = zmq_msg_gets(core.frame, "Peer-Address") else { return nil }
    return PeerCredentials(
      peerAddress: UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// The descriptor of the connection that it came from, for `disconnectPeer` in the same turn (the
  /// number may be used again afterwards); -1 when `peerAddress` is nil.
  package var sourceDescriptor: Int32 {
    isLast ? zmq_msg_get(core.frame, ZMQ_SRCFD) : -1
  }

  private var isLast: Bool { generation != 0 && generation == core.generation }

  mutating func setFrame(_ index: Int, _ bytes: UnsafeRawBufferPointer) {
    if index < frames.count {
      frames[index].removeAll(keepingCapacity: true)
      frames[index].append(contentsOf: bytes)
    } else {
      frames.append([UInt8](bytes))
    }
  }

  mutating func endFrames(_ count: Int) {
    if frames.count > count { frames.removeLast(frames.count - count) }
  }

  mutating func remember(_ core: SocketCore) {
    self.core = core
    generation = core.generation
  }
}
