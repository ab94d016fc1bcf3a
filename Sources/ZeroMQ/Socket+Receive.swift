internal import CZeroMQ
internal import Glibc

extension Socket {
  /// The next message, or nil if none waits, no request is out (REQ), or the context was shut
  /// down. Never waits.
  package mutating func receive() throws(ZeroMQError) -> Message? {
    var message = Message(core: core)
    return try receive(into: &message) ? message : nil
  }

  /// The next message, in the place of the one read last, whose memory it uses. False if none waits.
  package mutating func receive(reusing last: inout Message?) throws(ZeroMQError) -> Bool {
    var message = last.take() ?? Message(core: core)
    defer { last = message }
    return try receive(into: &message)
  }

  /// Receives into a message that is used again: its frames' memory too, where nobody else kept
  /// it. False if none waits; the message is then as it was.
  package mutating func receive(into message: inout Message) throws(ZeroMQError) -> Bool {
    let frame = core.frame
    let pointer = core.pointer
    var count = 0
    repeat {
      while zmq_msg_recv(frame, pointer, ZMQ_DONTWAIT) < 0 {
        switch zmq_errno() {
        case EINTR: continue
        case EAGAIN, ZeroMQError.contextEnded:
          // libzmq has looked at its commands just now, and there is nothing: the loop need not.
          core.wasDrained()
          return false
        // Reading until nil must not trap when the reply was the message before.
        case ZeroMQError.wrongState where kind == .request: return false
        case let code: throw core.failure(code, "receive on")
        }
      }
      message.setFrame(
        count, UnsafeRawBufferPointer(start: zmq_msg_data(frame), count: zmq_msg_size(frame)))
      count += 1
    } while zmq_msg_more(frame) != 0
    message.endFrames(count)
    core.generation &+= 1
    message.remember(core)
    return true
  }

  /// Throws a peer out: its connection ends, its subscriptions are gone at once. Only in the turn
  /// in which the descriptor was read from a message, since its number may be used again. The peer
  /// may connect anew; only a filter by user or key keeps it out.
  package func disconnectPeer(descriptor: Int32) {
    // A negative one is a message without a connection; a failure means that it has gone already.
    if descriptor >= 0 { _ = Glibc.shutdown(descriptor, Int32(SHUT_RDWR)) }
  }
}
