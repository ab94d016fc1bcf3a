internal import CZeroMQ

/// A socket, owned by the thread (or loop) that made it; closed when it goes.
package struct Socket: ~Copyable {
  /// What the socket is for; the raw values are libzmq's.
  package enum Kind: Int32, Sendable {
    case pair = 0
    case publish = 1
    case subscribe = 2
    case request = 3
    case reply = 4
    case dealer = 5
    case router = 6
    case pull = 7
    case push = 8
    case extendedPublish = 9
    case extendedSubscribe = 10
  }

  /// What a socket can do without waiting.
  package struct Events: OptionSet, Sendable {
    package var rawValue: Int32
    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// A message waits. On a REQ also a late reply that will be dropped: receive may still say nil.
    package static let readable = Events(rawValue: 1)
    /// Some peer takes a message. On a ROUTER it tells nothing: it stays set while a peer is full.
    package static let writable = Events(rawValue: 2)
  }

  /// What became of a message that was to be sent.
  package enum Sent: Equatable, Sendable {
    case sent
    /// The peer's queue is full.
    case wouldBlock
    /// The peer is gone, or the context was shut down.
    case unreachable
  }

  let core: SocketCore

  /// A socket with all its options set; `file` and `line` name it should it outlive its context.
  package init(
    _ kind: Kind, in context: Context, options: SocketOptions = SocketOptions(),
    file: StaticString = #fileID, line: Int = #line
  ) throws(ZeroMQError) {
    let core = try SocketCore(kind, in: context, at: "\(file):\(line)")
    try options.apply(to: core)
    self.core = core
  }

  deinit { core.close() }

  /// What the socket is for.
  package var kind: Kind { core.kind }

  /// Closes now; what was sent and not yet taken gets its linger time in the background.
  package consuming func close() { core.close() }

  /// Takes connections there. `tcp://127.0.0.1:*` picks a port, see `lastEndpoint`. Never use
  /// `ipc://*`: it makes a file in the current folder.
  ///
  /// An ipc path is taken silently from another process that bound it, and a regular file there is
  /// deleted: look before (the daemon's `SocketPath` does).
  package func bind(_ endpoint: String) throws(ZeroMQError) {
    try at("bind", endpoint) { zmq_bind(core.pointer, endpoint) }
  }

  /// Takes no more new connections there; those that stand live on.
  package func unbind(_ endpoint: String) throws(ZeroMQError) {
    try at("unbind", endpoint) { zmq_unbind(core.pointer, endpoint) }
  }

  /// Connects in the background, again and again until it succeeds.
  package func connect(_ endpoint: String) throws(ZeroMQError) {
    try at("connect", endpoint) { zmq_connect(core.pointer, endpoint) }
  }

  /// Ends the connection and stops connecting again.
  package func disconnect(_ endpoint: String) throws(ZeroMQError) {
    try at("disconnect", endpoint) { zmq_disconnect(core.pointer, endpoint) }
  }

  /// The endpoint last bound or connected, with the port that was picked.
  package var lastEndpoint: String {
    get throws(ZeroMQError) {
      // The longest is an ipc path of 107 bytes and its scheme, or a tcp address.
      var text = [CChar](repeating: 0, count: 256)
      var size = text.count
      try core.check("read the last endpoint of") {
        zmq_getsockopt(core.pointer, ZMQ_LAST_ENDPOINT, &text, &size)
      }
      return text.withUnsafeBufferPointer { buffer in
        buffer.baseAddress.map { String(cString: $0) } ?? ""
      }
    }
  }

  /// Subscribes to every topic that begins with these bytes (SUB). Sent to the publishers while
  /// the socket is polled or received from, before a later connect in the topics' byte order.
  package func subscribe(_ topic: [UInt8]) throws(ZeroMQError) {
    try core.set(ZMQ_SUBSCRIBE, topic, "a subscription")
  }

  /// Takes back one `subscribe`; told to the publishers when it was the topic's last.
  package func unsubscribe(_ topic: [UInt8]) throws(ZeroMQError) {
    try core.set(ZMQ_UNSUBSCRIBE, topic, "an unsubscription")
  }

  /// What the socket can do now. Reading it takes in what the I/O thread has sent: on an XPUB
  /// once a batch, it makes room that a slow turn would not see.
  package var events: Events { core.events() }

  private func at(
    _ operation: String, _ endpoint: String, _ body: () -> Int32
  ) throws(ZeroMQError) {
    while body() != 0 {
      let code = zmq_errno()
      if code == EINTR { continue }
      core.trapOnMisuse(code, operation)
      throw ZeroMQError(operation: "\(operation) \(endpoint)", errno: code)
    }
  }
}
