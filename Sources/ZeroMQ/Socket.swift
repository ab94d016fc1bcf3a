internal import CZeroMQ

/// A socket, owned by the thread (or loop) that made it.
package struct Socket: ~Copyable {
  package enum Kind: Int32, Sendable {
    case request = 3
    case reply = 4
    case dealer = 5
    case router = 6
    case pull = 7
    case push = 8
    case extendedPublish = 9
    case extendedSubscribe = 10
    case publish = 1
    case subscribe = 2
  }

  /// What became of a message that was to be sent.
  package enum Sent: Equatable, Sendable {
    case sent
    /// The peer's queue is full.
    case wouldBlock
    /// The peer is gone.
    case unreachable
  }

  package let kind: Kind
  let pointer: UnsafeMutableRawPointer

  /// Linger is finite from the start: a socket to nobody would hold up the end of the process.
  package init(
    _ kind: Kind, in context: Context, linger: Duration = .milliseconds(200)
  ) throws(ZeroMQError) {
    guard let pointer = zmq_socket(context.pointer, kind.rawValue) else {
      throw .last("make a \(kind) socket")
    }
    var milliseconds = Int32(linger / .milliseconds(1))
    zmq_setsockopt(pointer, ZMQ_LINGER, &milliseconds, MemoryLayout<Int32>.size)
    self.kind = kind
    self.pointer = pointer
  }

  deinit { zmq_close(pointer) }

  package func bind(_ endpoint: String) throws(ZeroMQError) {
    guard zmq_bind(pointer, endpoint) == 0 else { throw .last("bind \(endpoint)") }
  }

  package func connect(_ endpoint: String) throws(ZeroMQError) {
    guard zmq_connect(pointer, endpoint) == 0 else { throw .last("connect \(endpoint)") }
  }

  func set(_ option: Int32, _ value: Int32, _ name: String) throws(ZeroMQError) {
    var value = value
    guard zmq_setsockopt(pointer, option, &value, MemoryLayout<Int32>.size) == 0 else {
      throw .last("set \(name) of a \(kind) socket")
    }
  }
}
