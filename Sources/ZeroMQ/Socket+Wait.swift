internal import CZeroMQ

extension Socket {
  /// Waits, at most so long, until a message may be received; for tools without an event loop.
  ///
  /// On a REQ it may say yes for a late reply that is then dropped: receive may still say nil.
  package func waitUntilReadable(atMost patience: Duration) -> Bool {
    var item = zmq_pollitem_t(socket: core.pointer, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
    return zmq_poll(&item, 1, Int(patience / .milliseconds(1))) > 0
  }
}
